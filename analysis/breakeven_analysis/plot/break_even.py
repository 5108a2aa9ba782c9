# SPDX-License-Identifier: Apache-2.0
"""The break-even map: speed-up by batch and model size, with the line above which more GPUs pay."""

import math
from typing import Any

import matplotlib as mpl
import matplotlib.patheffects
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from breakeven_analysis.answers import Advice, Report
from breakeven_analysis.plot.choice import choose, listed, only_value, runs_words
from breakeven_analysis.plot.colours import BLACK, GREY, mark_of
from breakeven_analysis.plot.figure import (
    batch_axis,
    bottom_legend,
    head,
    in_thousands,
    label_columns,
    panel_grid,
    styled,
)

FASTEST = "fastest strategy"
COLOURS = mpl.colormaps["cividis"]  # from dark to light in grey print too; lighter is faster
NUMBERS = ["speedup", "speedup_low", "speedup_high"]


@styled
def break_even_map(
    report: Report,
    advice: Advice,
    strategies: list[str] | str | None = None,
    gpus: int | None = None,
    precision: str | None = None,
) -> Figure:
    """One panel per strategy, and one for the fastest at each point; read `advice` with "--map".

    Areas are predictions for the advised shape in all sizes. Marks are measurements of models of any shape.
    """
    if "map" not in advice.said:
        raise ValueError('the advice has no map: read it with read_advice(path, model, batch, "--map")')
    predicted = advice.table("map")
    gpus = only_value("gpus", predicted["gpus"].tolist(), gpus)
    precision = only_value("precision", predicted["precision"], precision)
    predicted = predicted[(predicted["gpus"] == gpus) & (predicted["precision"] == precision)]
    cases = choose(report, report.timed(), gpus=gpus, precision=precision)
    cases = cases[cases["speedup"].notna() & (cases["scaling"] == "strong")]
    wanted = [strategies] if isinstance(strategies, str) else strategies
    panels = wanted or [FASTEST, *sorted(set(predicted["strategy"]))]
    known = {FASTEST, *predicted["strategy"]}
    for name in panels:
        if name not in known:
            raise ValueError(f"the map has no {name!r}; choose from {listed(sorted(known))}")
    figure, grid = panel_grid(len(panels), 2.9, 2.7)
    norm = norm_of(predicted, cases)
    for axes, name in zip(grid.flat, panels, strict=False):
        draw_panel(axes, name, predicted, cases, norm)
    finish(figure, grid, cases, norm, report.vocabulary.verdicts)
    head(
        figure,
        f"Break-even by batch and model size ({gpus} GPUs, {precision})",
        f"{report.machine}; areas: predicted; marks: measured, {runs_words(cases)}",
    )
    return figure


def norm_of(predicted: pd.DataFrame, cases: pd.DataFrame) -> BoundaryNorm:
    """Steps of a quarter octave; 1 is one of the borders."""
    both = np.concatenate([predicted["speedup"], cases.loc[cases["gpus"] > 1, "speedup"]])
    low, high = math.floor(4 * math.log2(np.nanmin(both))), math.ceil(4 * math.log2(np.nanmax(both)))
    levels = [2 ** (quarter / 4) for quarter in range(max(low, -12), high + 1)]
    return BoundaryNorm(levels, 256, extend="min" if low < -12 else "neither")


def draw_panel(axes: Axes, name: str, predicted: pd.DataFrame, cases: pd.DataFrame, norm: BoundaryNorm) -> None:
    axes.set_title(name)
    axes.set_yscale("log")
    axes.set_xscale("log", base=2)
    own = predicted if name == FASTEST else predicted[predicted["strategy"] == name]
    best = own.loc[own.groupby(["parameters", "batch"])["speedup"].idxmax()]
    surface = {number: best.pivot(index="parameters", columns="batch", values=number) for number in NUMBERS}
    batches, sizes = surface["speedup"].columns.to_numpy(float), surface["speedup"].index.to_numpy(float)
    middle, low, high = (surface[number].to_numpy(float) for number in NUMBERS)
    axes.contourf(batches, sizes, middle, levels=norm.boundaries, cmap=COLOURS, norm=norm, extend=norm.extend)
    reach = np.minimum(-np.log(low), np.log(high))  # above 0 the interval contains 1
    if np.nanmax(reach) > 0:
        axes.contourf(batches, sizes, reach, levels=[0, np.inf], colors="none", hatches=["////"])
    if np.nanmin(middle) < 1 < np.nanmax(middle):
        axes.contour(batches, sizes, middle, levels=[1], colors="white", linewidths=4)
        axes.contour(batches, sizes, middle, levels=[1], colors=BLACK, linewidths=2)
    for mark, points in measured(name, cases):
        look = {"s": 34, "marker": mark, "edgecolors": "white", "linewidths": 1.1, "zorder": 4}
        axes.scatter(points["batch"], points["parameters"], c=points["speedup"], cmap=COLOURS, norm=norm, **look)
    if name == FASTEST:
        name_areas(axes, best)
    limit(axes, predicted, cases)


