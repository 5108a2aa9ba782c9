# SPDX-License-Identifier: Apache-2.0
"""How all pictures look: colours that the colour-blind tell apart (Okabe and Ito 2008), and something besides
colour, a marker, a line style or a hatch, for those who print in grey."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

BLACK, GREY, LIGHT = "#1a1a1a", "#767676", "#d9d9d9"
ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE = "#0072b2", "#d55e00", "#cc79a7"


class Line(NamedTuple):
    """One of several series."""

    colour: str
    marker: str
    dashes: str

    def draw(self, axes: Axes, x: ArrayLike, y: ArrayLike, zorder: float = 2.0) -> None:
        """Points, joined where neither of two neighbours is missing."""
        axes.plot(
            x,
            y,
            color=self.colour,
            linestyle=self.dashes,
            marker=self.marker,
            markersize=5,
            linewidth=1.4,
            markeredgecolor="white",
            markeredgewidth=0.6,
            zorder=zorder,
        )

    def handle(self, label: str) -> Line2D:
        """For a legend."""
        return Line2D([], [], color=self.colour, linestyle=self.dashes, marker=self.marker, markersize=5, label=label)


LINES = (
    Line(BLUE, "o", "-"),
    Line(VERMILION, "s", "--"),
    Line(GREEN, "^", "-."),
    Line(PURPLE, "D", ":"),
    Line(ORANGE, "v", "-"),
    Line(SKY, "P", "--"),
    Line(BLACK, "X", "-."),
    Line(GREY, "p", ":"),
)


class Fill(NamedTuple):
    """One of several areas."""

    colour: str
    hatch: str


# Colours by the key of a phase. Work in blues and greens, communication in warm colours, what is left in grey.
PHASES = {
    "input": Fill("#cfe3f1", ""),
    "forward": Fill(SKY, ""),
    "backward": Fill(BLUE, ""),
    "collect": Fill("#f6d58a", "..."),
    "wait": Fill("#ffffff", "////"),
    "exchange": Fill(VERMILION, ""),
    "optimizer": Fill("#7fcfb6", ""),
    "broadcast": Fill("#f0a27a", "xxx"),
    "overhead": Fill(LIGHT, ""),
}
OTHER = Fill(GREY, "++")  # what has no colour of its own yet


class Mark(NamedTuple):
    """A verdict."""

    colour: str
    marker: str
    filled: bool


MARKS = {
    "pays": Mark(GREEN, "^", True),
    "does_not_pay": Mark(VERMILION, "v", True),
    "same": Mark(BLUE, "s", True),
    "undecided": Mark(GREY, "o", False),
    "machinery": Mark(PURPLE, "D", True),
    "base": Mark(BLACK, "*", True),
}


def mark_of(verdict: str) -> Mark:
    """By the verdict's key; those without a mark of their own are a cross."""
    return MARKS.get(verdict, Mark(GREY, "x", True))


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
}

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """A function that draws, with the settings of all pictures and no trace of them afterwards."""

    @wraps(draw)
    def with_settings(*arguments: Arguments.args, **options: Arguments.kwargs) -> Figure:
        with mpl.rc_context(SETTINGS):
            return draw(*arguments, **options)

    return with_settings


def new_figure(width: float, height: float) -> Figure:
    """Known to no window system, so that a thousand of them leave nothing behind."""
    return Figure(figsize=(width, height), layout="constrained")


def head(figure: Figure, title: str, below: str) -> None:
    """What is seen, and where it comes from."""
    figure.suptitle(f"{title}\n", x=0.01, ha="left", fontsize=12.5, fontweight="bold", linespacing=1.4)
    figure.text(0.01, 1.0, f"\n\n{below}", ha="left", va="top", fontsize=9, color=GREY, linespacing=1.1)


def batch_axis(axes: Axes, batches: list[int]) -> None:
    """Batches as powers of two, each measured one with its tick."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(batches, [in_thousands(batch) for batch in batches])
    axes.minorticks_off()


def in_thousands(count: float) -> str:
    """Counts as people say them: 512, 4k, 6.9M."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if count >= size:
            return f"{count / size:.3g}{letter}"
    if count >= 1024 and count % 1024 == 0:
        return f"{count // 1024:g}k"
    return f"{count:,.0f}"


def seconds_unit(seconds: float) -> tuple[float, str]:
    """The unit in which so many seconds are a handy number."""
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return size, unit
    return 1e-6, "µs"
