# SPDX-License-Identifier: Apache-2.0
"""Speed-up against batch: measured points with their intervals, perfect scaling, and the lowest bound."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from breakeven_analysis.answers import Report
from breakeven_analysis.plot.choice import by_size, choose, listed, runs_words
from breakeven_analysis.plot.colours import BLACK, GREY, LIGHT, LINES, Line
from breakeven_analysis.plot.figure import batch_axis, bottom_legend, head, label_columns, panel_grid, styled, times

MOST_WITH_BOUNDS = 2  # the bounds of more lines overlap

Lines = dict[tuple[str, int], Line]


@styled
def speedup_by_batch(
    report: Report, models: list[str] | str | None = None, strategies: list[str] | str | None = None, **axes: Any
) -> Figure:
    """One panel per model. With one or two lines, short bars show the lowest bound (docs/report.md, Bounds)."""
    cases = choose(report, report.timed(), model=models, strategy=strategies, **axes)
    cases = cases[(cases["gpus"] > 1) & cases["speedup"].notna()]
    if cases.empty:
        raise ValueError("none of these cases has more than one GPU and a baseline")
    lines = lines_of(cases)
    panels = by_size(cases)
    figure, grid = panel_grid(len(panels), 2.9, 2.3)
    for panel, model in zip(grid.flat, panels, strict=False):
        own = cases[cases["model"] == model]
        draw_panel(panel, own, lines, report.vocabulary.same_within)
        panel.set_title(f"{model}  ({own['parameters'].iloc[0] / 1e6:.3g} M)")
    finish(figure, grid, cases, lines, report.vocabulary.same_within)
    head(
        figure,
        f"Speed-up over one GPU by global batch ({listed(sorted(set(cases['precision'])))})",
        f"{report.machine}; 95 % intervals, {runs_words(cases)}"
        + ("; short bars: the lowest known bound" if len(lines) <= MOST_WITH_BOUNDS else ""),
    )
    return figure


def lines_of(cases: pd.DataFrame) -> Lines:
    """A line for each strategy and number of GPUs."""
    pairs = sorted({(str(row.strategy), int(row.gpus)) for row in cases.itertuples()})
    if len(pairs) > len(LINES):
        names = listed(sorted({strategy for strategy, _ in pairs}))
        raise ValueError(f"{len(pairs)} lines are too many: choose at most {len(LINES)} of the strategies {names}")
    return dict(zip(pairs, LINES, strict=False))


def draw_panel(axes: Axes, cases: pd.DataFrame, lines: Lines, same: float) -> None:
    axes.axhspan(1 - same, 1 + same, color=LIGHT, linewidth=0)
    axes.axhline(1, color=BLACK, linewidth=1)
    for count in sorted(set(cases["gpus"])):
        axes.axhline(count, color=GREY, linewidth=1, dashes=(5, 3))
    batches = sorted(set(cases["batch"]))
    for (strategy, count), line in lines.items():
        own = cases[(cases["strategy"] == strategy) & (cases["gpus"] == count)].set_index("batch").reindex(batches)
        draw_line(axes, batches, own, line, with_bounds=len(lines) <= MOST_WITH_BOUNDS)


def draw_line(axes: Axes, batches: list[int], own: pd.DataFrame, line: Line, with_bounds: bool) -> None:
    """An unmeasured batch breaks the line."""
    middle = own["speedup"].to_numpy(float)
    low, high = own["speedup_low"].to_numpy(float), own["speedup_high"].to_numpy(float)
    line.draw(axes, batches, middle, zorder=3)
    axes.vlines(batches, low, high, color=line.colour, linewidth=2.2, zorder=2.9)
    if with_bounds:
        bound = np.fmin(own["amdahl_speedup"].to_numpy(float), own["link_speedup"].to_numpy(float))
        axes.plot(batches, bound, color=line.colour, linestyle="none", marker="_", markersize=12, markeredgewidth=1.6)


def finish(figure: Figure, grid: Any, cases: pd.DataFrame, lines: Lines, same: float) -> None:
    several = cases["gpus"].nunique() > 1
    first: Axes = grid[0, 0]
    first.set_yscale("log", base=2)
    low, high = speedup_range(cases)
    first.set_ylim(low, high)
    powers = [2.0**power for power in range(math.floor(math.log2(low)), math.ceil(math.log2(high)) + 1)]
    first.yaxis.set_major_locator(FixedLocator([power for power in powers if low <= power <= high]))
    first.yaxis.set_major_formatter(times)
    first.yaxis.set_minor_locator(NullLocator())
    batch_axis(first, cases["batch"])
    for axes in grid.flat:
        axes.grid(True, axis="y")
        axes.tick_params(length=2.5)
    label_columns(grid, "global batch")
    handles: list[Any] = [
        line.handle(f"{strategy} on {count}" if several else strategy) for (strategy, count), line in lines.items()
    ]
    handles += [
        Line2D([], [], color=BLACK, linewidth=1, label=f"one GPU (grey: ± {100 * same:g} %)"),
        Line2D([], [], color=GREY, dashes=(5, 3), linewidth=1, label="perfect scaling"),
    ]
    bottom_legend(figure, handles, 6, handlelength=2.6)


def speedup_range(cases: pd.DataFrame) -> tuple[float, float]:
    """From the slowest interval to a little above perfect scaling."""
    low: float = np.nanmin(cases[["speedup", "speedup_low"]].to_numpy(float))
    high: float = np.nanmax(cases[["speedup", "speedup_high", "gpus"]].to_numpy(float))
    return float(low) / 1.15, float(high) * 1.15
