# SPDX-License-Identifier: Apache-2.0
"""Distributions: all steps of each rank."""

import numpy as np
import pytest
import xarray as xr
from conftest import runs_where
from matplotlib.mlab import GaussianKDE
from text_layout import faults_of

from breakeven_analysis import plot
from breakeven_analysis.plot.distribution import density_of, thinned


def test_points_are_own_work(strategies: xr.Dataset) -> None:
    axes = plot.step_distributions(strategies, "xl", 8192, "pipeline").axes[0]
    runs = runs_where(strategies, strategy="pipeline", model="xl", batch=8192, instrument="phases")
    points = [drawn for drawn in axes.collections if len(drawn.get_offsets()) > 1]
    for rank in range(2):
        seconds = runs["seconds"].isel(rank=rank)
        own = (seconds.sel(phase="step") - seconds.sel(phase="wait")).to_numpy().ravel()
        np.testing.assert_allclose(np.sort(points[rank].get_offsets()[:, 0]), np.sort(own) * 1e3)


def test_unmeasured_steps_have_no_points(strategies: xr.Dataset) -> None:
    planted = strategies.assign(seconds=strategies["seconds"].where(strategies["step"] != 3))
    axes = plot.step_distributions(planted, "xl", 8192, "zero1", timing="total").axes[0]
    points = [drawn for drawn in axes.collections if len(drawn.get_offsets()) > 1]
    assert [len(drawn.get_offsets()) for drawn in points] == [95, 95]
    with pytest.raises(ValueError, match="no measured step"):
        nothing = strategies.assign(seconds=strategies["seconds"] * np.nan)
        plot.step_distributions(nothing, "xl", 8192, "zero1")


def test_every_extreme_is_a_point() -> None:
    values = np.random.default_rng(3).gamma(3, size=100_000)
    shown = thinned(values)
    assert len(shown) < 0.07 * len(values)
    assert {values.min(), values.max(), *np.sort(values)[-1000:]} <= set(shown)


def test_runs_of_several_cases_are_refused(strategies: xr.Dataset) -> None:
    streamed = strategies.assign_coords(data=("run", ["streamed"] * strategies.sizes["run"]))
    both = xr.concat([strategies, streamed], "run")
    with pytest.raises(ValueError, match="several values of data: choose one of resident, streamed"):
        plot.step_distributions(both, "xl", 8192, "zero1")


def test_the_density_has_all_values() -> None:
    values = np.random.default_rng(7).gamma(3, size=5000)
    places, density = density_of(values)
    exact = GaussianKDE(values)(places)
    np.testing.assert_allclose(density / density.sum(), exact / exact.sum(), atol=1e-3 * exact.max() / exact.sum())


def test_a_stall_does_not_hide_the_steps(strategies: xr.Dataset) -> None:
    stalled = strategies.assign(seconds=xr.where(strategies["step"] == 3, 100, 1) * strategies["seconds"])
    assert plot.step_distributions(stalled, "xl", 8192, "zero1").axes[0].get_xscale() == "log"
    assert plot.step_distributions(strategies, "xl", 8192, "zero1").axes[0].get_xscale() == "linear"


@pytest.mark.parametrize("times", [11, 15, 100, 1e6])
@pytest.mark.parametrize("unit", [1, 1.5, 2.2, 3.3, 5, 7])
def test_ticks_have_room_beside_a_stall(strategies: xr.Dataset, times: float, unit: float) -> None:
    stalled = strategies.assign(seconds=xr.where(strategies["step"] == 3, times, 1) * unit * strategies["seconds"])
    figure = plot.step_distributions(stalled, "xl", 8192, "zero1")
    assert len(figure.axes[0].get_xticks()) >= 2 and faults_of(figure) == []
