# SPDX-License-Identifier: Apache-2.0
"""The break-even map: speed-up by batch and model size, with the line above which more GPUs pay."""

import math
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.patheffects
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from breakeven_analysis.answers import Advice, Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import choose, intervals_words, listed, only_value, runs_words
from breakeven_analysis.plot.colours import BLACK, FASTER, GREY, SLOWER, mark_of
from breakeven_analysis.plot.devices import devices_of
from breakeven_analysis.plot.figure import (
    batch_axis,
    bottom_legend,
    head,
    in_thousands,
    label_columns,
    panel_grid,
    styled,
)
from breakeven_analysis.plot.verdicts import all_of, counted, is_open, paying, undecided_words

FASTEST = "fastest strategy"
NUMBERS = ["speedup", "speedup_low", "speedup_high"]
# Orange is slower than one GPU, green faster; the lightness rises throughout, with a step at 1, for grey prints.
BELOW_ONE = LinearSegmentedColormap.from_list("slower", ["#3a1500", SLOWER, "#cf661e"])
ABOVE_ONE = LinearSegmentedColormap.from_list("faster", [FASTER, "#93dcc4", "#ecfaf5"])
LOWEST, HIGHEST = 0.125, 8.0  # of the colours; slower and faster ones look alike
STRIP = 1.25  # from a single batch or size to the borders of its strip
LABEL = (0.06, 0.05)  # half of a label's width and height, as shares of the panel


@styled
def break_even_map(
    report: Report,
    advice: Advice,
    strategies: list[str] | str | None = None,
    gpus: int | None = None,
    precision: str | None = None,
) -> Figure:
    """The fastest strategy at each point, or one panel per named strategy; read `advice` with "--map".

    Areas are predictions for the advised shape in all sizes; the outermost reach to the measured sizes and batches next
    to them. Marks are measurements of models of any shape and known size.
    """
    if "map" not in advice.said:
        raise PictureError('the advice has no map: read it with read_advice(path, model, batch, "--map")')
    predicted = advice.table("map").dropna(subset="speedup")
    if predicted.empty:
        raise PictureError("the map has no prediction: breakeven advise predicts nothing from the cases of this file")
    gpus = only_value("gpus", predicted["gpus"].tolist(), gpus)
    precision = only_value("precision", predicted["precision"], precision)
    predicted = predicted[(predicted["gpus"] == gpus) & (predicted["precision"] == precision)]
    cases = report.timed()
    cases = choose(report, cases[cases["scaling"] == "strong"], gpus=gpus, precision=precision)
    cases = cases[cases["speedup"].notna() & (cases["parameters"] > 0)]
    wanted = [strategies] if isinstance(strategies, str) else strategies
    panels = wanted or [FASTEST]
    known = {FASTEST, *predicted["strategy"]}
    for name in panels:
        if name not in known:
            raise PictureError(f"the map has no {name!r}; choose from {listed(sorted(known))}")
    figure, grid = panel_grid(len(panels), *((5.4, 3.9) if len(panels) == 1 else (3.6, 3.1)))
    scale = Scale.of(predicted, cases)
    drawn = [
        draw_panel(axes, name, predicted, measured(name, cases), scale, cases)
        for axes, name in zip(grid.flat, panels, strict=False)
    ]
    for axes in grid.flat[: len(panels)]:
        limit(axes, predicted, cases)
    finish(figure, grid, cases, scale, report)
    bottom_legend(figure, entries(Areas(*map(any, zip(*drawn, strict=True))), cases, report), 4)
    points = measured(panels[0], cases)
    by = "" if panels[0] == FASTEST else f" with {panels[0]}"
    head(
        figure,
        finding(points, f"{gpus} {devices_of(report.machine).several}", by),
        f"{report.machine} in {precision}; areas: predicted; marks: measured, {intervals_words(cases)}, "
        + runs_words(report, cases),
    )
    return figure


def finding(points: pd.DataFrame, gpus: str, by: str) -> str:
    names = ("measured point", "measured points")
    if is_open(points):
        return f"Undecided at {all_of(len(points), *names)} whether {gpus} pay{by}"
    return f"{gpus} pay at {counted(len(paying(points)), len(points), *names)}{by}{undecided_words(points)}"


