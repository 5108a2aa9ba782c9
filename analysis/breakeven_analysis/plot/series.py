# SPDX-License-Identifier: Apache-2.0
"""All step times of a case in the order of their measurement, with what was flagged, and the clock below."""

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from breakeven_analysis.plot.runs import case_words, choose_runs, said_of
from breakeven_analysis.plot.style import BLUE, GREY, LINES, ORANGE, VERMILION, head, new_figure, seconds_unit, styled
from breakeven_analysis.report import Report


@styled
def step_series(
    dataset: xr.Dataset,
    report: Report,
    model: str,
    batch: int,
    strategy: str,
    gpus: int | None = None,
    precision: str | None = None,
    instrument: str = "total",
) -> Figure:
    """A step's time is its longest rank's. Which steps count as warm-up and which runs as outliers is the report's.

    `dataset` is of the report's one file. Nothing that is flagged is left out of the report's totals but warm-up.
    """
    runs = choose_runs(
        dataset, model=model, batch=batch, strategy=strategy, gpus=gpus, precision=precision, instrument=instrument
    )
    said = said_of(runs, report)
    steps = int(runs["steps"].max())
    seconds = runs["seconds"].sel(phase="step").isel(step=slice(steps)).max("rank").to_numpy()
    size, unit = seconds_unit(float(np.nanmax(seconds)))
    figure = new_figure(10.5, 4.8)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    draw_steps(upper, seconds / size, said)
    upper.set_ylabel(f"step ({unit})")
    draw_clock(lower, runs, steps)
    lower.set_xlabel(f"measured step, {len(seconds)} runs of {steps} one behind the other")
    lower.set_xlim(0, len(seconds) * steps)
    legend(figure, said)
    head(
        figure,
        f"Every step: {case_words(runs)}",
        f"{runs['machine'][0].item()}; runs in the order of measurement, other cases between them left out",
    )
    return figure


def draw_steps(axes: Axes, seconds: np.ndarray, said: pd.DataFrame) -> None:
    """Every second run on a grey ground; what is flagged has another form besides its colour."""
    steps = seconds.shape[1]
    for number, (series, run) in enumerate(zip(seconds, said.to_dict("records"), strict=True)):
        places = number * steps + np.arange(steps)
        if number % 2:
            axes.axvspan(places[0], places[0] + steps, color="#f4f4f4", linewidth=0)
        aside = int(run["steps_set_aside"])
        colour, marker = (VERMILION, "x") if run["is_outlier"] else (BLUE, ".")
        axes.plot(
            places[aside:],
            series[aside:],
            color=colour,
            marker=marker,
            linestyle="none",
            markersize=3.2,
            alpha=0.7,
            markeredgewidth=0.8,
        )
        axes.plot(
            places[:aside],
            series[:aside],
            color=ORANGE,
            marker="o",
            markerfacecolor="none",
            linestyle="none",
            markersize=3.6,
            markeredgewidth=0.8,
        )
    axes.grid(True, axis="y")


def draw_clock(axes: Axes, runs: xr.Dataset, steps: int) -> None:
    """A level line a run and rank: the mean over the run, by NVML. Between runs nothing was read."""
    axes.set_ylabel("clock (GHz)")
    clocks = runs["sm_clock_hz"].isel(rank=slice(int(runs["gpus"][0]))).to_numpy() / 1e9
    if not np.isfinite(clocks).any():
        axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", va="center", color=GREY)
        axes.set_yticks([])
        return
    begins = np.arange(len(clocks)) * steps
    for rank, line in zip(range(clocks.shape[1]), LINES, strict=False):
        axes.hlines(clocks[:, rank], begins, begins + steps, color=line.colour, linewidth=2.2, linestyle=line.dashes)
    low, high = float(np.nanmin(clocks)), float(np.nanmax(clocks))
    room = max(0.05 * high, high - low)
    axes.set_ylim(low - 0.3 * room, high + 0.3 * room)
    handles = [
        Line2D([], [], color=line.colour, linestyle=line.dashes, linewidth=2.2, label=f"rank {rank}")
        for rank, line in zip(range(clocks.shape[1]), LINES, strict=False)
    ]
    axes.legend(handles=handles, loc="lower left", ncols=len(handles), fontsize=8.5)
    axes.grid(True, axis="y")


def legend(figure: Figure, said: pd.DataFrame) -> None:
    outliers, aside = int(said["is_outlier"].sum()), int(said["steps_set_aside"].sum())
    handles = [
        Line2D([], [], linestyle="none", marker=".", color=BLUE, label="step"),
        Line2D([], [], linestyle="none", marker="x", color=VERMILION, label=f"of an outlier run ({outliers} runs)"),
        Line2D(
            [],
            [],
            linestyle="none",
            marker="o",
            markerfacecolor="none",
            color=ORANGE,
            label=f"set aside as late warm-up ({aside} steps)",
        ),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
