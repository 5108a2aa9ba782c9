# SPDX-License-Identifier: Apache-2.0
"""Open MPI 4.1 damages small files unless it is guarded (docs/results-file.md, traps). The writer's files are
whole; the same files written without its guards are not, and the reader says so."""
import glob
import sys
import unittest

from harness import FORMULA_RUNS, UNGUARDED_RUNS, FileTest, run

FILES = 50
# Which aggregator writes what follows from where the numbers stand in the file, hence several sizes; and it is a
# race, hence several files.
SIZES = [dict(ranks=3, steps=13), dict(ranks=4, steps=11), dict(ranks=4, steps=13)]


class Sieving(FileTest):
    def unguarded(self, flags=()):
        """The number of damaged files, as the reader finds them."""
        for size in SIZES:
            path = f"{self.path}.{size['ranks']}.{size['steps']}"
            done = self.mpirun(size["ranks"], path, 1, 4, size["steps"], 10, program=UNGUARDED_RUNS, flags=flags)
            self.assertEqual(done.returncode, 0, done.stdout)
        files = glob.glob(self.path + ".*")
        self.assertEqual(len(files), 10 * len(SIZES))
        last_line = run([FORMULA_RUNS, "check", *files]).stdout.splitlines()[-1]
        return int(last_line.split()[0])

    def test_small_files_are_whole(self):
        for size in SIZES + [dict(ranks=4, steps=30)]:
            with self.subTest(**size):
                path = f"{self.path}.{size['ranks']}.{size['steps']}"
                done = self.mpirun(size["ranks"], "create", path, 1, 2, size["steps"], 0, FILES)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"0 bad of {FILES}", self.check(*glob.glob(path + ".*")))

    def test_without_sieving_even_two_aggregators_do_no_harm(self):
        self.assertEqual(self.unguarded(["--mca", "fbtl_posix_write_datasieving", "0"]), 0)

    def test_the_reader_finds_damage_where_there_are_no_guards(self):
        damaged = self.unguarded()
        print(f"{damaged} of {10 * len(SIZES)} files damaged without guards", file=sys.stderr)
        if damaged == 0:
            self.skipTest("this MPI library does not damage files: the guards are not needed here")


if __name__ == "__main__":
    unittest.main()
