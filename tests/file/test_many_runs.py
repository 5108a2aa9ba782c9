# SPDX-License-Identifier: Apache-2.0
"""A file of hundreds of runs, with all its scales and attributes, is made by rank 0 alone (made by several
ranks, HDF5 1.10 aborts at the 300th scale), and a launch adds hundreds more."""
import h5py
import pytest
import xarray
from results_file import ResultsFile


@pytest.fixture(scope="module")
def twice(folder) -> ResultsFile:
    results = ResultsFile(folder / "results.h5")
    results.write(2, "create", 1, 300, 4)
    results.write(2, "append", 2, 300, 4)
    return results


def test_twice_three_hundred(twice: ResultsFile) -> None:
    assert "600 verified, 0 complete, 0 planned" in twice.check()


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_twice_three_hundred_in_xarray(twice: ResultsFile, engine: str) -> None:
    data = xarray.load_dataset(twice.path, engine=engine)
    assert data.sizes["run"] == 600
    assert data.indexes["run"].nunique() == 600


def test_every_axis_has_its_scale(results: ResultsFile) -> None:
    results.write(1, "create", 1, 300, 4)
    attached = 0
    with h5py.File(results.path) as file:
        for name, dataset in file.items():
            if h5py.h5ds.is_scale(dataset.id):
                continue
            for axis in dataset.dims:
                assert len(axis) == 1, name
                attached += 1
    assert attached > 100
