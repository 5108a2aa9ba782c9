# SPDX-License-Identifier: Apache-2.0
"""Parts of a page that a script writes, between two markers: no figure in them is ever typed by hand."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Refusal(Exception):
    """One sentence on why nothing was written."""


def shown(path):
    """The path as a reader of the repository knows it."""
    path = pathlib.Path(path).resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name


def with_part(text, page, name, content):
    """`text` with what stands between the markers of `name` replaced; the markers stay."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise Refusal(f"{page} needs exactly one '{begin}' and, behind it, one '{end}'")
    return f"{text[:text.index(begin)]}{begin}\n{content}\n{text[text.index(end):]}"


def update(page, name, content, check, again):
    """Writes the part; with `check` nothing, but refuses a page that is stale. `again` would freshen it."""
    try:
        before = page.read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{page} cannot be read: {error.strerror}") from error
    after = with_part(before, page, name, content)
    if before == after:
        return
    if check:
        raise Refusal(f"{page} is stale: run {again}")
    page.write_text(after, encoding="utf-8")
