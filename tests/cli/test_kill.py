# SPDX-License-Identifier: Apache-2.0
"""A rank killed in the middle ends the job within seconds; every finished run is in the file, which opens."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy
import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402
from held_ranks import finished_runs, rank_processes  # noqa: E402

ENOUGH_RUNS = 6


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        output = pathlib.Path(name) / "killed.h5"
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
        killed_at = time.monotonic()
        os.kill(victims[-1], signal.SIGKILL)
        _, stderr = job.communicate(timeout=20)
        print(f"ended {time.monotonic() - killed_at:.1f} s after the kill with {job.returncode}")
        assert job.returncode != 0
        assert re.search(r"rank [01]", stderr), stderr

        with xarray.open_dataset(output, engine="h5netcdf") as dataset:
            dataset.load()
        done = dataset.status.values > 0
        assert done.sum() >= ENOUGH_RUNS and not done.all()
        steps = dataset.seconds.sel(phase="step").values
        for run in numpy.flatnonzero(done):
            assert (steps[run, : int(dataset.gpus[run])] > 0).all(), run
        # At most one run was under way; of it there may be the living rank's numbers.
        touched = numpy.isfinite(steps).any(axis=(1, 2)) & ~done
        assert touched.sum() <= 1, numpy.flatnonzero(touched)


if __name__ == "__main__":
    main()
