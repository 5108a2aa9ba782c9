# SPDX-License-Identifier: Apache-2.0
"""`breakeven collectives` on the host: its formats agree, bandwidths follow from the times, bad options are refused."""
import csv
import io
import json
import math

import program
import pytest

OPERATIONS = ["all-reduce", "reduce", "broadcast", "reduce-scatter", "all-gather", "one-sided", "send"]
SMALL = ["--backend", "host", "--largest", "4kB"]
SIZES = [4, 16, 64, 256, 1024]


def collectives(ranks: int, *arguments: str) -> str:
    return program.run_well(ranks, "collectives", *SMALL, *arguments).stdout


def bus_factor(operation: str, ranks: int) -> float:
    """https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md"""
    if operation == "all-reduce":
        return 2 * (ranks - 1) / ranks
    return (ranks - 1) / ranks if operation in ("reduce-scatter", "all-gather") else 1


@pytest.fixture(scope="module")
def report() -> dict:
    return json.loads(collectives(3, "--gpus", "2,all", "--format", "json"))


def test_json(report: dict) -> None:
    assert report["format"] == "breakeven collectives" and report["version"] == 1 and report["right"] is True
    found = [(row["ranks"], row["operation"], row["bytes"]) for row in report["rows"]]
    assert found == [(ranks, operation, size) for ranks in (2, 3) for operation in OPERATIONS for size in SIZES]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_bandwidths_follow_from_the_times(report: dict, operation: str) -> None:
    rows = [row for row in report["rows"] if row["operation"] == operation]
    assert len(rows) == 2 * len(SIZES)
    for row in rows:
        assert row["wrong"] == 0 and 0 < row["seconds"] < 1 and row["transport"] == "mpi", row
        algorithm = row["bytes"] / row["seconds"]
        bus = algorithm * bus_factor(row["operation"], row["ranks"])
        assert math.isclose(row["algbw_bytes_per_second"], algorithm, rel_tol=1e-9), row
        assert math.isclose(row["busbw_bytes_per_second"], bus, rel_tol=1e-9), row


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(collectives(2, "--format", "csv", "--operations", "send,all-gather"))))
    assert [row["operation"] for row in rows] == ["send"] * 5 + ["all-gather"] * 5, rows


def test_text() -> None:
    text = collectives(2, "--operations", "broadcast", "--graph", "off")
    assert text.count("\nbroadcast, 2 ranks over mpi\n") == 1 and "#wrong" in text, text


def test_markdown() -> None:
    markdown = collectives(2, "--operations", "broadcast", "--format", "markdown")
    assert markdown.count("| 4.00 B |") == 1 and "in a graph" in markdown, markdown


def test_one_rank_is_refused() -> None:
    done = program.alone("collectives", "--backend", "host")
    program.check_refusal(done, 1, "collectives needs 2 ranks or more; this launch has 1. Run: mpirun -np 2 breakeven collectives")


@pytest.mark.parametrize("words, arguments", [
    ("needs the cuda backend and a build with NCCL", ["--transports", "nccl"]),
    ("--operations 'gather' is not one of all, all-reduce", ["--operations", "gather"]),
    ("--gpus 3 needs 3 ranks", ["--gpus", "3"]),
    ("--largest '3B' is not a size", ["--largest", "3B"]),
    ("--transports 'tcp' is not one of auto, nccl, mpi", ["--transports", "tcp"]),
    ("--graph 'maybe' is not one of on, off", ["--graph", "maybe"]),
    ("--format 'xml' is not one of", ["--format", "xml"]),
    ("--timeout must be a positive", ["--timeout", "0"]),
])
def test_refusals(words: str, arguments: list[str]) -> None:
    done = program.run(2, "collectives", "--backend", "host", *arguments)
    assert done.returncode == 1 and words in done.stderr, done.stderr
