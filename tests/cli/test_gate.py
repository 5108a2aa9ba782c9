# SPDX-License-Identifier: Apache-2.0
"""Two files whose steps have known times, so that no noise decides: one is slower than the other by a half."""
import csv
import io
import json
import pathlib

import program
import pytest
from wrapping import STEP, script, wrap

REGRESSION = 7
TRAINER = """import sys
for step in range(80): print(f"step {step}: {SECONDS * (1 + 1e-4 * (step % 7)):.12f} s", flush=True)
"""


def measured(folder: pathlib.Path, seconds: float) -> str:
    folder.mkdir()
    trainer = script(folder, TRAINER.replace("SECONDS", str(seconds)))
    wrap(folder, "--gpus", "1", "--batches", "1", "--launches", "3", "--step-seconds", STEP, "--", *trainer)
    return str(folder / "mine.h5")


@pytest.fixture(scope="module")
def old(folder: pathlib.Path) -> str:
    return measured(folder / "old", 1e-6)


@pytest.fixture(scope="module")
def slower(folder: pathlib.Path) -> str:
    return measured(folder / "slower", 1.5e-6)


def test_a_slower_file_fails_the_gate(old: str, slower: str) -> None:
    done = program.alone("compare", old, slower, "--gate", "5%")
    assert done.returncode == REGRESSION, (done.returncode, done.stdout, done.stderr)
    assert "SLOWER" in done.stdout and "The gate of 5.0 % fails: 1 of 1 cases" in done.stdout, done.stdout
    assert done.stderr.count("\n") == 1


def test_without_a_gate_nothing_fails(old: str, slower: str) -> None:
    assert program.alone("compare", old, slower).returncode == 0


def test_a_faster_file_passes_the_gate(old: str, slower: str) -> None:
    assert program.alone("compare", slower, old, "--gate", "5%").returncode == 0


def test_json_and_csv_agree(old: str, slower: str) -> None:
    whole = json.loads(program.alone("compare", old, slower, "--format", "json", "--gate", "5%").stdout)
    rows = list(csv.DictReader(io.StringIO(program.said("compare", old, slower, "--format", "csv"))))
    assert whole["format"] == "breakeven comparison" and whole["version"] == 3 and whole["gate"] == 0.05
    assert len(whole["regressions"]) == 1 and len(rows) == len(whole["cases"]) == 1
    assert rows[0]["change"] == whole["cases"][0]["change"] == "SLOWER"
    assert float(rows[0]["speed_ratio_high"]) == whole["cases"][0]["speed_ratio_high"] == pytest.approx(2 / 3, 1e-3)


def test_markdown(old: str, slower: str) -> None:
    markdown = program.said("compare", old, slower, "--format", "markdown")
    assert markdown.startswith("# breakeven compare") and "| SLOWER |" in markdown, markdown
