# SPDX-License-Identifier: Apache-2.0
"""How step times are distributed, rank by rank: every step a point, and their density beside it."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.plot.runs import case_words, choose_runs
from breakeven_analysis.plot.style import BLACK, BLUE, SKY, head, new_figure, seconds_unit, styled

MOST_POINTS = 4000  # a rank; more cannot be seen apart


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

    Of more than 4,000 steps every n-th is a point; the density is of all.
    """
    runs = choose_runs(
        dataset, model=model, batch=batch, strategy=strategy, gpus=gpus, precision=precision, instrument=instrument
    )
    ranks = int(runs["gpus"][0])
    times = [own_seconds(runs, rank, instrument) for rank in range(ranks)]
    size, unit = seconds_unit(float(times[0].max()))
    figure = new_figure(9.0, 1.6 + 0.85 * ranks)
    axes = figure.subplots()
    for rank, seconds in enumerate(times):
        draw_rank(axes, rank, seconds / size)
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


def own_seconds(runs: xr.Dataset, rank: int, instrument: str) -> np.ndarray:
    """Of every measured step of every run; what was not measured is left out of the picture."""
    steps = runs["seconds"].isel(rank=rank, step=slice(int(runs["steps"].max())))
    seconds = steps.sel(phase="step")
    if instrument == "phases":
        seconds = seconds - steps.sel(phase="wait")
    values = seconds.to_numpy().ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        raise ValueError(f"rank {rank} has no measured step")
    return values


def draw_rank(axes: Axes, rank: int, seconds: np.ndarray) -> None:
    """Points below the line of the rank, the density above; the scatter within the points means nothing."""
    shown = seconds[:: -(-len(seconds) // MOST_POINTS)]
    scatter = np.random.default_rng(rank).uniform(0.06, 0.34, len(shown))
    axes.scatter(shown, rank + scatter, s=5, color=BLUE, alpha=0.35, linewidths=0, rasterized=True)
    if np.ptp(seconds) > 0:
        body = axes.violinplot(
            [seconds], [rank], orientation="horizontal", widths=0.9, showextrema=False, points=400, side="low"
        )["bodies"][0]
        body.set(facecolor=SKY, edgecolor=BLACK, linewidth=0.8, alpha=1)
