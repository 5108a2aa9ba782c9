# SPDX-License-Identifier: Apache-2.0
"""--append adds a launch of any size to a file and harms nothing that is there; without it no file is
overwritten."""
import h5py
from results_file import ResultsFile, check_refused


def test_more_and_longer_then_fewer_and_shorter(results: ResultsFile) -> None:
    results.write(2, "create", 1, 7, 10)
    results.write(4, "append", 2, 5, 25)
    assert "12 verified" in results.check()
    results.write(1, "append", 3, 70, 3)
    assert "82 verified, 0 complete, 0 planned" in results.check()
    with h5py.File(results.path) as file:
        assert file["seconds"].shape == (82, 4, 25, 10)
        assert list(file["launch_index"][:]) == [0] * 7 + [1] * 5 + [2] * 70
        assert list(file["ranks"][:]) == [2, 4, 1]
        assert len(set(file["run"][:])) == 82


def test_to_nothing_makes_a_file(results: ResultsFile) -> None:
    results.write(2, "append", 1, 3, 4)
    assert "3 verified" in results.check()


def test_through_a_link(results: ResultsFile) -> None:
    results.write(1, "create", 1, 2, 2)
    link = results.beside("link")
    link.path.symlink_to("results.h5")
    link.write(1, "append", 2, 2, 2)
    assert link.path.is_symlink()
    assert "4 verified" in results.check()


def test_create_does_not_overwrite(results: ResultsFile) -> None:
    results.write(1, "create", 1, 2, 2)
    before = results.path.read_bytes()
    check_refused(results.try_to_write(2, "create", 2, 3, 4),
                  f"{results.path} exists. Pass --append to add a launch, --resume to finish an interrupted launch, "
                  "or another --output")
    assert results.path.read_bytes() == before


def test_other_files_are_left_alone(results: ResultsFile) -> None:
    with h5py.File(results.path, "w") as file:
        file["numbers"] = range(5)
    before = results.path.read_bytes()
    check_refused(results.try_to_write(2, "append", 1, 1, 1), str(results.path), "not a results file")
    assert results.path.read_bytes() == before
    assert list(results.path.parent.iterdir()) == [results.path]
