# SPDX-License-Identifier: Apache-2.0
"""Loss against time: all ranks' shares, at the time of the longest rank."""

import numpy as np
import pytest
import xarray as xr

from breakeven_analysis import plot


def test_curves_are_the_runs(strategies: xr.Dataset) -> None:
    axes = plot.loss_against_time(strategies, "xl", 8192, ["single", "stale"]).axes[0]
    assert len(axes.lines) == 10, "five runs of each"
    is_shown = (strategies["strategy"] == "stale") & (strategies["model"] == "xl") & (strategies["batch"] == 8192)
    runs = strategies.isel(run=np.flatnonzero(is_shown & (strategies["instrument"] == "total")))
    first = runs.isel(run=int(np.argmin(runs["order"].to_numpy())))
    loss = first["loss"].sum("rank").to_numpy()
    seconds = np.cumsum(first["seconds"].sel(phase="step").max("rank").to_numpy())
    np.testing.assert_allclose(axes.lines[5].get_ydata(), loss)
    np.testing.assert_allclose(axes.lines[5].get_xdata(), seconds * 1e3)


def test_refusals(strategies: xr.Dataset) -> None:
    with pytest.raises(ValueError, match="no run has strategy 'none'; there are"):
        plot.loss_against_time(strategies, "xl", 8192, ["none"])
    with pytest.raises(ValueError, match="more than a picture"):
        plot.loss_against_time(strategies, "xl", 8192, ["ddp"] * 8)
