# SPDX-License-Identifier: Apache-2.0
"""The program's dictionary of tables and columns, which docs/numbers.md is made of."""
import functools
import json
import pathlib
import re
from dataclasses import dataclass, field

import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "numbers.md"
PLACEHOLDER = re.compile(r"\b(?:[NPT]|[A-Z]{4,})\b|\{\}")
PRECISIONS = ("fp32", "tf32x3", "tf32", "bf16", "fp16")  # title the tables of "By precision"


@dataclass
class Section:
    """One declared table."""
    command: str
    title: str  # "": only machines read it
    json: str
    page: str
    printed: list = field(default_factory=list)  # as in text and markdown
    elsewhere: list = field(default_factory=list)  # not on this machine, or not into a pipe
    keys: list = field(default_factory=list)  # of CSV and JSON
    columns: list = field(default_factory=list)

    def is_of(self, table: str) -> bool:
        """Whether a table with this title is declared here: by how the title begins."""
        return self.title != "" and (re.match(pattern_of(self.title), table) is not None
                                     or self.title == "By precision" and table in PRECISIONS)

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
    """A regular expression of words in which N, P, T, {} and words in capitals stand for anything."""
    parts, end = [], 0
    for found in PLACEHOLDER.finditer(words):
        parts += [re.escape(words[end:found.start()]), r"\S.*?"]
        end = found.end()
    return "".join(parts) + re.escape(words[end:])


def fixed_words(words: str) -> list[str]:
    """What lies between them."""
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
