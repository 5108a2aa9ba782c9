# SPDX-License-Identifier: Apache-2.0
"""Loss against time: what the steps of a fast strategy are worth."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.plot.runs import choose_runs
from breakeven_analysis.plot.style import LINES, Line, head, new_figure, seconds_unit, styled


@styled
def loss_against_time(
    dataset: xr.Dataset, model: str, batch: int, strategies: list[str], precision: str | None = None
) -> Figure:
    """One line a run, of measured steps. A step's loss is the sum of the ranks' shares, its time the longest rank's.

    Warm-up steps teach the model too: time and loss begin behind them.
    """
    if len(strategies) > len(LINES):
        raise ValueError(f"{len(strategies)} strategies are more than a picture can tell apart, which is {len(LINES)}")
    figure = new_figure(8.2, 4.4)
    axes = figure.subplots()
    chosen = {
        strategy: choose_runs(
            dataset, model=model, batch=batch, strategy=strategy, gpus=None, instrument="total", precision=precision
        )
        for strategy in strategies
    }
    curves = {strategy: curves_of(runs) for strategy, runs in chosen.items()}
    longest = max(float(np.nanmax(seconds)) for pairs in curves.values() for seconds, _ in pairs)
    size, unit = seconds_unit(longest)
    for line, pairs in zip(LINES, curves.values(), strict=False):
        draw_strategy(axes, pairs, line, size)
    axes.set_xlabel(f"time from the first measured step on ({unit})")
    axes.set_ylabel("loss")
    axes.grid(True)
    handles = [
        line.handle(f"{strategy} on {int(chosen[strategy]['gpus'][0])}")
        for line, strategy in zip(LINES, strategies, strict=False)
    ]
    axes.legend(handles=handles)
    one = chosen[strategies[0]].isel(run=0)
    head(
        figure,
        f"Loss of {model} at batch {batch:,} against time ({one['precision'].item()})",
        f"{one['machine'].item()}; one line a run, {int(one['warmup'])} warm-up steps before",
    )
    return figure


def curves_of(runs: xr.Dataset) -> list[tuple[np.ndarray, np.ndarray]]:
    """(time at its end, loss) of every measured step of every run."""
    steps, gpus = int(runs["steps"].max()), int(runs["gpus"].max())
    part = runs.isel(rank=slice(gpus), step=slice(steps))
    seconds = part["seconds"].sel(phase="step").max("rank").cumsum("step", skipna=False).to_numpy()
    loss = part["loss"].sum("rank", min_count=1).to_numpy()
    return list(zip(seconds, loss, strict=True))


def draw_strategy(axes: Axes, pairs: list[tuple[np.ndarray, np.ndarray]], line: Line, size: float) -> None:
    """Marks on a few steps of the first run alone, so that lines can be told apart in grey."""
    for number, (seconds, loss) in enumerate(pairs):
        marks = max(1, len(loss) // 8)
        axes.plot(
            seconds / size,
            loss,
            color=line.colour,
            linestyle=line.dashes,
            linewidth=1.1,
            alpha=0.85,
            marker=line.marker if number == 0 else None,
            markevery=marks,
            markersize=5,
        )
