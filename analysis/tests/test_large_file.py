# SPDX-License-Identifier: Apache-2.0
"""Large files are quick: opening reads only the labels, and a picture little more than its runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xarray as xr
from conftest import STRATEGIES, runs_where
from plant import plant

from breakeven_analysis import open_results, plot


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """30 MB; labels are 5 % of it."""
    path = tmp_path_factory.mktemp("large") / "large.h5"
    plant(STRATEGIES, path, times=1, longer=3)  # copies numbers, so checksums differ
    return path


def share_read(path: Path, read: Callable[[], Any]) -> tuple[float, Any]:
    """The bytes that this process read, divided by the size of the file."""

    def so_far() -> int:
        return int(Path("/proc/self/io").read_text().splitlines()[0].removeprefix("rchar: "))

    before = so_far()
    answer = read()
    return (so_far() - before) / path.stat().st_size, answer


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what a process reads")
def test_little_is_read(large: Path, strategies: xr.Dataset) -> None:
    shown = runs_where(strategies, strategy="zero1", model="xl", batch=8192, instrument="phases")
    place = strategies.indexes["run"].get_loc(shown["run"].to_numpy()[0])
    plot.step_timeline(strategies, place)  # reads fonts and modules once
    plot.step_distributions(strategies, "xl", 8192, "zero1")
    opening, dataset = share_read(large, lambda: open_results(large, verify=False))
    assert 0 < opening < 0.12, "labels are read twice: apart first"
    assert 0 < share_read(large, lambda: plot.step_timeline(dataset, place))[0] < 0.01
    five_runs, _ = share_read(large, lambda: plot.step_distributions(dataset, "xl", 8192, "zero1"))
    assert 5 / dataset.sizes["run"] < five_runs < 0.4
    whole, _ = share_read(large, lambda: dataset["seconds"].to_numpy())
    assert whole > 0.5, "reads are counted"
