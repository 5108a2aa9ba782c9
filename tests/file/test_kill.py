# SPDX-License-Identifier: Apache-2.0
"""One rank is killed at a random moment: the file opens, every complete run is in it to the bit, and NaN
stands for the rest."""
import os
import random
import signal
import subprocess
import time

import numpy
import pytest
import xarray
from results_file import ResultsFile
from trials import FACTOR, SEED, recorded

RANKS = 3
RUNS = 100
KILLS = 10 * FACTOR
PAUSE_US = 500  # so that no job is finished before it is killed


def start(results: ResultsFile) -> subprocess.Popen:
    return results.start(RANKS, "create", 1, RUNS, 50, PAUSE_US, stderr=subprocess.DEVNULL)


def kill_one(results: ResultsFile, rank: int, run: int, after_seconds: float) -> None:
    """Kills one rank, some time after a run was finished."""
    with start(results) as job:
        pids = {}
        for line in job.stdout:
            words = line.split()
            if words[0] == "rank":
                pids[int(words[1])] = int(words[3])
            if words == ["run", str(run)]:
                break
        time.sleep(after_seconds)
        os.kill(pids[rank], signal.SIGKILL)
        job.communicate(timeout=60)
    assert job.returncode != 0


def complete_runs(results: ResultsFile, engine: str) -> int:
    """Their number; no other run holds numbers, but for one that may have been written in part."""
    data = xarray.load_dataset(results.path, engine=engine)
    assert data.sizes["run"] == RUNS
    finished = data.status.values > 0
    assert list(finished) == sorted(finished, reverse=True)  # runs are written in order
    assert numpy.isnan(data.seconds.values[finished.sum() + 1:]).all()
    return int(finished.sum())


@pytest.mark.parametrize("kill", range(KILLS))
def test_killed_at_a_random_moment(results: ResultsFile, kill: int) -> None:
    moment = random.Random(f"measuring {SEED} {kill}")
    run = moment.randrange(60)
    with recorded("a rank is killed", "writing runs as fast as it can"):
        kill_one(results, moment.randrange(RANKS), run, moment.uniform(0, 0.005))
        said = results.check()
        found = complete_runs(results, "netcdf4")
        assert kill > 0 or complete_runs(results, "h5netcdf") == found  # seconds, where the other takes a fraction of one
        assert f"0 verified, {found} complete, {RUNS - found} planned" in said
        assert run < found


@pytest.mark.parametrize("kill", range(KILLS))
def test_killed_while_the_file_is_made(results: ResultsFile, kill: int) -> None:
    """A file of the name is whole, whenever it is there."""
    with recorded("a rank is killed", "creating the file"):
        with start(results) as job:
            line = next(line for line in job.stdout if line.startswith("rank 0"))
            time.sleep(random.Random(f"creating {SEED} {kill}").uniform(0, 0.1))
            os.kill(int(line.split()[3]), signal.SIGKILL)
            job.communicate(timeout=60)
        if results.path.exists():
            results.check()
