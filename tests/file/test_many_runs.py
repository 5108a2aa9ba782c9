# SPDX-License-Identifier: Apache-2.0
"""A file of hundreds of runs, with all its scales and attributes, is made by rank 0 alone (made by several
ranks, HDF5 1.10 aborts at the 300th scale), and a launch adds hundreds more."""
import unittest

import h5py
import xarray

from harness import FileTest


class ManyRuns(FileTest):
    def test_twice_three_hundred(self):
        self.write(2, "create", 1, 300, 4)
        self.write(2, "append", 2, 300, 4)
        self.assertIn("600 verified, 0 complete, 0 planned", self.check())
        for engine in "h5netcdf", "netcdf4":
            data = xarray.load_dataset(self.path, engine=engine)
            self.assertEqual(data.sizes["run"], 600, engine)
            self.assertEqual(data.indexes["run"].nunique(), 600, engine)

    def test_every_axis_has_its_scale(self):
        self.write(1, "create", 1, 300, 4)
        attached = 0
        with h5py.File(self.path) as file:
            for name, dataset in file.items():
                if h5py.h5ds.is_scale(dataset.id):
                    continue
                for axis in dataset.dims:
                    self.assertEqual(len(axis), 1, name)
                    attached += 1
        self.assertGreater(attached, 100)


if __name__ == "__main__":
    unittest.main()
