# SPDX-License-Identifier: Apache-2.0
"""The tables and columns that the program declares; docs/numbers.md is made from them."""
import functools
import json
import pathlib
import re
from dataclasses import dataclass, field

import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "numbers.md"
PLACEHOLDER = re.compile(r"\b(?:[NPT]|[A-Z]{4,})\b|\{\}")


@dataclass
class Section:
    """One declared table."""
    command: str
    title: str  # "": only in CSV or JSON
    json: str
    page: str
    printed: list = field(default_factory=list)  # as in text and markdown
    elsewhere: list = field(default_factory=list)  # printed only on other machines, or only on a terminal
    keys: list = field(default_factory=list)  # of CSV and JSON
    columns: list = field(default_factory=list)

    def is_of(self, table: str) -> bool:
        """Whether this declares a table with such a title, by its beginning."""
        return self.title != "" and (re.match(pattern_of(self.title), table) is not None
                                     or self.title == "By precision" and table in program.words_of("--precisions"))

    def name(self) -> str:
        return f"{self.command}: {self.title or self.json or 'JSON'}"


@functools.cache
def headings_of(page: str) -> set[str]:
    """As links name them: lower case, hyphens for blanks, no other marks."""
    path = PAGE.parent / page
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    words = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in words}


def is_in_docs(link: str) -> bool:
    """Whether "report.md#speed" names a page of docs/ and one of its headings."""
    page, _, heading = link.partition("#")
    return (PAGE.parent / page).is_file() and (not heading or heading in headings_of(page))


def pattern_of(words: str) -> str:
    """A regular expression in which N, P, T, {} and capitalised words match anything."""
    parts, end = [], 0
    for found in PLACEHOLDER.finditer(words):
        parts += [re.escape(words[end:found.start()]), r".*?" if found[0] == "{}" else r"\S.*?"]
        end = found.end()
    return "".join(parts) + re.escape(words[end:])


def fixed_words(words: str) -> list[str]:
    """The text between the placeholders."""
    return [part.strip(" ()") for part in PLACEHOLDER.split(words) if part.strip(" ()")]


def section_of(table: dict) -> Section:
    section = Section(table["command"], table["title"], table["json"], table["page"], columns=table["columns"])
    for column in table["columns"]:
        if column["header"] and section.title:
            (section.elsewhere if column["is_elsewhere"] else section.printed).append(column["header"])
        is_data = section.json or not section.title
        if column["key"] and is_data and not column["is_elsewhere"]:
            section.keys.append(column["key"])
            section.keys += [f"{column['key']}_{end}" for end in ("low", "high") if column["has_interval"]]
    return section


@functools.cache
def sections() -> list[Section]:
    return [section_of(table) for table in json.loads(program.said("report", "--columns", "--format", "json"))["tables"]]
