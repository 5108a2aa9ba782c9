# SPDX-License-Identifier: Apache-2.0
"""A launch that resumes an interrupted one measures what is left, and changes nothing that is there."""
import os
import signal

import h5py
import numpy
import pytest
from results_file import ResultsFile, check_refused


def numbers(results: ResultsFile) -> dict:
    with h5py.File(results.path) as file:
        return {name: file[name][...] for name in ("seconds", "checksum", "status", "launch_index", "run")}


def test_the_rest_of_half(results: ResultsFile) -> None:
    results.write(2, "half", 1, 9, 10)
    before = numbers(results)
    assert list(before["status"]) == [2] * 4 + [0] * 5
    results.write(2, "resume", 1, 9, 10)
    assert "9 verified, 0 complete, 0 planned" in results.check()
    after = numbers(results)
    assert list(after["launch_index"]) == [0] * 4 + [1] * 5
    assert list(after["run"]) == list(before["run"])
    numpy.testing.assert_array_equal(after["seconds"][:4], before["seconds"][:4])


def test_behind_another_launch(results: ResultsFile) -> None:
    results.write(1, "create", 7, 3, 4)
    results.write(2, "half", 1, 6, 5)
    assert "6 verified, 0 complete, 3 planned" in results.check()
    results.write(2, "resume", 1, 6, 5)
    assert "9 verified, 0 complete, 0 planned" in results.check()


def test_to_nothing_makes_a_file(results: ResultsFile) -> None:
    results.write(2, "resume", 1, 3, 4)
    assert "3 verified" in results.check()


def test_after_a_kill_in_the_middle_of_a_run(results: ResultsFile) -> None:
    pids = []
    with results.start(2, "create", 3, 40, 10, 50_000) as job:
        for line in job.stdout:
            if " pid " in line:
                pids.append(int(line.split()[-1]))
            if line == "run 5\n":
                break
        os.kill(pids[-1], signal.SIGKILL)
        job.communicate(timeout=60)
    done = numpy.count_nonzero(numbers(results)["status"])
    assert 6 <= done < 40
    results.write(2, "resume", 3, 40, 10)
    assert f"{40 - done} verified, {done} complete, 0 planned" in results.check()


@pytest.mark.parametrize("other, reason", [((1, 9, 11), "its run 0 is"), ((1, 12, 10), "it has 9 runs, this launch plans 12")],
                         ids=["steps", "runs"])
def test_another_plan_is_refused(results: ResultsFile, other: tuple, reason: str) -> None:
    results.write(2, "half", 1, 9, 10)
    check_refused(results.try_to_write(2, "resume", *other), f"--resume: {results.path}", "holds a different plan", reason)
    assert "4 verified, 0 complete, 5 planned" in results.check()
