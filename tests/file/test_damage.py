# SPDX-License-Identifier: Apache-2.0
"""Damaged files, other files, impossible places: one sentence and exit code 5, never a wrong number."""
import os

import h5py
import numpy as np
import pytest
from results_file import FILE_FAILURE, ResultsFile, check_refused


def test_close_finds_a_changed_bit(results: ResultsFile) -> None:
    done = results.try_to_write(3, "damage", 1, 5, 6)
    assert done.returncode == FILE_FAILURE, done.stdout
    check_refused(done, f"{results.path}: run 0 does not hold what rank 0 wrote")
    with h5py.File(results.path) as file:
        assert list(file["status"][:]) == [1, 2, 2, 2, 2]
    results.check_fails("run 0", "is damaged", "rank 0")


# `skipped_steps` is not in files of the first versions.
@pytest.mark.parametrize("name", ["power_watts", "skipped_steps"])
def test_a_changed_number_is_found_by_the_reader(results: ResultsFile, name: str) -> None:
    results.write(2, "create", 1, 5, 6)
    with h5py.File(results.path, "r+") as file:
        file[name][2, 0] = np.nextafter(file[name][2, 0], np.inf)
    results.check_fails("run 2", "is damaged", "rank 0")


def test_a_truncated_file(results: ResultsFile) -> None:
    results.write(2, "create", 1, 5, 6)
    os.truncate(results.path, results.path.stat().st_size // 2)
    results.check_fails("truncated file", str(results.path))


def test_no_hdf5(results: ResultsFile) -> None:
    results.path.write_text("seconds\n1.5\n" * 100, encoding="utf-8")
    results.check_fails(f"{results.path} is not an HDF5 file")


def test_no_file(results: ResultsFile) -> None:
    results.check_fails(f"{results.path}: No such file or directory")


def test_another_convention(results: ResultsFile) -> None:
    results.write(1, "create", 1, 1, 1)
    with h5py.File(results.path, "r+") as file:
        file.attrs["Conventions"] = "CF-1.8"
    results.check_fails("not a results file of breakeven")


def test_another_version(results: ResultsFile) -> None:
    results.write(1, "create", 1, 1, 1)
    with h5py.File(results.path, "r+") as file:
        del file.attrs["Conventions"]
        file.attrs.create("Conventions", b"breakeven-results-9", dtype="S19")
    results.check_fails("breakeven-results-9", "breakeven-results-1")


def test_no_folder(results: ResultsFile) -> None:
    elsewhere = ResultsFile(results.path.parent / "no" / "results.h5")
    done = elsewhere.try_to_write(2, "create", 1, 1, 1)
    assert done.returncode == FILE_FAILURE, done.stdout
    check_refused(done, f"the folder of {elsewhere.path} does not exist")


def test_a_folder_of_the_name(results: ResultsFile) -> None:
    results.path.mkdir()
    check_refused(results.try_to_write(2, "create", 1, 1, 1), f"{results.path} is a folder")
