# SPDX-License-Identifier: Apache-2.0
"""How often the intervals of breakeven advise hold held-out speed-ups of recorded files."""
import functools
import json
import pathlib

import program
import pytest

RESULTS = pathlib.Path(__file__).parents[2] / "results"
LAUNCHES = str(RESULTS / "h200-2" / "map.h5")  # three, on two machines
MAP = str(RESULTS / "h200-2-2026-11-22" / "map.h5")
FOUR = str(RESULTS / "h200-4-2026-11-22" / "scaling.h5")
NEW = ("--model", "2000-3000-3000-500", "--batch", "512")


@functools.cache
def coverage(file: str) -> dict:
    found = json.loads(program.said("advise", file, *NEW, "--format", "json"))
    return {row["held_out"]: row for row in found["coverage"]}


@pytest.mark.parametrize("file, held_out, asked", [
    (MAP, {"model", "batch"}, 279),
    (FOUR, {"model", "batch"}, 161),
    (LAUNCHES, {"model", "batch", "launch and model", "launch and batch", "launch"}, 441),
])
def test_coverage_of_held_out_speedups_is_calibrated(file: str, held_out: set, asked: int) -> None:
    rows = coverage(file)
    assert rows.keys() == held_out, rows
    for row in rows.values():
        assert row["coverage_low"] < 0.95 < row["coverage_high"], row
        assert row["asked"] == asked and row["wrong"] <= 0.025 * row["decided"], row


@pytest.mark.parametrize("held_out", ["model", "batch"])
def test_coverage_of_all_files_is_as_required(held_out: str) -> None:
    rows = [coverage(file)[held_out] for file in (MAP, FOUR, LAUNCHES)]
    share = sum(row["inside"] for row in rows) / sum(row["asked"] for row in rows)
    assert 0.93 <= share <= 0.97, rows
