# SPDX-License-Identifier: Apache-2.0
"""A file that does not hold what was written is refused when it is opened, unless the caller says otherwise."""

import shutil
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import RESULTS, SCALING

from breakeven_analysis import DamagedError, integrity, open_results, reader

FEW_LONG_RECORDS = RESULTS / "h200-2-2026-11-22" / "bursts.h5"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(SCALING, tmp_path / "copy.h5"))


def change(path: Path, name: str, place: tuple[int, ...], value: float) -> None:
    with h5py.File(path, "r+") as file:
        file[name][place] += value


@pytest.mark.parametrize("name", ["loss", "seconds", "power_watts", "checksum"])
def test_a_changed_number_is_found(copy: Path, name: str) -> None:
    with h5py.File(copy) as file:
        dimensions = file[name].ndim
    with h5py.File(copy, "r+") as file:
        file[name][(2,) + (0,) * (dimensions - 1)] = 7
    with pytest.raises(DamagedError, match="rank 0 in run 2"):
        open_results(copy)
    assert open_results(copy, verify=False).sizes["run"] > 2


def test_numbers_of_a_file_that_was_extended_later_are_checked(copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        names, values = integrity.dimensions_in_order(file)["power_watts"], file["power_watts"][...]
        del file["power_watts"]
        moved = file.create_dataset("power_watts", data=values)
        for place, dimension in enumerate(names):
            moved.dims[place].attach_scale(file[dimension])
    assert open_results(copy).sizes["run"] > 2
    change(copy, "loss", (2, 0, 0), 1)
    with pytest.raises(DamagedError, match="rank 0 in run 2"):
        open_results(copy)


def test_names_of_phases_are_checked(copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        names = file["phase"][...]
        file["phase"][...] = names[::-1]
    with pytest.raises(DamagedError, match="coordinate 'phase'"):
        open_results(copy)


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 1e-320, 1e308, np.inf])
def test_a_step_that_nobody_can_measure_is_wrong(copy: Path, seconds: float) -> None:
    with h5py.File(copy, "r+") as file:
        file["seconds"][2, 0, 3, integrity.PHASES.index("step")] = seconds
        sums = np.full(1, integrity.START, np.uint64)
        for name, dimensions in integrity.dimensions_in_order(file).items():
            if dimensions[:2] == ["run", "rank"] and name != "checksum":
                sums = integrity.add_numbers(sums, file[name][2:3, 0], file["steps"][2:3], name in integrity.ADDITIONS)
        file["checksum"][2, 0] = sums[0]
    with pytest.raises(DamagedError, match="is wrong: run 2 has a step of no time, or of over"):
        open_results(copy)


def test_plain_numbers_and_arrays_give_the_same_sums() -> None:
    dice = np.random.default_rng(1)
    numbers = dice.normal(size=(5, 4, 3))
    numbers[1, 2, 0] = np.nan
    steps = np.array([4, 4, 0, 2, 3])
    start = np.full(5, integrity.START, np.uint64)
    for is_addition in (False, True):
        few = integrity.add_numbers(start, numbers, steps, is_addition)
        many = integrity.add_numbers(np.tile(start, 20), np.tile(numbers, (20, 1, 1)), np.tile(steps, 20), is_addition)
        np.testing.assert_array_equal(np.tile(few, 20), many)


def test_a_file_is_checked_once(copy: Path) -> None:
    reader.check_once.cache_clear()
    open_results(copy)
    open_results(copy)
    assert reader.check_once.cache_info().hits == 1
    time.sleep(0.01)
    change(copy, "loss", (0, 0, 0), 1)
    with pytest.raises(DamagedError):
        open_results(copy)


def test_few_long_records() -> None:
    open_results(FEW_LONG_RECORDS)


def test_a_coordinate_counts_from_0(copy: Path) -> None:
    change(copy, "step", (3,), 1)
    with pytest.raises(DamagedError, match="'step'"):
        open_results(copy)


def test_odd_files_raise_our_own_error(copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        del file["gpus"]
    with pytest.raises(DamagedError):
        open_results(copy)
