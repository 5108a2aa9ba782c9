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
from matplotlib.transforms import ScaledTranslation

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import (
    by_size,
    choose,
    configuration_names,
    intervals_words,
    listed,
    precision_words,
    runs_words,
)
from breakeven_analysis.plot.colours import BLACK, GREY, LIGHT, LINES, Line
from breakeven_analysis.plot.devices import devices_of, machine_words
from breakeven_analysis.plot.figure import (
    BOUNDS_ARE,
    batch_axis,
    bottom_legend,
    head,
    label_columns,
    model_words,
    panel_grid,
    styled,
    times,
)
from breakeven_analysis.plot.verdicts import all_of, counted, is_open, paying

MOST_WITH_BOUNDS = 2  # the bounds of more lines overlap
MOST_TICKS = 8
ASIDE = 3  # points from a line to the next

Lines = dict[tuple[str, int], Line]


@styled
def speedup_by_batch(
    report: Report, models: list[str] | str | None = None, strategies: list[str] | str | None = None, **axes: Any
) -> Figure:
    """One panel per model. With one or two lines, short bars show the lowest bound (docs/report.md, Bounds)."""
    cases = choose(report, report.timed(), model=models, strategy=strategies, **axes)
    devices = devices_of(report.machine)
    cases = cases[(cases["gpus"] > 1) & cases["speedup"].notna()]
    if cases.empty:
        raise PictureError(f"none of these cases has more than one {devices.one} and a baseline")
    lines = lines_of(cases)
    panels = by_size(cases)
    cases = cases.assign(bound=bars_of(cases) if len(lines) <= MOST_WITH_BOUNDS else np.nan)
    figure, grid = panel_grid(len(panels), 2.9 if len(panels) > 1 else 4.6, 2.3)
    for panel, model in zip(grid.flat, panels, strict=False):
        own = cases[cases["model"] == model]
        draw_panel(panel, own, lines, report.vocabulary.same_within)
        panel.set_title(model_words(model, own["parameters"].iloc[0]))
    names = dict(
        zip(zip(cases["strategy"], cases["gpus"], strict=True), configuration_names(report, cases), strict=True)
    )
    named = {names[pair]: line for pair, line in lines.items()}
    finish(figure, grid, cases, named, devices.one, report.vocabulary.same_within)
    head(
        figure,
        finding(cases, panels, devices.several),
        f"{machine_words(report.machine, cases)} in {precision_words(cases)}; {intervals_words(cases)}, "
        + runs_words(report, cases)
        + bounds_words(cases),
    )
    return figure


def finding(cases: pd.DataFrame, models: list[str], devices: str) -> str:
    """For how many of these models or batches more GPUs pay, by the report's verdicts."""
    open_at = is_open(cases)
    if len(models) > 1:
        if open_at:
            return f"Undecided for {all_of(len(models), 'model', 'models')} whether more {devices} pay"
        some = paying(cases)["model"].nunique()
        return f"More {devices} pay for {counted(some, len(models), 'model', 'models')} at some batch"
    batches = cases["batch"].nunique()
    if open_at:
        return f"Undecided at {all_of(batches, 'batch', 'batches')} whether more {devices} pay for {models[0]}"
    some = paying(cases)["batch"].nunique()
    return f"More {devices} pay for {models[0]} at {counted(some, batches, 'batch', 'batches')}"


def bounds_words(cases: pd.DataFrame) -> str:
    if cases["bound"].isna().all():
        return ""
    is_above = (cases["speedup"] > cases["bound"]).any()
    why = f"; a speed-up may lie above its bound: {BOUNDS_ARE}, and a shared update can exceed Amdahl's"
    return "; short bars: the lowest known bound" + (why if is_above else "")


def lines_of(cases: pd.DataFrame) -> Lines:
    """A line for each strategy and number of GPUs."""
    pairs = sorted({(str(row.strategy), int(row.gpus)) for row in cases.itertuples()})
    if len(pairs) > len(LINES):
        names = listed(sorted({strategy for strategy, _ in pairs}))
        raise PictureError(f"{len(pairs)} lines are too many: choose at most {len(LINES)} of the strategies {names}")
    return dict(zip(pairs, LINES, strict=False))


