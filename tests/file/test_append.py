# SPDX-License-Identifier: Apache-2.0
"""--append adds a launch of any size to a file and harms nothing that is there; without it no file is
overwritten."""
import hashlib
import os
import unittest

import h5py

from harness import FileTest


class Append(FileTest):
    def digest(self):
        with open(self.path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def test_more_and_longer_then_fewer_and_shorter(self):
        self.write(2, "create", 1, 7, 10)
        self.write(4, "append", 2, 5, 25)
        self.assertIn("12 verified", self.check())
        self.write(1, "append", 3, 70, 3)
        self.assertIn("82 verified, 0 complete, 0 planned", self.check())
        with h5py.File(self.path) as file:
            self.assertEqual(file["seconds"].shape, (82, 4, 25, 10))
            self.assertEqual(list(file["launch_index"][:]), [0] * 7 + [1] * 5 + [2] * 70)
            self.assertEqual(list(file["ranks"][:]), [2, 4, 1])
            self.assertEqual(len(set(file["run"][:])), 82)

    def test_to_nothing_makes_a_file(self):
        self.write(2, "append", 1, 3, 4)
        self.assertIn("3 verified", self.check())

    def test_through_a_link(self):
        self.write(1, "create", 1, 2, 2)
        link = os.path.join(self.folder, "link.h5")
        os.symlink("results.h5", link)
        self.write(1, "append", 2, 2, 2, link)
        self.assertTrue(os.path.islink(link))
        self.assertIn("4 verified", self.check())

    def test_create_does_not_overwrite(self):
        self.write(1, "create", 1, 2, 2)
        before = self.digest()
        done = self.mpirun(2, "create", self.path, 2, 3, 4)
        self.assert_refused(done, f"{self.path} exists: pass --append to add a launch, --resume to finish one, or another "
                           "--output")
        self.assertEqual(self.digest(), before)

    def test_other_files_are_left_alone(self):
        with h5py.File(self.path, "w") as file:
            file["numbers"] = range(5)
        before = self.digest()
        self.assert_refused(self.mpirun(2, "append", self.path, 1, 1, 1), self.path, "not a results file")
        self.assertEqual(self.digest(), before)
        self.assertEqual(os.listdir(self.folder), ["results.h5"])


if __name__ == "__main__":
    unittest.main()