class Scale(NamedTuple):
    """Colours in steps of a quarter octave of the speed-up; 1 is one of the borders."""

    levels: list[float]
    colours: ListedColormap
    norm: BoundaryNorm
    open_ends: str  # of the colour bar: "min", "max", "both" or "neither"

    @staticmethod
    def of(predicted: pd.DataFrame, cases: pd.DataFrame) -> "Scale":
        both = np.concatenate([predicted["speedup"], cases["speedup"]])
        ends = np.clip([np.nanmin(both), np.nanmax(both)], [LOWEST, 2**0.25], [2**-0.25, HIGHEST])
        quarters = range(math.floor(4 * math.log2(ends[0])), math.ceil(4 * math.log2(ends[1])) + 1)
        levels = [2 ** (quarter / 4) for quarter in quarters]
        below, above = -quarters[0], quarters[-1]
        colours = [*BELOW_ONE(np.linspace(0, 1, below)), *ABOVE_ONE(np.linspace(0, 1, above))]
        cmap = ListedColormap(colours).with_extremes(under=colours[0], over=colours[-1])
        beyond = (bool(np.nanmin(both) < levels[0]), bool(np.nanmax(both) > levels[-1]))
        ends_open = {(True, False): "min", (False, True): "max", (True, True): "both"}.get(beyond, "neither")
        return Scale(levels, cmap, BoundaryNorm(levels, below + above, clip=True), ends_open)


class Areas(NamedTuple):
    """What a panel shows besides colours and marks."""

    line: bool  # of the predicted break-even
    undecided: bool


def draw_panel(
    axes: Axes, name: str, predicted: pd.DataFrame, points: pd.DataFrame, scale: Scale, cases: pd.DataFrame
) -> Areas:
    axes.set_title(name)
    axes.set_yscale("log")
    axes.set_xscale("log", base=2)
    own = predicted if name == FASTEST else predicted[predicted["strategy"] == name]
    best = own.loc[own.groupby(["parameters", "batch"])["speedup"].idxmax()]
    batches, sizes, middle, low, high = surface_of(best, cases)
    shown = np.clip(middle, scale.levels[0], scale.levels[-1])
    axes.contourf(batches, sizes, shown, levels=scale.levels, cmap=scale.colours, norm=scale.norm)
    reach = np.minimum(-np.log(low), np.log(high))  # above 0 the interval contains 1
    reach = np.where(np.isfinite(reach), reach, 1.0)
    if reach.max() > 0:
        axes.contourf(batches, sizes, reach, levels=[0, np.inf], colors="none", hatches=["////"])
    has_line = bool(np.nanmin(middle) < 1 < np.nanmax(middle))
    if has_line:
        axes.contour(batches, sizes, middle, levels=[1], colors="white", linewidths=4)
        axes.contour(batches, sizes, middle, levels=[1], colors=BLACK, linewidths=2)
    ring = [mpl.patheffects.withStroke(linewidth=3, foreground="white")]  # else dark marks vanish in dark areas
    look = {"s": 44, "edgecolors": BLACK, "linewidths": 0.9, "zorder": 4, "clip_on": False, "path_effects": ring}
    for verdict, group in points.groupby("verdict"):
        coloured = {"c": group["speedup"], "cmap": scale.colours, "norm": scale.norm}
        axes.scatter(group["batch"], group["parameters"], marker=mark_of(str(verdict)).marker, **coloured, **look)
    if name == FASTEST:
        name_areas(axes, best, points)
    return Areas(has_line, bool(reach.max() > 0))


def surface_of(best: pd.DataFrame, cases: pd.DataFrame) -> list[Any]:
    """Batches, sizes, and by them the speed-up with its ends; a single batch or size becomes a strip around it."""
    table = best.pivot(index="parameters", columns="batch", values=NUMBERS)
    values = [table[number].to_numpy(float) for number in NUMBERS]
    places = []
    for axis, of, measured_at in (
        (1, table["speedup"].columns, cases["batch"]),
        (0, table["speedup"].index, cases["parameters"]),
    ):
        place = of.to_numpy(float)
        if len(place) == 1:
            place = place[0] * np.array([1 / STRIP, STRIP])
            values = [np.repeat(value, 2, axis) for value in values]
        else:
            place, rows = reaching(place, float(measured_at.min()), float(measured_at.max()))
            values = [np.take(value, rows, axis) for value in values]
        places.append(place)
    return [*places, *values]


