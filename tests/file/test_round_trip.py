# SPDX-License-Identifier: Apache-2.0
"""What all ranks write is what the reader gives back: every label, and every number to the bit."""
import pytest
from results_file import ResultsFile


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_any_number_of_ranks(results: ResultsFile, ranks: int) -> None:
    results.write(ranks, "create", ranks, 13, 11)
    assert "13 verified, 0 complete, 0 planned" in results.check()


@pytest.mark.parametrize("runs, steps", [(1, 1), (0, 1), (2, 9001), (130, 2)],
                         ids=["one run of one step", "no runs", "more steps than a chunk holds", "more runs than a chunk holds"])
def test_sizes(results: ResultsFile, runs: int, steps: int) -> None:
    results.write(2, "create", 1, runs, steps)
    assert f"{runs} verified, 0 complete, 0 planned" in results.check()


def test_an_interrupted_launch(results: ResultsFile) -> None:
    results.write(3, "half", 1, 12, 6)
    assert "6 verified, 0 complete, 6 planned" in results.check()
    results.write(2, "append", 2, 3, 4)
    assert "9 verified, 0 complete, 6 planned" in results.check()
