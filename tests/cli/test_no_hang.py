# SPDX-License-Identifier: Apache-2.0
"""A launch in which a rank is stopped, killed or stuck ends soon, names that rank, keeps finished runs and leaves nothing.

One launch of some faults and stages; with BREAKEVEN_TRIALS=N, N launches of each."""
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from faulty_jobs import GRACE, ON_GPUS, STAGES, TIME_LIMIT, Ended, Job, Stage, device_options, harmed
from held_ranks import finished_runs
from trials import FACTOR, SEED, record

TIMEOUT = 4  # the exit code
IS_WHOLE = FACTOR > 1
STOP_STAGES = list(STAGES) if IS_WHOLE else ["before MPI_Init", "closing the file", "after MPI_Finalize"]
KILL_STAGES = list(STAGES) if IS_WHOLE else ["any moment"]
STUCK_STAGES = ["measuring", "flushing the file"] if IS_WHOLE else ["measuring"]
AT_ONCE = 1 if ON_GPUS else 3  # launches; they wait for most of their time. One GPU's memory is compared for one launch.


@pytest.fixture(scope="module")
def library(folder: pathlib.Path) -> pathlib.Path:
    device_options()  # skips all without a GPU
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    built = folder / "stall.so"
    source = pathlib.Path(__file__).parent.parent / "support" / "stall.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", built, source], check=True)
    return built


@pytest.fixture(scope="module")
def ended(folder: pathlib.Path, library: pathlib.Path) -> dict[tuple[str, str], list[Ended]]:
    """By fault and stage. Several launches run at the same time."""
    kinds = [("stopped", stage) for stage in STOP_STAGES] + [("killed", stage) for stage in KILL_STAGES]
    kinds += [(how, stage) for how in ("asleep", "uninterruptible") for stage in STUCK_STAGES]
    asked = [kind for kind in kinds for _ in range(FACTOR)]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda job: harmed(folder, library, job[1][1], job[1][0], random.Random(1000 * SEED + job[0])),
                             enumerate(asked)))
    return {kind: [one for name, one in zip(asked, done, strict=True) if name == kind] for kind in kinds}


def wrong_after_stop(ended: Ended) -> str:
    """What is wrong about the end of a launch of which one rank was stopped, or ""."""
    named = re.findall(r"^\[rank (\d) .*no answer within", ended.stderr, re.MULTILINE)
    if ended.code != TIMEOUT:
        return f"exit code {ended.code}"
    if named != [str(ended.victim)]:
        return f"names ranks {named}, not {ended.victim} alone"
    return f"left: {ended.left}" if ended.left else ""


def wrong_after_kill(ended: Ended) -> str:
    if not ended.code:
        return f"exit code {ended.code}"
    return f"left: {ended.left}" if ended.left else ""


def check(fault: str, stage: str, ended: list[Ended], limit_seconds: float, wrong_about) -> None:
    wrong = [f"{problem}\n{one.stderr}" for one in ended if (problem := wrong_about(one))]
    hung = [one for one in ended if not one.seconds <= limit_seconds]
    lost = sum(one.lost > 0 for one in ended)
    record(fault, stage, len(ended), max(one.seconds for one in ended), hung=len(hung), wrong=len(wrong), lost=lost)
    assert not hung and not wrong and not lost, (
        [one.seconds for one in hung], wrong, [(one.before, one.after) for one in ended])


@pytest.mark.parametrize("stage", STOP_STAGES)
def test_a_stopped_rank_ends_the_job_and_is_named(ended: dict[tuple[str, str], list[Ended]], stage: str) -> None:
    check("a rank is stopped", stage, ended["stopped", stage], TIME_LIMIT + GRACE, wrong_after_stop)


@pytest.mark.parametrize("stage", KILL_STAGES)
def test_a_killed_rank_ends_the_job(ended: dict[tuple[str, str], list[Ended]], stage: str) -> None:
    check("a rank is killed", stage, ended["killed", stage], GRACE, wrong_after_kill)


@pytest.mark.parametrize("stage", STUCK_STAGES)
@pytest.mark.parametrize("how", ["asleep", "uninterruptible"])
def test_a_stuck_file_system_ends_the_job(ended: dict[tuple[str, str], list[Ended]], how: str, stage: str) -> None:
    check(f"the file system of a rank is stuck, {how}", stage, ended[how, stage], TIME_LIMIT + GRACE, wrong_after_stop)


def test_no_file_is_made_for_a_moment(folder: pathlib.Path, library: pathlib.Path) -> None:
    """Beside the results file; it would stay if a rank were killed in that moment."""
    job = Job(folder, repeats=1, time_limit=100, environment=Stage("unlink").environment("killed", 1, library))
    assert job.process.wait(timeout=120) == 0, job.texts()


def test_a_killed_launcher_leaves_nothing(folder: pathlib.Path) -> None:
    done = []
    for _ in range(FACTOR):
        job = Job(folder, repeats=1000, time_limit=100)
        assert job.wait_until(lambda job=job: job.ranks() is not None and job.said("run 1 of")), job.texts()
        assert job.wait_until(lambda job=job: finished_runs(job.output) > 0), job.texts()
        before = finished_runs(job.output)
        job.process.kill()
        done.append(job.end(0, before))
    check("the launcher is killed", "measuring", done, GRACE, wrong_after_kill)


def test_a_pause_is_measured_again(folder: pathlib.Path) -> None:
    """A short stop of one rank is no hang, and no run of the file contains it."""
    pause_seconds = 1.5
    # One run of three seconds and more, so that the stop comes in the middle of it.
    job = Job(folder, "--timing", "phases", "--gpus", "2", "--settle", "1s", "--seconds", "3s", repeats=1, time_limit=100)
    assert job.wait_until(lambda: job.said("run 1 of")), job.texts()
    time.sleep(0.3)
    ranks = job.ranks()
    os.kill(ranks[1], signal.SIGSTOP)
    with pytest.raises(subprocess.TimeoutExpired):
        job.process.wait(timeout=pause_seconds)
    os.kill(ranks[1], signal.SIGCONT)
    assert job.process.wait(timeout=120) == 0, job.texts()
    again = re.findall(r"run \d+ was suspended and is measured again|machine is measured again", job.texts())
    assert len(again) == 1, job.texts()
    with h5py.File(job.output) as file:
        longest = np.nanmax(file["host_seconds"][...])
    assert longest < pause_seconds


def test_a_suspended_job_is_no_hang(folder: pathlib.Path) -> None:
    job = Job(folder, repeats=8)
    assert job.wait_until(lambda: job.said("run 1 of")), job.texts()
    for pid in job.ranks():
        os.kill(pid, signal.SIGTSTP)
    with pytest.raises(subprocess.TimeoutExpired):
        job.process.wait(timeout=TIME_LIMIT + 4)
    for pid in job.ranks():
        os.kill(pid, signal.SIGCONT)
    assert job.process.wait(timeout=60) == 0, job.texts()
