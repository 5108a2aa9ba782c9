# SPDX-License-Identifier: Apache-2.0
"""The program's variables and phases, in tables that results/update-layout makes. A recorder works without the program,
so it cannot ask."""

import csv
from importlib import resources


def rows_of(name: str) -> list[dict[str, str]]:
    text = resources.files(__package__).joinpath("record").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


PHASES = tuple(row["phase"] for row in rows_of("phases.csv"))
LAYOUT = rows_of("layout.csv")
# A rank's numbers in a run, in the order of its checksum.
MEASURED = tuple(
    row["variable"] for row in LAYOUT if row["dimensions"].startswith("run rank") and row["type"] == "float64"
)
# Files of older programs lack these, so an empty cell of them does not count in a checksum.
ADDITIONS = frozenset(row["variable"] for row in LAYOUT if row["addition"])
