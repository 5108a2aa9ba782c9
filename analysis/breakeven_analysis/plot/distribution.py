# SPDX-License-Identifier: Apache-2.0
"""The distribution of step times on every rank: each step a point, with the density above."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import case_words, choose_runs
from breakeven_analysis.plot.colours import BLACK, BLUE, SKY
from breakeven_analysis.plot.figure import head, log_scale, new_figure, row_axis, seconds_unit, styled

MOST_POINTS = 4000  # per rank; more points merge into one blot
EXTREMES = 0.01  # the share at either end of which every step is a point
PLACES, BINS = 400, 4096  # where the density is drawn; bins of steps that it is computed from


@styled
def step_distributions(
    dataset: xr.Dataset, model: str, batch: int, strategy: str, timing: str | None = None, **axes: Any
) -> Figure:
    """Timing "phases" shows each rank's own work, its step without its wait; "total" shows the whole step. Without a
    timing, "phases" where they were recorded.

    Above 4,000 steps, the points are every n-th step and all of the shortest and longest percent; the density has all
    of them. If the longest step takes over ten times the median, the axis and the density are logarithmic.
    """
    case = {"model": model, "batch": batch, "strategy": strategy}
    timing = timing or recorded_timing(dataset, case)
    runs = choose_runs(dataset, **case, instrument=timing, **axes)
    ranks = int(runs["gpus"][0])
    seconds = runs["seconds"].sel(phase=["step", "wait"]).isel(step=slice(int(runs["steps"].max()))).load()
    own_seconds = [own_work(seconds.isel(rank=rank), timing) for rank in range(ranks)]
    medians, longest = np.array([np.median(own) for own in own_seconds]), max(own.max() for own in own_seconds)
    size, unit = seconds_unit(float(medians[0]))
    figure = new_figure(9.0, 1.6 + 0.85 * ranks)
    panel = figure.subplots()
    if any(own.max() > 10 * np.median(own) and own.min() > 0 for own in own_seconds):
        log_scale(panel, "x")
    for rank, own in enumerate(own_seconds):
        draw_rank(panel, rank, own / size)
    row_axis(panel, [f"rank {rank}" for rank in range(ranks)], ranks - 0.45, -0.75)
    panel.set_xlabel(f"{'step without its wait' if timing == 'phases' else 'step'} ({unit})")
    head(
        figure,
        f"Medians of all ranks are within {100 * (medians.max() / medians.min() - 1):.2g} %; "
        f"the longest step takes {longest / medians.max():.3g} medians",
        f"{case_words(runs.isel(run=0))}; {runs['machine'][0].item()}; {runs.sizes['run']} runs, "
        f"{len(own_seconds[0]):,} steps per rank",
    )
    return figure


def recorded_timing(dataset: xr.Dataset, case: dict[str, Any]) -> str:
    is_case = np.all([dataset[axis].to_numpy() == value for axis, value in case.items()], axis=0)
    timings = dataset["instrument"].to_numpy()[is_case & (dataset["status"].to_numpy() > 0)]
    return "phases" if "phases" in timings else "total"


def own_work(steps: xr.DataArray, timing: str) -> np.ndarray:
    """Every measured step of every run, in seconds."""
    seconds = steps.sel(phase="step")
    if timing == "phases":
        seconds = seconds - steps.sel(phase="wait")
    values = seconds.to_numpy().ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        raise PictureError(f"rank {int(steps['rank'])} has no measured step")
    return values


def draw_rank(axes: Axes, rank: int, seconds: np.ndarray) -> None:
    """Points below the rank's line, the density above; the points' height is random."""
    shown = thinned(seconds)
    scatter = np.random.default_rng(rank).uniform(0.06, 0.34, len(shown))
    axes.scatter(shown, rank + scatter, s=5, color=BLUE, alpha=0.35, linewidths=0, rasterized=True)
    if np.ptp(seconds) > 0:
        is_log = axes.get_xscale() == "log"
        places, values = density_of(np.log(seconds) if is_log else seconds)
        places = np.exp(places) if is_log else places
        shape = {"coords": places, "vals": values, "mean": 0, "median": 0, "min": places[0], "max": places[-1]}
        parts = axes.violin([shape], [rank], orientation="horizontal", widths=0.9, showextrema=False, side="low")
        parts["bodies"][0].set(facecolor=SKY, edgecolor=BLACK, linewidth=0.8, alpha=1)


def thinned(values: np.ndarray) -> np.ndarray:
    """Every n-th value, and all at both ends."""
    every = -(-len(values) // MOST_POINTS)
    low, high = np.quantile(values, [EXTREMES, 1 - EXTREMES])
    return values[(np.arange(len(values)) % every == 0) | (values <= low) | (values >= high)]


def density_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian kernels of Scott's width (1992) on binned values, so that a million values take no longer."""
    counts, edges = np.histogram(values, BINS)
    middles = (edges[1:] + edges[:-1]) / 2
    width = max(float(np.std(values, ddof=1)) * len(values) ** -0.2, middles[1] - middles[0])
    places = np.linspace(edges[0], edges[-1], PLACES)
    return places, np.exp(-(((places[:, None] - middles) / width) ** 2) / 2) @ counts