def draw_panel(axes: Axes, cases: pd.DataFrame, lines: Lines, same: float) -> None:
    axes.axhspan(1 - same, 1 + same, color=LIGHT, linewidth=0)
    axes.axhline(1, color=BLACK, linewidth=1)
    for count in sorted(set(cases["gpus"])):
        axes.axhline(count, color=GREY, linewidth=1, dashes=(5, 3))
    batches = sorted(set(cases["batch"]))
    for place, ((strategy, count), line) in enumerate(lines.items()):
        own = cases[(cases["strategy"] == strategy) & (cases["gpus"] == count)].set_index("batch").reindex(batches)
        aside = ASIDE * (place - (len(lines) - 1) / 2) / 72  # so that no interval hides another's
        beside = axes.transData + ScaledTranslation(aside, 0, axes.figure.dpi_scale_trans)
        draw_line(axes, batches, own, line, transform=beside)
        if own["bound"].notna().any():
            look = {"color": line.colour, "linestyle": "none", "markersize": 12, "markeredgewidth": 1.6}
            axes.plot(batches, own["bound"], marker="_", transform=beside, **look)


def bars_of(cases: pd.DataFrame) -> "pd.Series[float]":
    """The lower of the known bounds. One far below all speed-ups of its model has no bar, which would flatten them."""
    bounds = cases[["amdahl_speedup", "link_speedup"]].astype(float).min(axis="columns")
    return bounds.where(bounds > cases.groupby("model")["speedup"].transform("min") / 2)


def draw_line(axes: Axes, batches: list[int], own: pd.DataFrame, line: Line, **place: Any) -> None:
    """An unmeasured batch breaks the line."""
    middle = own["speedup"].to_numpy(float)
    low, high = own["speedup_low"].to_numpy(float), own["speedup_high"].to_numpy(float)
    line.draw(axes, batches, middle, zorder=3, **place)
    axes.vlines(batches, low, high, color=line.colour, linewidth=2.2, zorder=2.9, **place)


def finish(figure: Figure, grid: Any, cases: pd.DataFrame, lines: dict[str, Line], device: str, same: float) -> None:
    first: Axes = grid[0, 0]
    first.set_yscale("log", base=2)
    low, high = speedup_range(cases)
    first.set_ylim(low, high)
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    every = math.ceil(len(powers) / MOST_TICKS)
    first.yaxis.set_major_locator(FixedLocator([2.0**power for power in powers if power % every == 0]))
    first.yaxis.set_major_formatter(times)
    first.yaxis.set_minor_locator(NullLocator())
    batch_axis(first, cases["batch"])
    least, most = cases["batch"].min(), cases["batch"].max()
    room = max(1.2, (most / least) ** 0.05)
    first.set_xlim(least / room, most * room)
    for axes in grid.flat:
        axes.grid(True, axis="y")
        axes.tick_params(length=2.5)
    label_columns(grid, "global batch")
    for axes in grid[:, 0]:
        axes.set_ylabel(f"speed-up over one {device}")
    handles: list[Any] = [line.handle(name) for name, line in lines.items()]
    handles += [
        Line2D([], [], color=BLACK, linewidth=1, label=f"one {device} (grey: ± {100 * same:g} %)"),
        Line2D([], [], color=GREY, dashes=(5, 3), linewidth=1, label="perfect scaling"),
    ]
    bottom_legend(figure, handles, 6, handlelength=2.6)


def speedup_range(cases: pd.DataFrame) -> tuple[float, float]:
    """From the slowest interval or bar to a little above perfect scaling."""
    known = cases[["speedup", "speedup_low", "speedup_high", "gpus", "bound"]].to_numpy(float)
    return float(np.nanmin(known)) / 1.15, float(np.nanmax(known)) * 1.15