def measured(name: str, cases: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The measured points, by the verdict's mark."""
    shared = cases[cases["gpus"] > 1]
    if name == FASTEST:
        points = shared.loc[shared.groupby(["model", "batch"])["speedup"].idxmax()]
    else:
        points = shared[shared["strategy"] == name]
    return [(mark_of(str(verdict)).marker, group) for verdict, group in points.groupby("verdict")]


def name_areas(axes: Axes, best: pd.DataFrame) -> None:
    """Writes each strategy's name into the area where it is fastest, if the area is large enough."""
    halo = [mpl.patheffects.withStroke(linewidth=2.5, foreground="white")]
    for strategy, area in best.groupby("strategy"):
        if len(area) < 0.08 * len(best):
            continue
        x, y = np.log(area["batch"].to_numpy(float)), np.log(area["parameters"].to_numpy(float))
        away = np.hypot((x - x.mean()) / np.ptp(x), (y - y.mean()) / np.ptp(y))
        at = int(np.argmin(away))  # a point of the area, even if its middle is outside
        look = {"ha": "center", "va": "center", "fontsize": 9.5, "fontweight": "bold", "color": BLACK, "zorder": 5}
        place = (float(np.exp(x[at])), float(np.exp(y[at])))
        axes.annotate(str(strategy), place, path_effects=halo, **look)


def limit(axes: Axes, predicted: pd.DataFrame, cases: pd.DataFrame) -> None:
    """Slightly beyond all sizes and batches, so that no mark is cut off."""
    for axis, set_limits in (("batch", axes.set_xlim), ("parameters", axes.set_ylim)):
        both = pd.concat([predicted[axis], cases[axis]]).astype(float)
        room = (both.max() / both.min()) ** 0.035
        set_limits(both.min() / room, both.max() * room)


def finish(figure: Figure, grid: Any, cases: pd.DataFrame, norm: BoundaryNorm, verdicts: dict[str, str]) -> None:
    batch_axis(grid[0, 0], cases["batch"])
    grid[0, 0].yaxis.set_major_formatter(lambda value, _: in_thousands(value))
    grid[0, 0].yaxis.set_minor_locator(NullLocator())
    label_columns(grid, "global batch")
    for axes in grid[:, 0]:
        axes.set_ylabel("parameters")
    for axes in grid.flat:
        axes.tick_params(length=2.5)
    bar = figure.colorbar(mpl.cm.ScalarMappable(norm, COLOURS), ax=list(grid.flat), shrink=0.8, aspect=28, pad=0.015)
    bar.set_ticks([level for level in norm.boundaries if math.log2(level) % 0.5 == 0], minor=False)
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:.2g}×")
    bar.ax.axhline(1, color=BLACK, linewidth=2)
    bar.set_label("speed-up over one GPU")
    bar.outline.set_visible(False)
    handles = [
        Line2D([], [], color=BLACK, linewidth=2, label="predicted break-even"),
        Patch(facecolor="none", edgecolor=GREY, hatch="////", label="undecided: the 95 % interval contains 1"),
    ]
    shown = set(cases.loc[cases["gpus"] > 1, "verdict"])
    look = {"linestyle": "none", "color": GREY, "markersize": 6}
    for key, label in verdicts.items():
        if key in shown:
            handles.append(Line2D([], [], marker=mark_of(key).marker, label=f"measured: {label}", **look))
    bottom_legend(figure, handles, 4)
