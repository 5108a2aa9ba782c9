# SPDX-License-Identifier: Apache-2.0
"""Timeline of steps: every phase of every rank has its measured length."""

import numpy as np
import pytest
import xarray as xr
from conftest import runs_where

from breakeven_analysis import plot


def run_of(dataset: xr.Dataset, strategy: str, timing: str) -> str:
    return str(runs_where(dataset, strategy=strategy, instrument=timing, batch=8192)["run"].to_numpy()[0])


def test_bars_add_up_to_steps(strategies: xr.Dataset) -> None:
    run = run_of(strategies, "zero1", "phases")
    figure = plot.step_timeline(strategies, run, first=4, steps=2)
    axes = figure.axes[0]
    seconds = strategies["seconds"].sel(run=run).isel(step=slice(4, 6))
    in_unit = float(axes.patches[0].get_width()) / float(seconds.isel(rank=0, step=0).sel(phase="input"))
    for rank in range(2):
        widths = [bar.get_width() for bar in axes.patches if round(bar.get_y() + 0.31) == rank]
        steps = float(seconds.isel(rank=rank).sel(phase="step").sum())
        np.testing.assert_allclose(sum(widths), steps * in_unit, rtol=1e-6)


def test_a_run_by_its_number(strategies: xr.Dataset) -> None:
    run = run_of(strategies, "tensor", "phases")
    place = strategies.indexes["run"].get_loc(run)
    by_place, by_label = plot.step_timeline(strategies, place), plot.step_timeline(strategies, run)
    assert len(by_place.axes[0].patches) == len(by_label.axes[0].patches) > 0


def test_refusals(strategies: xr.Dataset) -> None:
    with pytest.raises(ValueError, match="choose a run with phase timing"):
        plot.step_timeline(strategies, run_of(strategies, "ddp", "total"))
    with pytest.raises(ValueError, match="steps 0 to 19, not 20"):
        plot.step_timeline(strategies, run_of(strategies, "ddp", "phases"), first=20)
