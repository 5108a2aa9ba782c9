# SPDX-License-Identifier: Apache-2.0
"""A few steps of one run on all its ranks, phase by phase."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from breakeven_analysis.plot.style import BLACK, GREY, OTHER, PHASES, head, new_figure, seconds_unit, styled


@styled
def step_timeline(dataset: xr.Dataset, run: str | int, first: int = 0, steps: int = 3) -> Figure:
    """Steps `first` to `first + steps - 1` of a run with the instrument `phases`, by its label or its place.

    By the clock that all ranks share where the file has it (`start_seconds`), else each rank by its own, from the
    first step shown on. A phase is drawn once a step, as long as
    it was in all: of a pipeline, whose stages take turns, that is a sum.
    """
    one = dataset.isel(run=run) if isinstance(run, int) else dataset.sel(run=run)
    if one["instrument"].item() != "phases":
        raise ValueError(f"run '{one['run'].item()}' marks whole steps: choose one with the instrument 'phases'")
    ranks, last = int(one["gpus"]), min(first + steps, int(one["steps"]))
    if not 0 <= first < last:
        raise ValueError(f"the run has steps 0 to {int(one['steps']) - 1}, not {first}")
    seconds = one["seconds"].isel(rank=slice(ranks), step=slice(first, last)).load()
    begins, clock = begins_of(one, ranks, first)
    length = float((seconds.sel(phase="step").sum("step") + begins).max())
    size, unit = seconds_unit(length)
    figure = new_figure(9.6, 1.6 + 0.52 * ranks)
    axes = figure.subplots()
    for rank in range(ranks):
        draw_rank(axes, rank, begins[rank] / size, seconds.isel(rank=rank) / size)
    axes.set_yticks(range(ranks), [f"rank {rank}" for rank in range(ranks)])
    axes.set_ylim(ranks - 0.45, -0.75)
    axes.set_xlim(0, length / size * 1.002)
    axes.set_xlabel(f"time of {last - first} steps ({unit})")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    shown = [name for name in phases_of(seconds) if float(np.nansum(seconds.sel(phase=name))) > 0]
    handles = [
        Patch(
            facecolor=PHASES.get(name, OTHER).colour,
            hatch=PHASES.get(name, OTHER).hatch,
            edgecolor=GREY,
            linewidth=0.5,
            label=name,
        )
        for name in shown
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), handlelength=1.6, columnspacing=1.4)
    label = f"{one['model'].item()}, batch {int(one['batch']):,}, {one['strategy'].item()} on {ranks}"
    head(
        figure,
        f"Steps {first} to {last - 1} of {label} ({one['precision'].item()})",
        f"{one['machine'].item()}; {clock}",
    )
    return figure


def phases_of(seconds: xr.DataArray) -> list[str]:
    """The file's, in the order in which they follow one another; a file does not say it, so those with colours lead."""
    there = [str(name) for name in seconds["phase"].to_numpy() if name != "step"]
    order = list(PHASES)
    return sorted(there, key=lambda name: order.index(name) if name in order else len(order))


def begins_of(one: xr.Dataset, ranks: int, first: int) -> tuple[Any, str]:
    """When each rank begins the first step, in seconds after the first of them, and by what clock."""
    if "start_seconds" in one:
        starts = one["start_seconds"].isel(rank=slice(ranks), step=first).to_numpy()
        if np.isfinite(starts).all():
            unsure = float(one["start_uncertainty_seconds"].isel(rank=slice(ranks)).max())
            return starts - starts.min(), f"by the clock that the ranks share, to ± {unsure * 1e6:.2g} µs"
    return np.zeros(ranks), f"each rank by its own clock, from the beginning of step {first}"


def draw_rank(axes: Axes, rank: int, start: float, seconds: xr.DataArray) -> None:
    """Step behind step; within a step the phases in their order."""
    begins = start + np.concatenate([[0.0], np.cumsum(seconds.sel(phase="step").to_numpy())])
    for step, begin in enumerate(begins[:-1]):
        at = begin
        for name in phases_of(seconds):
            fill = PHASES.get(name, OTHER)
            width = float(seconds.isel(step=step).sel(phase=name))
            if not width > 0:
                continue
            axes.barh(rank, width, 0.62, at, color=fill.colour, hatch=fill.hatch, edgecolor=GREY, linewidth=0.4)
            at += width
    for number, begin in enumerate(begins):
        axes.plot([begin, begin], [rank - 0.42, rank + 0.42], color=BLACK, linewidth=1.1, clip_on=False)
        if rank == 0 and number + 1 < len(begins):
            axes.annotate(
                f"step {int(seconds['step'][number])}",
                (begin, -0.5),
                xytext=(3, 0),
                fontsize=8.5,
                textcoords="offset points",
                va="bottom",
                color=GREY,
            )
