# SPDX-License-Identifier: Apache-2.0
"""Figures, axes, titles and legends that all pictures share."""

import math
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import pairwise
from textwrap import wrap
from typing import Any, ParamSpec

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import Locator

from breakeven_analysis.numbers import significant
from breakeven_analysis.plot.colours import BLACK, GREY

SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": BLACK,
    "ytick.labelcolor": BLACK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "hatch.linewidth": 0.7,
    "savefig.dpi": 144,
    "text.parse_math": False,  # names and currencies have dollars of their own
}

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MARGIN, LINE = 0.1, 1.35  # inches; font sizes from line to line
TITLE: dict[str, Any] = {"fontsize": 12.5, "fontweight": "bold", "color": BLACK}
BELOW: dict[str, Any] = {"fontsize": 9, "color": GREY}
TITLE_LETTERS, BELOW_LETTERS, LEGEND_LETTERS = 8.8, 13.0, 13.0  # an inch
BOUNDS_ARE = "bounds are computed from measured means, without an interval"
ENTRY = 0.6  # inches of a legend's entry besides its letters

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Applies the settings of all pictures while `draw` runs, and restores the caller's afterwards."""

    @wraps(draw)
    def with_settings(*arguments: Arguments.args, **options: Arguments.kwargs) -> Figure:
        with mpl.rc_context(SETTINGS):
            return draw(*arguments, **options)

    return with_settings


def new_figure(width: float, height: float) -> Figure:
    """In inches. pyplot does not know the figure, so it is freed when the caller drops it."""
    return Figure(figsize=(width, height), layout="constrained")


def panel_grid(count: int, width: float, height: float) -> tuple[Figure, Any]:
    """`count` panels of that size in inches with one scale, three in a row; unused places stay empty."""
    columns = min(3, count)
    rows = math.ceil(count / columns)
    figure = new_figure(2.1 + width * columns, 1.5 + height * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    return figure, grid


def label_columns(grid: Any, label: str) -> None:
    """Labels the x axis of the lowest panel of every column, and shows its ticks."""
    for column in grid.T:
        lowest = [axes for axes in column if axes.axison][-1]
        lowest.set_xlabel(label)
        lowest.tick_params(labelbottom=True)


def head(figure: Figure, title: str, below: str) -> None:
    """The finding, and below it the source of the numbers. The figure grows by the lines that need more than one."""
    width = figure.get_figwidth() - 2 * MARGIN
    lines = [(line, TITLE) for line in wrap(title, int(TITLE_LETTERS * width))]
    lines += [(line, BELOW) for line in wrap(below, int(BELOW_LETTERS * width))]
    heights = [LINE * look["fontsize"] / 72 for _, look in lines]
    height = figure.get_figheight() + sum(heights) - LINE * (TITLE["fontsize"] + BELOW["fontsize"]) / 72
    figure.set_figheight(height)
    top = height - MARGIN
    for (line, look), own in zip(lines, heights, strict=True):
        figure.text(MARGIN / figure.get_figwidth(), top / height, line, va="top", **look)
        top -= own
    figure.get_layout_engine().set(rect=(0, 0, 1, (top - MARGIN) / height))


def bottom_legend(figure: Figure, handles: list[Any], columns: int, **options: Any) -> None:
    """Below all axes, at most so many entries in a row, and no more than fit. The figure grows by further rows."""
    widths = [ENTRY + len(handle.get_label()) / LEGEND_LETTERS for handle in handles]
    room = figure.get_figwidth() - 2 * MARGIN
    fitting = [count for count in range(1, min(columns, len(handles)) + 1) if width_of(widths, count) < room]
    rows = math.ceil(len(handles) / max(fitting, default=1))
    figure.set_figheight(figure.get_figheight() + 0.19 * (rows - 1))
    figure.legend(handles=handles, loc="outside lower center", ncols=max(fitting, default=1), **options)


def width_of(widths: list[float], columns: int) -> float:
    """Of a legend, which fills one column after another."""
    rows = math.ceil(len(widths) / columns)
    return sum(max(widths[first : first + rows]) for first in range(0, len(widths), rows))


def batch_axis(axes: Axes, batches: Iterable[int]) -> None:
    """Logarithmic, with a tick at every measured batch."""
    ticks = sorted(set(batches))
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [in_thousands(batch) for batch in ticks])
    axes.minorticks_off()


