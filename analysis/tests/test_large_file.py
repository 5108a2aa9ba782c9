# SPDX-License-Identifier: Apache-2.0
"""What makes a large file quick: opening reads the labels alone, a picture little more than the runs that it shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from conftest import STRATEGIES
from plant import plant

from breakeven_analysis import open_results, plot


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """30 MB, of which 5 % are labels."""
    path = tmp_path_factory.mktemp("large") / "large.h5"
    plant(STRATEGIES, path, times=1, longer=3)
    return path


def share_read(path: Path, read: Callable[[], Any]) -> tuple[float, Any]:
    """What this process asked the system for, over the size of the file."""

    def so_far() -> int:
        return int(Path("/proc/self/io").read_text().splitlines()[0].removeprefix("rchar: "))

    before = so_far()
    answer = read()
    return (so_far() - before) / path.stat().st_size, answer


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what a process reads")
def test_little_is_read(large: Path, strategies: xr.Dataset) -> None:
    is_shown = (strategies["strategy"] == "zero1") & (strategies["model"] == "xl") & (strategies["batch"] == 8192)
    place = int(np.flatnonzero(is_shown & (strategies["instrument"] == "phases"))[0])
    plot.step_timeline(strategies, place)  # fonts and modules, which are read at first use
    plot.step_distributions(strategies, "xl", 8192, "zero1")
    opening, dataset = share_read(large, lambda: open_results(large))
    assert 0 < opening < 0.08
    assert 0 < share_read(large, lambda: plot.step_timeline(dataset, place))[0] < 0.01
    five_runs, _ = share_read(large, lambda: plot.step_distributions(dataset, "xl", 8192, "zero1"))
    assert 5 / dataset.sizes["run"] < five_runs < 0.4
    whole, _ = share_read(large, lambda: dataset["seconds"].to_numpy())
    assert whole > 0.5, "it is counted indeed"
