# SPDX-License-Identifier: Apache-2.0
"""If training diverges, `run` records everything, prints a sentence and ends with exit code 3."""
import pathlib
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
    assert "the loss of the last step is not a number in 3 runs" in diverged.stderr, diverged.stderr


def test_the_report_warns(diverged: subprocess.CompletedProcess, folder: pathlib.Path) -> None:
    report = program.said("report", str(folder / "lost.h5"))
    assert "In 3 of 3 runs the loss of the last step is not a number" in " ".join(report.split()), report


def test_training_that_converges_ends_well(tmp_path: pathlib.Path) -> None:
    program.run_well(2, *RUN, "--output", str(tmp_path / "kept.h5"))