def row_axis(axes: Axes, names: list[str], first: float, last: float) -> None:
    """One row per name; the axis goes from `first` at the bottom to `last` at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(first, last)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")


def draw_interval(axes: Axes, row: int, ends: tuple[float, float, float], colour: str, **mark: Any) -> None:
    """A horizontal bar from the low to the high end, and the mark of the middle: ends are low, middle, high."""
    low, middle, high = ends
    axes.plot([low, high], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt")
    axes.plot([middle], [row], **{"color": colour, **mark})


def log_scale(axes: Axes, side: str) -> None:
    """A logarithmic x or y axis with ticks at 1, 2 and 5 times powers of ten; fewer if their labels have no room."""
    axis = axes.xaxis if side == "x" else axes.yaxis
    axes.set(**{f"{side}scale": "log"})
    axis.set_major_locator(RoomyTicks())
    axis.set_major_formatter(power_words)
    axes.minorticks_off()


class RoomyTicks(Locator):  # type: ignore[misc]
    """Of a logarithmic axis: the densest of several patterns whose labels do not touch each other when drawn."""

    def __call__(self) -> list[float]:
        return self.tick_values(*sorted(self.axis.get_view_interval()))

    def tick_values(self, low: float, high: float) -> list[float]:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        ticks: list[float] = []
        for bases, every in [((1, 2, 5), 1), *(((1,), every) for every in range(1, len(powers)))]:
            pattern = [float(f"{base}e{power}") for power in powers if power % every == 0 for base in bases]
            ticks = [tick for tick in pattern if low <= tick <= high]
            if self.have_room(ticks, math.log10(high / low)):
                break
        return ticks

    def have_room(self, ticks: list[float], decades: float) -> bool:
        """A letter is at most 0.65 font sizes wide; between two labels there is as much again."""
        size = SETTINGS["font.size"]
        is_x = self.axis.axis_name == "x"
        extent = self.axis.axes.get_window_extent()
        a_decade = (extent.width if is_x else extent.height) * 72 / self.axis.figure.dpi / size / decades  # font sizes
        letters = [len(power_words(tick)) for tick in ticks]
        needed = [0.65 * ((one + other) / 2 + 1) if is_x else 1.6 for one, other in pairwise(letters)]
        return all(
            room <= a_decade * math.log10(high / low) for room, (low, high) in zip(needed, pairwise(ticks), strict=True)
        )


def power_words(value: float, _: Any = None) -> str:
    """For ticks: small and large numbers as powers of ten, such as 2·10⁻⁵."""
    if 1e-4 < abs(value) < 1e6 or value == 0:
        return f"{value:g}"
    base, power = f"{value:e}".split("e")
    raised = "10" + str(int(power)).translate(RAISED)
    return raised if float(base) == 1 else f"{float(base):g}·{raised}"


def in_thousands(count: float) -> str:
    """Such as 512, 4k (4,096), 6.9M."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if count >= size:
            return f"{count / size:.3g}{letter}"
    if count >= 1024 and count % 1024 == 0:
        return f"{count // 1024:g}k"
    return f"{count:,.0f}"


def times(value: float, _: Any = None) -> str:
    """A speed-up, for ticks: never with an exponent."""
    if value >= 100:
        return f"{value:,.0f}×"
    digits = significant(value, 3 if value >= 0.1 else 2)
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}×"


def parameters_words(count: float) -> str:
    """A model's size: "640", "8.91 k", "124 M"."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.3g} {letter}"
    return f"{count:g}"


def model_words(model: str, parameters: float) -> str:
    """A model with its size, if that is known."""
    return f"{model}  ({parameters_words(parameters)})" if parameters > 0 else model


def seconds_unit(seconds: float) -> tuple[float, str]:
    """The unit that makes this time a handy number."""
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return size, unit
    return 1e-6, "µs"