def reaching(place: np.ndarray, least: float, most: float) -> tuple[np.ndarray, list[int]]:
    """The places with the measured ends that are within a step of them, and which prediction each has."""
    rows = list(range(len(place)))
    if place[0] / (place[1] / place[0]) <= least < place[0]:
        place, rows = np.concatenate([[least], place]), [0, *rows]
    if place[-1] < most <= place[-1] * (place[-1] / place[-2]):
        place, rows = np.concatenate([place, [most]]), [*rows, rows[-1]]
    return place, rows


def measured(name: str, cases: pd.DataFrame) -> pd.DataFrame:
    """The measured points of a panel."""
    if name == FASTEST:
        return cases.loc[cases.groupby(["model", "batch"])["speedup"].idxmax()]
    return cases[cases["strategy"] == name]


def name_areas(axes: Axes, best: pd.DataFrame, points: pd.DataFrame) -> None:
    """Writes each strategy's name into the area where it is fastest, if the area is large enough; not onto a mark."""
    halo = [mpl.patheffects.withStroke(linewidth=2.5, foreground="white")]
    marks = np.log(points[["batch", "parameters"]].to_numpy(float))
    spans = np.log(best[["batch", "parameters"]].to_numpy(float))
    width = np.maximum(np.ptp(spans, axis=0), 1)
    for strategy, area in best.groupby("strategy"):
        if len(area) < 0.08 * len(best):
            continue
        places = np.log(area[["batch", "parameters"]].to_numpy(float))
        away = np.hypot(*((places - places.mean(axis=0)) / width).T)
        if len(marks):
            near = np.abs(places[:, None] - marks) / width < LABEL
            away = away + near.all(axis=2).any(axis=1)
        at = np.exp(places[int(np.argmin(away))])  # a point of the area, even if its middle is outside
        look = {"ha": "center", "va": "center", "fontsize": 9.5, "fontweight": "bold", "color": BLACK, "zorder": 5}
        axes.annotate(str(strategy), tuple(at), path_effects=halo, **look)


def limit(axes: Axes, predicted: pd.DataFrame, cases: pd.DataFrame) -> None:
    """Slightly beyond all sizes and batches."""
    for axis, set_limits in (("batch", axes.set_xlim), ("parameters", axes.set_ylim)):
        both = pd.concat([predicted[axis], cases[axis]]).astype(float)
        room = max(STRIP, (both.max() / both.min()) ** 0.035)
        set_limits(both.min() / room, both.max() * room)


def finish(figure: Figure, grid: Any, cases: pd.DataFrame, scale: Scale, report: Report) -> None:
    batch_axis(grid[0, 0], cases["batch"])
    low, high = grid[0, 0].get_ylim()
    if high < 20 * low:  # else powers of ten are enough ticks
        grid[0, 0].set_yticks(sorted(set(cases["parameters"])))
    grid[0, 0].yaxis.set_major_formatter(lambda value, _: in_thousands(value))
    grid[0, 0].yaxis.set_minor_locator(NullLocator())
    label_columns(grid, "global batch")
    for axes in grid[:, 0]:
        axes.set_ylabel("parameters")
    for axes in grid.flat:
        axes.tick_params(length=2.5)
    mappable = mpl.cm.ScalarMappable(scale.norm, scale.colours)
    bar = figure.colorbar(mappable, ax=list(grid.flat), shrink=0.8, aspect=28, pad=0.015, extend=scale.open_ends)
    bar.set_ticks([level for level in scale.levels if math.log2(level) % 0.5 == 0], minor=False)
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:.2g}×")
    bar.ax.axhline(1, color=BLACK, linewidth=2)
    bar.set_label(f"speed-up over one {devices_of(report.machine).one}")
    bar.outline.set_visible(False)


def entries(areas: Areas, cases: pd.DataFrame, report: Report) -> list[Any]:
    """Of the legend: only what is drawn."""
    undecided = "undecided: 95 % interval unknown or around 1"
    handles: list[Any] = []
    if areas.line:
        handles.append(Line2D([], [], color=BLACK, linewidth=2, label="predicted break-even"))
    if areas.undecided:
        handles.append(Patch(facecolor="none", edgecolor=GREY, hatch="////", label=undecided))
    shown = set(cases["verdict"])
    look = {"linestyle": "none", "color": GREY, "markersize": 6}
    for key, label in report.vocabulary.verdicts.items():
        if key in shown:
            handles.append(Line2D([], [], marker=mark_of(key).marker, label=f"measured: {label}", **look))
    return handles
