# SPDX-License-Identifier: Apache-2.0
"""A label that changed in the file is found, whichever it is. Files of older programs have no checksums of labels."""
import h5py
import numpy
import pytest
from results_file import ResultsFile

CHECKSUMS = ("label_checksum", "label_checksum_next", "launch_checksum")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ResultsFile:
    results = ResultsFile(tmp_path_factory.mktemp("labels") / "whole.h5")
    results.write(2, "create", 1, 3, 4)
    return results


def label_names(whole: ResultsFile) -> list[str]:
    """Also the coordinates."""
    with h5py.File(whole.path) as file:
        return [name for name in file if file[name].dtype.kind != "f" or file[name].dims[0][0].name != "/run"]


def change(variable: h5py.Dataset) -> None:
    """Its first cell, a little."""
    first = (0,) * variable.ndim
    value = variable[first]
    if variable.dtype == object:
        variable[first] = value + b"x"
    else:
        variable[first] = 1.5 if variable.dtype.kind == "f" and numpy.isnan(value) else value + 1


def test_every_changed_label_is_found(whole: ResultsFile, results: ResultsFile) -> None:
    names = label_names(whole)
    assert len(names) > 60
    unnoticed = []
    for name in names:
        results.path.write_bytes(whole.path.read_bytes())
        with h5py.File(results.path, "r+") as file:
            if file[name].size == 0:
                continue
            change(file[name])
        said = results.try_to_check()
        if said.returncode == 0 or "damaged" not in said.stdout:
            unnoticed.append(name)
    # One of two equal checksums is enough, which a launch that is killed between them relies on.
    assert set(unnoticed) <= {"label_checksum", "label_checksum_next"}


def test_an_older_file_has_none(whole: ResultsFile, results: ResultsFile) -> None:
    results.path.write_bytes(whole.path.read_bytes())
    with h5py.File(results.path, "r+") as file:
        for name in CHECKSUMS:
            del file[name]
    assert "3 verified" in results.check()
    results.write(2, "append", 2, 3, 4)
    with h5py.File(results.path, "r+") as file:
        assert all(name in file for name in CHECKSUMS), "the file was written anew"
        file["repeat"][0] += 1
    results.check_fails("run 0 is damaged: its labels")
