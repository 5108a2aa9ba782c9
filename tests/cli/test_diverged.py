# SPDX-License-Identifier: Apache-2.0
"""If training diverges, `run` records everything, prints a sentence and ends with exit code 3."""
import csv
import io
import pathlib
import re
import subprocess

import program
import pytest

RUN = ["run", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--gpus", "1,all", "--warmup", "2",
       "--steps", "5", "--repeats", "1", "--timing", "steps"]


@pytest.fixture(scope="module")
def diverged(folder: pathlib.Path) -> subprocess.CompletedProcess:
    return program.run(2, *RUN, "--learning-rate", "1e38", "--output", str(folder / "lost.h5"))


def test_exit_code_and_sentence(diverged: subprocess.CompletedProcess) -> None:
    assert diverged.returncode == 3, diverged
    assert "in 3 cases a loss is not a number: the training failed (first: " in diverged.stderr, diverged.stderr


def test_the_report_warns(diverged: subprocess.CompletedProcess, folder: pathlib.Path) -> None:
    report = program.said("report", "--sections", "all", str(folder / "lost.h5"))
    text = " ".join(report.split())
    assert "In 3 of 3 cases a loss is not a number: the training failed. They have no speed" in text, report
    assert "8-16-4 b8 2x ddp fp32 openblas mpi graph total" in text, report


@pytest.mark.parametrize("command", (["report", "--format", "json"], ["advise", "--format", "json"],
                                     ["predict", "--format", "json"], ["report", "--format", "csv"]), ids=" ".join)
def test_no_answer_has_a_speed(command: list[str], diverged: subprocess.CompletedProcess,
                               folder: pathlib.Path) -> None:
    said = program.alone(command[0], str(folder / "lost.h5"), *command[1:]).stdout
    speeds = re.findall(r'"(?:step_seconds|samples_per_second|speedup)": (?!null)([^,}\n]+)', said)
    assert not speeds, said
    if command[-1] == "csv":
        rows = list(csv.DictReader(io.StringIO(said)))
        assert rows and not any(row["step_seconds"] or row["samples_per_second"] for row in rows), said


def test_training_that_converges_ends_well(tmp_path: pathlib.Path) -> None:
    program.run_well(2, *RUN, "--output", str(tmp_path / "kept.h5"))


def test_no_gate_holds_over_it(diverged: subprocess.CompletedProcess, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Whichever of the two files has it."""
    lost, kept = str(folder / "lost.h5"), str(tmp_path / "kept.h5")
    program.run_well(2, *RUN, "--output", kept)
    for pair in ((kept, lost), (lost, kept)):
        done = program.alone("compare", *pair, "--gate", "5%")
        assert done.returncode == 3 and "a loss is not a number" in done.stderr, done
        assert "3 cases compared: 3 NOT MEASURED." in done.stdout and "holds" not in done.stdout, done.stdout
