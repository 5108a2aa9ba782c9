# SPDX-License-Identifier: Apache-2.0
"""If a rank is killed, the job ends within seconds; the file opens and has every finished run."""
import os
import pathlib
import re
import signal
import subprocess
import time

import numpy
import program
import pytest
import xarray
from held_ranks import finished_runs, rank_processes

ENOUGH_RUNS = 6


@pytest.fixture(scope="module")
def killed(folder: pathlib.Path) -> tuple[int, str]:
    """Exit code and errors of a job in which one rank is killed; its file is killed.h5."""
    output = folder / "killed.h5"
    job = subprocess.Popen(
        program.command(
            2, "run", "--backend", "host", "--models", "medium-50", "--batches", "16", "--warmup", "2", "--steps",
            "50", "--repeats", "1000", "--output", str(output)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 40
    while finished_runs(output) < ENOUGH_RUNS:
        assert job.poll() is None, job.communicate()
        assert time.monotonic() < deadline, "no run has finished"
        time.sleep(0.2)
    victims = rank_processes(str(output))
    assert len(victims) == 2, victims
    os.kill(victims[-1], signal.SIGKILL)
    _, stderr = job.communicate(timeout=20)
    return job.returncode, stderr


@pytest.fixture(scope="module")
def data(killed: tuple[int, str], folder: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(folder / "killed.h5")


def test_the_job_fails_and_names_the_rank(killed: tuple[int, str]) -> None:
    code, stderr = killed
    assert code != 0
    assert re.search(r"rank [01]", stderr), stderr


def test_finished_runs_are_complete(data: xarray.Dataset) -> None:
    done = data.status.values > 0
    assert done.sum() >= ENOUGH_RUNS and not done.all()
    steps = data.seconds.sel(phase="step").values
    for run in numpy.flatnonzero(done):
        assert (steps[run, : int(data.gpus[run])] > 0).all(), run


def test_other_runs_are_empty(data: xarray.Dataset) -> None:
    """At most one run was in progress; it may have values of the surviving rank."""
    steps = data.seconds.sel(phase="step").values
    touched = numpy.isfinite(steps).any(axis=(1, 2)) & ~(data.status.values > 0)
    assert touched.sum() <= 1, numpy.flatnonzero(touched)
