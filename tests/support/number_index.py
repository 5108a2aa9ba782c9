# SPDX-License-Identifier: Apache-2.0
"""docs/numbers.md as data: what it says of every command's tables, and of the keys of its CSV and JSON."""
import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "numbers.md"
PLACEHOLDER = re.compile(r"\b(?:[NPT]|[A-Z]{4,})\b")
EVERYWHERE = "In all commands"


@dataclass
class Section:
    """The rows below one title."""
    command: str
    title: str
    intro: str = ""
    printed: list = field(default_factory=list)  # as in text and markdown
    elsewhere: list = field(default_factory=list)  # marked †: not on this machine, or not into a pipe
    keys: list = field(default_factory=list)  # of CSV and JSON

    def is_of(self, table: str) -> bool:
        """Whether a table with this title is described here: by how the title begins, or as one quoted in the intro."""
        titles = [self.title, *re.findall(r'"([^"]+)"', self.intro)]
        return any(re.match(pattern_of(title), table) for title in filter(None, titles))


def pattern_of(words: str) -> str:
    """A regular expression of words in which N, P, T and words in capitals stand for anything."""
    return PLACEHOLDER.sub(r"\\S.*?", re.escape(words))


def fixed_words(words: str) -> list[str]:
    """What lies between them."""
    return [part.strip(" ()") for part in PLACEHOLDER.split(words) if part.strip(" ()")]


def add_row(section: Section, line: str) -> None:
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    for name in filter(None, cells[0].split("; ")):
        (section.elsewhere if name.endswith("†") else section.printed).append(name.removesuffix("†").strip())
    section.keys += re.findall(r"`([^`]+)`", cells[1])


def sections() -> list[Section]:
    found, command = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            command = line.removeprefix("## ").replace("`", "").removeprefix("breakeven ")
            found.append(Section(command, ""))
        elif line.startswith("### "):
            found.append(Section(command, line.removeprefix("### ")))
        elif re.match(r"\|(?! Printed|-|---)", line) and command:
            add_row(found[-1], line)
        elif found:
            found[-1].intro += line + " "
    return found
