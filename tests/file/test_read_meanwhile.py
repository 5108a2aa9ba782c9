# SPDX-License-Identifier: Apache-2.0
"""A file can be read while a launch writes into it: the reader sees the complete runs, the writer is not
disturbed by the reader's lock."""
import re
import subprocess
import unittest

import xarray

from harness import FORMULA_RUNS, MPIRUN, FileTest, while_stopped

RUNS = 60


class ReadMeanwhile(FileTest):
    def open_and_look(self, engine):
        data = xarray.open_dataset(self.path, engine=engine)
        self.addCleanup(data.close)  # it stays open until the writer has finished
        self.assertTrue(3 < int((data.status == 1).sum()) < RUNS, engine)
        self.assertEqual(data.seconds[0].sel(phase="step").shape, (2, 20))

    def test_both_engines_and_the_own_reader(self):
        command = [*MPIRUN, "-np", 2, FORMULA_RUNS, "create", self.path, 1, RUNS, 20, 5_000]
        pids = []
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as job:
            for line in job.stdout:
                if line.startswith("rank"):
                    pids.append(int(line.split()[3]))
                if line.strip() == "run 3":
                    while_stopped(pids, lambda: [self.open_and_look(name) for name in ("h5netcdf", "netcdf4")])
                if line.strip() == "run 20":
                    said = while_stopped(pids, self.check)
                    self.assertGreater(int(re.search(r" 0 verified, (\d+) complete", said).group(1)), 20)
        self.assertEqual(job.returncode, 0)
        self.assertIn(f"{RUNS} verified", self.check())


if __name__ == "__main__":
    unittest.main()
