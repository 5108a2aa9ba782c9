# SPDX-License-Identifier: Apache-2.0
"""Damaged files, other files, impossible places: one sentence and exit code 5, never a wrong number."""
import os
import unittest

import h5py

from harness import FILE_FAILURE, FORMULA_RUNS, FileTest, run


class Damage(FileTest):
    def check_fails(self, *words):
        self.assert_refused(run([FORMULA_RUNS, "check", self.path]), *words)

    def test_close_finds_a_changed_bit(self):
        done = self.mpirun(3, "damage", self.path, 1, 5, 6)
        self.assertEqual(done.returncode, FILE_FAILURE, done.stdout)
        self.assert_refused(done, f"{self.path}: run 0 does not hold what rank 0 wrote")
        with h5py.File(self.path) as file:
            self.assertEqual(list(file["status"][:]), [1, 2, 2, 2, 2])
        self.check_fails("run 0", "is damaged", "rank 0")

    def test_a_changed_number_is_found_by_the_reader(self):
        self.write(2, "create", 1, 5, 6)
        with h5py.File(self.path, "r+") as file:
            file["power_watts"][2, 0] += 1e-9
        self.check_fails("run 2", "is damaged", "rank 0")

    def test_a_truncated_file(self):
        self.write(2, "create", 1, 5, 6)
        os.truncate(self.path, os.path.getsize(self.path) // 2)
        self.check_fails("truncated file", self.path)

    def test_no_hdf5(self):
        with open(self.path, "w") as file:
            file.write("seconds\n1.5\n" * 100)
        self.check_fails(f"{self.path} is not an HDF5 file")

    def test_no_file(self):
        self.check_fails(f"{self.path}: No such file or directory")

    def test_another_format(self):
        self.write(1, "create", 1, 1, 1)
        with h5py.File(self.path, "r+") as file:
            file.attrs["Conventions"] = "CF-1.8"
        self.check_fails("not a results file of breakeven")
        with h5py.File(self.path, "r+") as file:
            del file.attrs["Conventions"]
            file.attrs.create("Conventions", b"breakeven-results-9", dtype="S19")
        self.check_fails("breakeven-results-9", "breakeven-results-1")

    def test_claims_that_do_not_fit(self):
        for name, value, words in (("gpus", 9, "9 ranks"), ("steps", 77, "77 steps"), ("launch_index", 3, "launch"),
                                   ("status", 7, "status"), ("ranks", 5, "5 ranks")):
            with self.subTest(name=name):
                path = f"{self.path}.{name}"
                self.write(2, "create", 1, 2, 3, path)
                with h5py.File(path, "r+") as file:
                    file[name][0] = value
                self.assert_refused(run([FORMULA_RUNS, "check", path]), words)

    def test_no_folder(self):
        path = os.path.join(self.folder, "no", "results.h5")
        done = self.mpirun(2, "create", path, 1, 1, 1)
        self.assertEqual(done.returncode, FILE_FAILURE, done.stdout)
        self.assert_refused(done, f"the folder of {path} does not exist")

    def test_a_folder_of_the_name(self):
        done = self.mpirun(2, "create", self.folder, 1, 1, 1)
        self.assert_refused(done, f"{self.folder} is a folder")


if __name__ == "__main__":
    unittest.main()
