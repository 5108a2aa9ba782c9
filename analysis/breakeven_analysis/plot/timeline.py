# SPDX-License-Identifier: Apache-2.0
"""A few steps of one run on all its ranks, phase by phase."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import case_words
from breakeven_analysis.plot.colours import BLACK, GREY, OTHER, PHASES
from breakeven_analysis.plot.figure import bottom_legend, head, new_figure, row_axis, seconds_unit, styled


@styled
def step_timeline(dataset: xr.Dataset, run: str | int, first: int = 0, steps: int = 3) -> Figure:
    """Steps `first` to `first + steps - 1` of a run with phase timing; `run` is its label or its number.

    Ranks share one clock if the file has it (`start_seconds`); otherwise each rank has its own, from the first shown
    step on. A phase is drawn once per step with its total time, also in a pipeline, whose stages take turns.
    """
    one = dataset.isel(run=run) if isinstance(run, int) else dataset.sel(run=run)
    if one["instrument"].item() != "phases":
        raise PictureError(f"run '{one['run'].item()}' timed whole steps: choose a run with phase timing")
    ranks, last = int(one["gpus"]), min(first + steps, int(one["steps"]))
    if not 0 <= first < last:
        raise PictureError(f"the run has steps 0 to {int(one['steps']) - 1}, not {first}")
    seconds = one["seconds"].isel(rank=slice(ranks), step=slice(first, last)).load()
    begins, clock = begins_of(one, ranks, first)
    length = float((seconds.sel(phase="step").sum("step") + begins).max())
    size, unit = seconds_unit(length)
    figure = new_figure(9.6, 1.6 + 0.52 * ranks)
    axes = figure.subplots()
    for rank in range(ranks):
        draw_rank(axes, rank, begins[rank] / size, seconds.isel(rank=rank) / size)
    name_steps(axes, begins[0] / size, seconds.isel(rank=0) / size, length / size)
    row_axis(axes, [f"rank {rank}" for rank in range(ranks)], ranks - 0.45, -0.75)
    axes.set_xlim(0, length / size * 1.002)
    axes.set_xlabel(f"time since the first shown step began ({unit})")
    axes.spines["left"].set_visible(False)
    shown = [name for name in phases_of(seconds) if float(np.nansum(seconds.sel(phase=name))) > 0]
    handles = [PHASES.get(name, OTHER).handle(name) for name in shown]
    bottom_legend(figure, handles, len(handles), handlelength=1.6, columnspacing=1.4)
    head(
        figure,
        finding(seconds, shown),
        f"steps {first} to {last - 1} of {case_words(one)}; {one['machine'].item()}; {clock}",
    )
    return figure


def finding(seconds: xr.DataArray, phases: list[str]) -> str:
    """The phase that takes longest over all ranks and steps shown."""
    took = {name: float(np.nansum(seconds.sel(phase=name))) for name in phases}
    longest = max(phases, key=lambda name: took[name])
    return f"The longest phase is {longest}: {100 * took[longest] / sum(took.values()):.0f} % of the steps"


def phases_of(seconds: xr.DataArray) -> list[str]:
    """The file's phases in the order of time, which the colours have; phases without a colour come last."""
    names = [str(name) for name in seconds["phase"].to_numpy() if name != "step"]
    order = list(PHASES)
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def begins_of(one: xr.Dataset, ranks: int, first: int) -> tuple[Any, str]:
    """When each rank began the first step, in seconds after the earliest, and by which clock."""
    if "start_seconds" in one:
        starts = one["start_seconds"].isel(rank=slice(ranks), step=first).to_numpy()
        if np.isfinite(starts).all():
            unsure = float(one["start_uncertainty_seconds"].isel(rank=slice(ranks)).max())
            return starts - starts.min(), f"all ranks on one clock, to ± {unsure * 1e6:.2g} µs"
    return np.zeros(ranks), f"each rank on its own clock, from the beginning of step {first}"


def name_steps(axes: Axes, start: float, seconds: xr.DataArray, length: float) -> None:
    """Over the first rank. A step that is shorter than its name has none."""
    begin, letter = start, 0.011 * length
    for step, took in zip(seconds["step"].to_numpy(), seconds.sel(phase="step").to_numpy(), strict=True):
        name = f"step {int(step)}"
        if took > len(name) * letter:
            label = {"xytext": (3, 0), "textcoords": "offset points", "va": "bottom", "fontsize": 8.5, "color": GREY}
            axes.annotate(name, (begin, -0.5), **label)
        begin += took


def draw_rank(axes: Axes, rank: int, start: float, seconds: xr.DataArray) -> None:
    """The steps one after another, each with its phases in the order of time."""
    begins = start + np.concatenate([[0.0], np.cumsum(seconds.sel(phase="step").to_numpy())])
    for step, begin in enumerate(begins[:-1]):
        at = begin
        for name in phases_of(seconds):
            width = float(seconds.isel(step=step).sel(phase=name))
            if width > 0:
                PHASES.get(name, OTHER).draw(axes, rank, at, width, 0.62)
                at += width
    for begin in begins:
        axes.plot([begin, begin], [rank - 0.42, rank + 0.42], color=BLACK, linewidth=1.1, clip_on=False)
