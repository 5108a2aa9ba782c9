# SPDX-License-Identifier: Apache-2.0
"""Where the remedies of a page's warnings are: in docs/troubleshooting.md of the sources or of the installation."""

import os
from html import escape
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

from breakeven_analysis.program import SOURCES, find_program

PAGE = "troubleshooting.md"


def docs_folder() -> Path | None:
    """Of the sources that the package runs from or the program was built in, or installed with the program."""
    above = list(find_program().resolve().parents)  # of PREFIX/bin/breakeven, or build/release/bin/breakeven
    installed = [prefix / "share" / "doc" / "breakeven" / "docs" for prefix in above[1:2]]
    folders = [SOURCES / "docs", *installed, *(sources / "docs" for sources in above[3:4])]
    return next((folder for folder in folders if (folder / PAGE).is_file()), None)


def docs_address(page: Path) -> str:
    """For links on this page: relative if it lies beside the docs' folder, so that both can move; "" without docs."""
    docs, folder = docs_folder(), page.resolve().parent
    if docs is None:
        return ""
    return quote(os.path.relpath(docs, folder)) if folder.is_relative_to(docs.parent) else docs.as_uri()


def with_links(sentences: list[str], pages: list[str], docs: str) -> str:
    """The warnings as a list; the words that name a symptom lead to its row."""
    rows = zip_longest(sentences, pages, fillvalue="")
    items = "".join(f"<li>{linked(sentence, page, docs)}</li>" for sentence, page in rows)
    remedies = f'<p class="note">Remedies: {link("docs/" + PAGE, f"{docs}/{PAGE}#warnings")}</p>' if docs else ""
    return f"{remedies}<ul>{items}</ul>"


def linked(sentence: str, page: str, docs: str) -> str:
    """A machine's name may stand before the symptom."""
    anchor = page.partition("#")[2]
    before, words, after = "", "", sentence
    for part in sentence.split(": ")[:-1] if docs and anchor else []:
        if part.lower().replace(" ", "-") == anchor:
            before, words, after = sentence.partition(part)
            break
    return escape(before) + (link(words, f"{docs}/{page}") if words else "") + escape(after)


def link(words: str, address: str) -> str:
    return f'<a href="{escape(address)}">{escape(words)}</a>'
