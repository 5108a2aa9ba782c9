# SPDX-License-Identifier: Apache-2.0
"""One rank is killed at a random moment: the file opens, every complete run is in it to the bit, and NaN
stands for the rest."""
import os
import random
import signal
import subprocess
import time
import unittest

import numpy
import xarray

from harness import FORMULA_RUNS, MPIRUN, FileTest

RANKS = 3
RUNS = 100
KILLS = 10
PAUSE_US = 500  # so that no job is finished before it is killed


class Kill(FileTest):
    def start(self, path):
        command = [*MPIRUN, "-np", RANKS, FORMULA_RUNS, "create", path, 1, RUNS, 50, PAUSE_US]
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True)

    def kill_one(self, path, rank, run, after_seconds):
        """Kills one rank, some time after a run was finished."""
        with self.start(path) as job:
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
        self.assertNotEqual(job.returncode, 0)

    def complete_runs(self, path):
        """Their number; no other run holds numbers, but for one that may have been written in part."""
        for engine in "h5netcdf", "netcdf4":
            data = xarray.load_dataset(path, engine=engine)
            self.assertEqual(data.sizes["run"], RUNS)
            finished = data.status.values > 0
            self.assertEqual(list(finished), sorted(finished, reverse=True))  # runs are written in order
            self.assertTrue(numpy.isnan(data.seconds.values[finished.sum() + 1:]).all())
        return int(finished.sum())

    def test_killed_at_random_moments(self):
        moments = random.Random(20260102)
        for attempt in range(KILLS):
            path = f"{self.path}.{attempt}"
            run = moments.randrange(60)
            self.kill_one(path, moments.randrange(RANKS), run, moments.uniform(0, 0.005))
            said = self.check(path)
            found = self.complete_runs(path)
            self.assertIn(f"0 verified, {found} complete, {RUNS - found} planned", said)
            self.assertTrue(run < found, (run, found))
            print(f"killed after run {run}: {found} runs complete")

    def test_killed_while_the_file_is_made(self):
        """A file of the name is whole, whenever it is there."""
        moments = random.Random(20260103)
        there = 0
        for attempt in range(KILLS):
            path = f"{self.path}.{attempt}"
            with self.start(path) as job:
                line = next(line for line in job.stdout if line.startswith("rank 0"))
                time.sleep(moments.uniform(0, 0.1))
                os.kill(int(line.split()[3]), signal.SIGKILL)
                job.communicate(timeout=60)
            if os.path.exists(path):
                there += 1
                self.check(path)
        print(f"{there} of {KILLS} files were made before the kill")


if __name__ == "__main__":
    unittest.main()
