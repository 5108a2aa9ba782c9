# SPDX-License-Identifier: Apache-2.0
"""What all ranks write is what the reader gives back: every label, and every number to the bit."""
import unittest

from harness import FileTest


class RoundTrip(FileTest):
    def test_any_number_of_ranks(self):
        for ranks in 1, 2, 3, 4:
            with self.subTest(ranks=ranks):
                path = f"{self.path}.{ranks}"
                self.write(ranks, "create", ranks, 13, 11, path)
                self.assertIn("13 verified, 0 complete, 0 planned", self.check(path))

    def test_one_run_of_one_step(self):
        self.write(2, "create", 1, 1, 1)
        self.assertIn("1 verified, 0 complete, 0 planned", self.check())

    def test_more_steps_than_a_chunk_holds(self):
        self.write(2, "create", 1, 2, 9001)
        self.assertIn("2 verified", self.check())

    def test_more_runs_than_a_chunk_holds(self):
        self.write(2, "create", 1, 130, 2)
        self.assertIn("130 verified", self.check())

    def test_an_interrupted_launch(self):
        self.write(3, "half", 1, 12, 6)
        self.assertIn("6 verified, 0 complete, 6 planned", self.check())
        self.write(2, "append", 2, 3, 4)
        self.assertIn("9 verified, 0 complete, 6 planned", self.check())

    def test_a_launch_without_runs(self):
        self.write(2, "create", 1, 0, 1)
        self.assertIn("0 verified, 0 complete, 0 planned", self.check())


if __name__ == "__main__":
    unittest.main()
