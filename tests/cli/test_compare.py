# SPDX-License-Identifier: Apache-2.0
"""Two results files against each other: nothing where they are the same, exit code 7 where one is slower."""
import csv
import io
import json
import pathlib
import subprocess

import program
import pytest

GATE = 7


def compare(*arguments: str) -> subprocess.CompletedProcess:
    return program.alone("compare", *arguments)


def measured(folder: pathlib.Path, optimizer: str) -> str:
    results = str(folder / f"{optimizer}.h5")
    program.run_well(1, "run", "--backend", "host", "--batches", "1", "--gpus", "1", "--strategies", "single",
                     "--timing", "steps", "--warmup", "2", "--repeats", "20", "--models", "768-768-768",
                     "--steps", "15", "--optimizer", optimizer, "--output", results)
    return results


@pytest.fixture(scope="module")
def old(folder: pathlib.Path) -> str:
    return measured(folder, "sgd")


@pytest.fixture(scope="module")
def new(folder: pathlib.Path) -> str:
    """Adam moves seven times the memory of plain gradient descent, and the model is all parameters."""
    return measured(folder, "adam")


def test_a_file_against_itself(old: str) -> None:
    done = compare(old, old, "--gate", "5%")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "same machine, program and settings" in done.stdout and "1 case compared: 1 " in done.stdout, done.stdout
    assert "The gate of 5.0 % is met" in done.stdout, done.stdout


def test_a_slower_file_fails_the_gate(old: str, new: str) -> None:
    done = compare(old, new, "--gate", "5%")
    assert done.returncode == GATE, (done.returncode, done.stdout, done.stderr)
    assert done.stdout.index("SLOWER") < done.stdout.index("setting optimizer"), done.stdout
    assert "The gate of 5.0 % is not met" in done.stdout and done.stderr.count("\n") == 1


def test_without_a_gate_nothing_fails(old: str, new: str) -> None:
    assert compare(old, new).returncode == 0


def test_a_faster_file_passes_the_gate(old: str, new: str) -> None:
    assert compare(new, old, "--gate", "5%").returncode == 0


def test_json_and_csv_agree(old: str, new: str) -> None:
    whole = json.loads(compare(old, new, "--format", "json", "--gate", "5%").stdout)
    rows = list(csv.DictReader(io.StringIO(compare(old, new, "--format", "csv").stdout)))
    assert whole["format"] == "breakeven comparison" and whole["version"] == 2 and whole["gate"] == 0.05
    assert len(whole["regressions"]) == 1 and len(rows) == len(whole["cases"]) == 1
    assert rows[0]["change"] == whole["cases"][0]["change"] == "SLOWER"
    assert float(rows[0]["speed_ratio_high"]) == whole["cases"][0]["speed_ratio_high"] < 0.95


def test_markdown(old: str, new: str) -> None:
    markdown = compare(old, new, "--format", "markdown").stdout
    assert markdown.startswith("# breakeven compare") and "| SLOWER |" in markdown, markdown


@pytest.mark.parametrize("code, words, arguments", [
    (1, "two results files", ["OLD"]),
    (1, "--gate '5'", ["OLD", "OLD", "--gate", "5"]),
    (1, "would overwrite", ["OLD", "OLD", "--output", "OLD"]),
    (1, "not one of text", ["OLD", "OLD", "--format", "xml"]),
    (5, "nothing.h5", ["OLD", "nothing.h5"]),
])
def test_refusals(old: str, code: int, words: str, arguments: list[str]) -> None:
    done = compare(*(old if word == "OLD" else word for word in arguments))
    assert done.returncode == code and words in done.stderr and done.stdout == "", done


def test_help() -> None:
    assert "--gate" in compare("--help").stdout
