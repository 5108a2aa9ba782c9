# SPDX-License-Identifier: Apache-2.0
"""Two answers, value by value, but for what the table of renames allows."""
import collections
import fnmatch
import functools
import math
import re
import tomllib
from dataclasses import dataclass

# Digits with their thousands' separators. Not those of a name (zero1, fp32), nor of a model's widths after the first.
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")
LISTS = ("wording", "added", "changed", "tolerance")


@dataclass
class Difference:
    place: str
    old: object
    new: object

    def __str__(self) -> str:
        return f"{self.place}: {shown(self.old)} is now {shown(self.new)}"


class Missing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING = Missing()


def shown(value) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def numbers_in(value) -> collections.Counter:
    """Those in a text, or in all texts of a list or an object."""
    if isinstance(value, dict):
        return sum((numbers_in(child) for child in value.values()), collections.Counter())
    if isinstance(value, list):
        return sum((numbers_in(child) for child in value), collections.Counter())
    if is_number(value):
        return collections.Counter([float(value)])
    found = NUMBER.findall(value) if isinstance(value, str) else []
    return collections.Counter(float(number.replace(",", "").replace("−", "-")) for number in found)


@functools.cache
def pattern_of(place: str) -> re.Pattern:
    """`*` within one part of the place, `**` over any number of parts."""
    parts = [".*" if part == "**" else fnmatch.translate(part)[4:-3].replace(".*", "[^/]*") for part in place.split("/")]
    return re.compile("/".join(parts))


def split_by_place(table: dict) -> list[tuple[str, dict]]:
    """[("**", names that hold everywhere), (place, names that hold there)...]"""
    everywhere = {old: new for old, new in table.items() if not isinstance(new, dict)}
    return [("**", everywhere)] + [(place, names) for place, names in table.items() if isinstance(names, dict)]


class Renames:
    def __init__(self, table: dict):
        unknown = set(table) - {"keys", "words", "arguments", *LISTS}
        assert not unknown, f"the table of renames has unknown parts: {unknown}"
        self.keys, self.words = (split_by_place(table.get(name, {})) for name in ("keys", "words"))
        self.arguments = table.get("arguments", {})
        self.lists = {name: table.get(name, []) for name in LISTS}
        for name, entries in self.lists.items():
            for entry in entries:
                assert entry.get("place") and entry.get("reason"), f"an entry of {name} needs a place and a reason: {entry}"

    @staticmethod
    def read(path) -> "Renames":
        return Renames(tomllib.loads(path.read_text(encoding="utf-8")))

    def entry(self, name: str, place: str) -> dict | None:
        return next((entry for entry in self.lists[name] if pattern_of(entry["place"]).fullmatch(place)), None)

    def key(self, old: str, place: str) -> str:
        return self._new(self.keys, old, place)

    def word(self, old: str, place: str) -> str:
        return self._new(self.words, old, place)

    @staticmethod
    def _new(tables, old: str, place: str) -> str:
        for pattern, names in reversed(tables):
            if old in names and pattern_of(pattern).fullmatch(place):
                return names[old]
        return old


class Comparison:
    """Of one question's two answers; `differences` has what was found, `values` counts what was compared."""

    def __init__(self, renames: Renames):
        self.renames = renames
        self.differences: list[Difference] = []
        self.values = 0

    def compare(self, old, new, place: str) -> None:
        wording = self.renames.entry("wording", place)
        if wording is not None:
            self._compare_numbers(old, new, place, wording.get("numbers", "same"))
        elif isinstance(old, dict) and isinstance(new, dict):
            self._compare_objects(old, new, place)
        elif isinstance(old, list) and isinstance(new, list):
            self._compare_lists(old, new, place)
        else:
            self._compare_values(old, new, place)

    def _compare_objects(self, old: dict, new: dict, place: str) -> None:
        renamed = {self.renames.key(key, place): value for key, value in old.items()}
        assert len(renamed) == len(old), f"{place}: the table of renames gives two keys one name"
        for key, value in renamed.items():
            self.compare(value, new.get(key, NOTHING), f"{place}/{key}")
        for key in new.keys() - renamed.keys():
            self._report_added(new[key], f"{place}/{key}")

    def _compare_lists(self, old: list, new: list, place: str) -> None:
        for number in range(max(len(old), len(new))):
            here = f"{place}/{number}"
            if number >= len(old):
                self._report_added(new[number], here)
            else:
                self.compare(old[number], new[number] if number < len(new) else NOTHING, here)

    def _report_added(self, value, place: str) -> None:
        if self.renames.entry("added", place) is None:
            self.differences.append(Difference(place, NOTHING, value))

    def _compare_values(self, old, new, place: str) -> None:
        self.values += 1
        if not self._is_same(old, new, place):
            self.differences.append(Difference(place, old, new))

    def _is_same(self, old, new, place: str) -> bool:
        changed = self.renames.entry("changed", place)
        if changed is not None and old == changed["old"] and new == changed["new"]:
            return True
        if is_number(old) and is_number(new):
            if math.isnan(old) or math.isnan(new):
                return math.isnan(old) and math.isnan(new)
            tolerance = self.renames.entry("tolerance", place)
            return old == new or (tolerance is not None and abs(new - old) <= tolerance["relative"] * abs(old))
        if type(old) is not type(new):
            return False
        return old == new or (isinstance(old, str) and self.renames.word(old, place) == new)

    def _compare_numbers(self, old, new, place: str, which: str) -> None:
        self.values += 1
        if new is NOTHING and which != "fewer":
            self.differences.append(Difference(place, old, new))
            return
        before, now = numbers_in(old), numbers_in(new)
        gone, come = before - now, now - before
        if come or (gone and which != "fewer"):
            self.differences.append(Difference(f"{place}: of its numbers {sorted(gone)} are gone and {sorted(come)} have come",
                                               old, new))
