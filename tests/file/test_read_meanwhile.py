# SPDX-License-Identifier: Apache-2.0
"""A file can be read while a launch writes into it: the reader sees the complete runs, the writer is not
disturbed by the reader's lock."""
import contextlib
import re

import xarray
from results_file import ResultsFile, while_stopped

RUNS = 60


def test_both_engines_and_the_own_reader(results: ResultsFile) -> None:
    with contextlib.ExitStack() as open_files:  # until the writer has finished
        def open_and_look() -> None:
            for engine in "h5netcdf", "netcdf4":
                data = open_files.enter_context(xarray.open_dataset(results.path, engine=engine))
                assert 3 < int((data.status == 1).sum()) < RUNS, engine
                assert data.seconds[0].sel(phase="step").shape == (2, 20)

        pids = []
        looks = 0
        with results.start(2, "create", 1, RUNS, 20, 5_000) as job:
            for line in job.stdout:
                if line.startswith("rank"):
                    pids.append(int(line.split()[3]))
                if line.strip() == "run 3":
                    while_stopped(pids, open_and_look)
                    looks += 1
                if line.strip() == "run 20":
                    said = while_stopped(pids, results.check)
                    assert int(re.search(r" 0 verified, (\d+) complete", said).group(1)) > 20
                    looks += 1
        assert looks == 2
        assert job.returncode == 0
        assert f"{RUNS} verified" in results.check()
