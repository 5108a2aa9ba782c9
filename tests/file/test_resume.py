# SPDX-License-Identifier: Apache-2.0
"""A launch that resumes an interrupted one measures what is left, and changes nothing that is there."""
import os
import signal
import subprocess
import unittest

import h5py
import numpy

from harness import FORMULA_RUNS, MPIRUN, FileTest


class Resume(FileTest):
    def numbers(self):
        with h5py.File(self.path) as file:
            return {name: file[name][...] for name in ("seconds", "checksum", "status", "launch_index", "run")}

    def test_the_rest_of_half(self):
        self.write(2, "half", 1, 9, 10)
        before = self.numbers()
        self.assertEqual(list(before["status"]), [2] * 4 + [0] * 5)
        self.write(2, "resume", 1, 9, 10)
        self.assertIn("9 verified, 0 complete, 0 planned", self.check())
        after = self.numbers()
        self.assertEqual(list(after["launch_index"]), [0] * 4 + [1] * 5)
        self.assertEqual(list(after["run"]), list(before["run"]))
        numpy.testing.assert_array_equal(after["seconds"][:4], before["seconds"][:4])

    def test_behind_another_launch(self):
        self.write(1, "create", 7, 3, 4)
        self.write(2, "half", 1, 6, 5)
        self.assertIn("6 verified, 0 complete, 3 planned", self.check())
        self.write(2, "resume", 1, 6, 5)
        self.assertIn("9 verified, 0 complete, 0 planned", self.check())

    def test_to_nothing_makes_a_file(self):
        self.write(2, "resume", 1, 3, 4)
        self.assertIn("3 verified", self.check())

    def test_after_a_kill_in_the_middle_of_a_run(self):
        job = subprocess.Popen([*MPIRUN, "-np", "2", FORMULA_RUNS, "create", self.path, "3", "40", "10", "50000"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        pids = []
        for line in job.stdout:
            if " pid " in line:
                pids.append(int(line.split()[-1]))
            if line == "run 5\n":
                break
        os.kill(pids[-1], signal.SIGKILL)
        job.communicate(timeout=60)
        done = numpy.count_nonzero(self.numbers()["status"])
        self.assertTrue(6 <= done < 40, done)
        self.write(2, "resume", 3, 40, 10)
        self.assertIn(f"{40 - done} verified, {done} complete, 0 planned", self.check())

    def test_another_plan_is_refused(self):
        self.write(2, "half", 1, 9, 10)
        for other, reason in (((1, 9, 11), "its run 0 is"), ((1, 12, 10), "it has 9 runs and this plan 12")):
            done = self.mpirun(2, "resume", self.path, *other)
            self.assert_refused(done, f"--resume: {self.path}", "holds another plan", reason)
        self.assertIn("4 verified, 0 complete, 5 planned", self.check())


if __name__ == "__main__":
    unittest.main()
