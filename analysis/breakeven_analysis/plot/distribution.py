# SPDX-License-Identifier: Apache-2.0
"""How step times are distributed, rank by rank: every step a point, and their density beside it."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.plot.runs import case_words, choose_runs
from breakeven_analysis.plot.style import BLACK, BLUE, SKY, head, new_figure, seconds_unit, styled

MOST_POINTS = 4000  # a rank; more cannot be seen apart
PLACES, BINS = 400, 4096  # of the density, and of the steps that it is made of


@styled
def step_distributions(
    dataset: xr.Dataset,
    model: str,
    batch: int,
    strategy: str,
    gpus: int | None = None,
    precision: str | None = None,
    instrument: str = "phases",
) -> Figure:
    """With the instrument `phases` a rank's own work, its step less its wait for others; with `total` its step.

    Of more than 4,000 steps every n-th is a point; the density is of all. The axis is logarithmic, and the density by
    the logarithm, where the longest step is over ten times the median.
    """
    runs = choose_runs(
        dataset, model=model, batch=batch, strategy=strategy, gpus=gpus, precision=precision, instrument=instrument
    )
    ranks = int(runs["gpus"][0])
    seconds = runs["seconds"].sel(phase=["step", "wait"]).isel(step=slice(int(runs["steps"].max()))).load()
    times = [own_seconds(seconds.isel(rank=rank), instrument) for rank in range(ranks)]
    size, unit = seconds_unit(float(np.median(times[0])))
    figure = new_figure(9.0, 1.6 + 0.85 * ranks)
    axes = figure.subplots()
    if any(own.max() > 10 * np.median(own) and own.min() > 0 for own in times):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for rank, own in enumerate(times):
        draw_rank(axes, rank, own / size)
    axes.set_yticks(range(ranks), [f"rank {rank}" for rank in range(ranks)])
    axes.set_ylim(ranks - 0.45, -0.75)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    what = "own work of a step" if instrument == "phases" else "step"
    axes.set_xlabel(f"{what} ({unit})")
    head(
        figure,
        f"Step times by rank: {case_words(runs)}",
        f"{runs['machine'][0].item()}; {runs.sizes['run']} runs, {len(times[0]):,} steps a rank",
    )
    return figure


def own_seconds(steps: xr.DataArray, instrument: str) -> np.ndarray:
    """Of every measured step of every run; what was not measured is left out of the picture."""
    seconds = steps.sel(phase="step")
    if instrument == "phases":
        seconds = seconds - steps.sel(phase="wait")
    values = seconds.to_numpy().ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        raise ValueError(f"rank {int(steps['rank'])} has no measured step")
    return values


def draw_rank(axes: Axes, rank: int, seconds: np.ndarray) -> None:
    """Points below the line of the rank, the density above; the scatter within the points means nothing."""
    shown = seconds[:: -(-len(seconds) // MOST_POINTS)]
    scatter = np.random.default_rng(rank).uniform(0.06, 0.34, len(shown))
    axes.scatter(shown, rank + scatter, s=5, color=BLUE, alpha=0.35, linewidths=0, rasterized=True)
    if np.ptp(seconds) > 0:
        is_log = axes.get_xscale() == "log"
        places, values = density_of(np.log(seconds) if is_log else seconds)
        places = np.exp(places) if is_log else places
        shape = {"coords": places, "vals": values, "mean": 0, "median": 0, "min": places[0], "max": places[-1]}
        parts = axes.violin([shape], [rank], orientation="horizontal", widths=0.9, showextrema=False, side="low")
        parts["bodies"][0].set(facecolor=SKY, edgecolor=BLACK, linewidth=0.8, alpha=1)


def density_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian kernels of Scott's width (1992), on values counted in narrow bins, so that a million take no longer."""
    counts, edges = np.histogram(values, BINS)
    middles = (edges[1:] + edges[:-1]) / 2
    width = max(float(np.std(values, ddof=1)) * len(values) ** -0.2, middles[1] - middles[0])
    places = np.linspace(edges[0], edges[-1], PLACES)
    return places, np.exp(-(((places[:, None] - middles) / width) ** 2) / 2) @ counts
