# SPDX-License-Identifier: Apache-2.0
"""All step times of a case in the order of measurement, with the report's flags, and the clock below."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from breakeven_analysis.answers import Report
from breakeven_analysis.plot.choice import case_words, choose_runs, finished_runs
from breakeven_analysis.plot.colours import BLUE, GREY, LINES, ORANGE, VERMILION
from breakeven_analysis.plot.figure import bottom_legend, head, log_scale, new_figure, seconds_unit, styled
from breakeven_analysis.plot.verdicts import counted

STEP = {"linestyle": "none", "color": BLUE, "marker": ".", "markersize": 3.2, "markeredgewidth": 0.8}
OUTLIER = STEP | {"color": VERMILION, "marker": "x"}
LATE_WARMUP = STEP | {"color": ORANGE, "marker": "o", "markerfacecolor": "none", "markersize": 3.6}


@styled
def step_series(
    dataset: xr.Dataset, report: Report, model: str, batch: int, strategy: str, timing: str = "total", **axes: Any
) -> Figure:
    """Each step takes as long as on its slowest rank. The report decides what is warm-up and which runs are outliers.

    If the longest step takes over ten times the median, the axis is logarithmic.

    Data set and report come from the same file. The report's means contain all outliers; they leave out warm-up.
    """
    runs = choose_runs(dataset, model=model, batch=batch, strategy=strategy, instrument=timing, **axes)
    said = finished_runs(runs, report)
    steps = int(runs["steps"].max())
    seconds = runs["seconds"].sel(phase="step").isel(step=slice(steps)).max("rank").to_numpy()
    size, unit = seconds_unit(float(np.nanmedian(seconds)))
    figure = new_figure(10.5, 4.8)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    if np.nanmax(seconds) > 10 * np.nanmedian(seconds):
        log_scale(upper, "y")
    draw_steps(upper, seconds / size, said)
    upper.set_ylabel(f"step ({unit})")
    draw_clock(lower, runs, steps)
    lower.set_xlabel(f"measured step: {len(seconds)} runs of {steps} steps, one after another")
    room = 0.01 * len(seconds) * steps  # for the first and the last mark
    lower.set_xlim(-room, len(seconds) * steps - 1 + room)
    legend(figure, said)
    head(
        figure,
        finding(said),
        f"{case_words(runs.isel(run=0))}; {runs['machine'][0].item()}; "
        "runs in the order of measurement, without the runs of other cases between them",
    )
    return figure


def finding(said: pd.DataFrame) -> str:
    """How many runs the report sets apart; it judges no case of fewer than ten."""
    aside, judged = int((said["steps_set_aside"] > 0).sum()), said["is_outlier"].dropna()
    late = f"{counted(aside, len(said), 'run begins', 'runs begin')} with late warm-up"
    return (
        f"{counted(int(judged.sum()), len(judged), 'run is an outlier', 'runs are outliers')}; {late}"
        if len(judged)
        else late
    )


def draw_steps(axes: Axes, seconds: np.ndarray, said: pd.DataFrame) -> None:
    """Every second run has a grey background; flagged steps have another marker and another colour."""
    steps = seconds.shape[1]
    for number, (series, run) in enumerate(zip(seconds, said.to_dict("records"), strict=True)):
        places = number * steps + np.arange(steps)
        if number % 2:
            axes.axvspan(places[0], places[0] + steps, color="#f4f4f4", linewidth=0)
        aside = int(run["steps_set_aside"])
        axes.plot(places[aside:], series[aside:], alpha=0.7, **(OUTLIER if run["is_outlier"] is True else STEP))
        axes.plot(places[:aside], series[:aside], **LATE_WARMUP)
    axes.grid(True, axis="y")


def draw_clock(axes: Axes, runs: xr.Dataset, steps: int) -> None:
    """One level line per run and rank: NVML's mean over the run."""
    axes.set_ylabel("clock (GHz)")
    clocks = runs["sm_clock_hz"].isel(rank=slice(int(runs["gpus"][0]))).to_numpy() / 1e9
    if not np.isfinite(clocks).any():
        axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", va="center", color=GREY)
        axes.set_yticks([])
        return
    begins = np.arange(len(clocks)) * steps
    handles = []
    for rank, line in zip(range(clocks.shape[1]), LINES, strict=False):
        look = {"color": line.colour, "linestyle": line.dashes, "linewidth": 2.2}
        axes.hlines(clocks[:, rank], begins, begins + steps, **look)
        handles.append(Line2D([], [], label=f"rank {rank}", **look))
    low, high = float(np.nanmin(clocks)), float(np.nanmax(clocks))
    room = max(0.05 * high, high - low)
    axes.set_ylim(low - 0.3 * room, high + 0.3 * room)
    axes.legend(handles=handles, loc="lower left", ncols=len(handles), fontsize=8.5)
    axes.grid(True, axis="y")


def legend(figure: Figure, said: pd.DataFrame) -> None:
    judged, aside = said["is_outlier"].dropna(), int(said["steps_set_aside"].sum())
    entries = [("step", STEP), (f"late warm-up, left out of means ({aside} steps)", LATE_WARMUP)]
    if len(judged):  # the report judges no case of fewer than ten runs
        entries.insert(1, (f"step of an outlier run ({int(judged.sum())} runs)", OUTLIER))
    handles = [Line2D([], [], label=label, **look | {"markersize": 6}) for label, look in entries]
    bottom_legend(figure, handles, len(handles))
