# SPDX-License-Identifier: Apache-2.0
"""A file can be read while a launch writes into it: the reader sees the complete runs, the writer is not
disturbed by the reader's lock."""
import re
import subprocess
import unittest

import xarray

from harness import FORMULA_RUNS, MPIRUN, FileTest

RUNS = 60


class ReadMeanwhile(FileTest):
    def open_and_look(self, engine):
        data = xarray.open_dataset(self.path, engine=engine)
        complete = int((data.status == 1).sum())
        self.assertTrue(3 < complete <= RUNS, complete)
        self.assertEqual(data.seconds[0].sel(phase="step").shape, (2, 20))
        return data

    def test_both_engines_and_the_own_reader(self):
        command = [*MPIRUN, "-np", 2, FORMULA_RUNS, "create", self.path, 1, RUNS, 20, 20_000]
        held_open = []
        self.addCleanup(lambda: [data.close() for data in held_open])
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as job:
            for line in job.stdout:
                if line.strip() == "run 3":
                    held_open += [self.open_and_look(engine) for engine in ("h5netcdf", "netcdf4")]
                if line.strip() == "run 20":  # a process that has the file open already would not see this one
                    complete = int(re.search(r"0 verified, (\d+) complete", self.check()).group(1))
                    self.assertGreater(complete, 20)
            job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0)
        self.assertEqual(len(held_open), 2)
        self.assertIn(f"{RUNS} verified", self.check())


if __name__ == "__main__":
    unittest.main()
