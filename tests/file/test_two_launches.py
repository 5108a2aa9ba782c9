# SPDX-License-Identifier: Apache-2.0
"""Two launches want to add to one file: one does, the other is refused and takes nothing from it. A launch that
was killed is in nobody's way."""
import os
import signal
import subprocess
import unittest

from harness import FILE_FAILURE, FORMULA_RUNS, MPIRUN, FileTest, while_stopped


class TwoLaunches(FileTest):
    def start(self, mode, *arguments):
        command = [*MPIRUN, "-np", 2, FORMULA_RUNS, mode, self.path, *arguments]
        job = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(job.stdout.close)
        return job

    def append_is_refused(self):
        done = self.mpirun(1, "append", self.path, 2, 3, 4)
        self.assertEqual(done.returncode, FILE_FAILURE, done.stdout)
        self.assert_refused(done, f"{self.path} is being written by another launch")

    def test_while_one_writes(self):
        job = self.start("create", 1, 60, 5, 5_000)
        pids = []
        for line in job.stdout:
            if line.startswith("rank"):
                pids.append(int(line.split()[3]))
            if line.strip() == "run 2":
                while_stopped(pids, self.append_is_refused)
        self.assertEqual(job.wait(timeout=60), 0)
        self.assertIn("60 verified, 0 complete, 0 planned", self.check())
        self.write(1, "append", 2, 3, 4)
        self.assertIn("63 verified", self.check())

    def test_at_the_same_time(self):
        self.write(1, "create", 1, 2, 3)
        jobs = [self.start("append", seed, 5, 5, 10_000) for seed in (2, 3, 4)]
        said = [job.communicate(timeout=60)[0] for job in jobs]
        winners = sum(job.returncode == 0 for job in jobs)
        self.assertGreaterEqual(winners, 1, said)
        for job, text in zip(jobs, said):
            self.assertTrue(job.returncode == 0 or "is being written by another launch" in text, text)
        self.assertIn(f"{2 + 5 * winners} verified, 0 complete, 0 planned", self.check())

    def test_after_a_kill(self):
        job = self.start("create", 1, 60, 5, 20_000)
        pids = []
        for line in job.stdout:
            if line.startswith("rank"):
                pids.append(int(line.split()[3]))
            if line.strip() == "run 4":
                os.kill(pids[0], signal.SIGKILL)
        self.assertNotEqual(job.wait(timeout=60), 0)
        self.write(2, "append", 2, 3, 4)
        self.assertIn("3 verified,", self.check())


if __name__ == "__main__":
    unittest.main()
