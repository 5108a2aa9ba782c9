# SPDX-License-Identifier: Apache-2.0
"""Colours and marks of all pictures. Colour-blind readers can tell Okabe and Ito's colours (2008) apart; a marker, a
dash or a hatch helps readers of a grey print."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import ArrayLike

BLACK, GREY, LIGHT = "#1a1a1a", "#767676", "#d9d9d9"
ORANGE, SKY, GREEN = "#e69f00", "#56b4e9", "#009e73"
BLUE, VERMILION, PURPLE = "#0072b2", "#d55e00", "#cc79a7"
SLOWER, FASTER = "#a03d00", "#2fb58c"  # than one GPU, in maps: the hues of "does not pay" and "pays"
# Lighter ones for the page on a dark ground.
ON_DARK = {BLUE: "#5aaee0", GREEN: "#2cc197", VERMILION: "#ef7b26", ORANGE: "#e9b23c", GREY: "#98a0a8"}
ON_DARK |= {SLOWER: "#c85f1e", FASTER: "#2ec198"}


class Line(NamedTuple):
    """How one of several series is drawn."""

    colour: str
    marker: str
    dashes: str

    def draw(self, axes: Axes, x: ArrayLike, y: ArrayLike, **look: Any) -> None:
        """Points, joined unless a neighbour is missing."""
        white = {"markeredgecolor": "white", "markeredgewidth": 0.6}
        axes.plot(x, y, linewidth=1.4, **self._look(), **white, **look)

    def handle(self, label: str) -> Line2D:
        return Line2D([], [], label=label, **self._look())

    def _look(self) -> dict[str, Any]:
        return {"color": self.colour, "linestyle": self.dashes, "marker": self.marker, "markersize": 5}


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
    """How one of several areas is drawn."""

    colour: str
    hatch: str = ""

    def draw(self, axes: Axes, row: float, left: float, width: float, height: float = 0.66) -> None:
        """A horizontal bar."""
        axes.barh(row, width, height, left, color=self.colour, hatch=self.hatch, edgecolor=GREY, linewidth=0.5)

    def handle(self, label: str) -> Patch:
        return Patch(facecolor=self.colour, hatch=self.hatch, edgecolor=GREY, linewidth=0.5, label=label)


# By phase: blue and green for computation, warm colours for communication, black for the remainder. Neighbours in a bar
# differ by 20 or more in lightness (CIE L*), also where the phase between them is missing.
PHASES = {
    "input": Fill("#d9e8f5"),
    "forward": Fill(SKY),
    "backward": Fill("#004c86"),
    "collect": Fill("#e9b44c", "..."),
    "wait": Fill("#ffffff", "////"),
    "exchange": Fill(VERMILION),
    "optimizer": Fill("#7fcfb6"),
    "broadcast": Fill("#7a2e00", "xxx"),
    "overhead": Fill(BLACK),
}
# By part of the loss: communication and waiting as in the phases, nothing else in a colour of theirs.
PARTS = {
    "gemm_efficiency": Fill("#5e3370"),
    "strategy_overhead": Fill(PURPLE, "..."),
    "compute": Fill("#a884b8"),
    "launch_gaps": Fill("#3d3d10"),
    "exchange_latency": Fill("#f4c9a0", "xxx"),
    "exchange_bandwidth": Fill(VERMILION),
    "exchange": Fill(VERMILION, "..."),
    "waiting": Fill("#ffffff", "////"),
    "clock_drop": Fill("#cfc626"),
    "timing_overhead": Fill("#1f5450", "\\\\\\\\"),
    "unexplained": Fill("#0a2410", "..."),
}
OTHER = Fill(GREY, "++")  # a phase or part of the loss that has no colour here


class Mark(NamedTuple):
    """How a verdict is drawn."""

    colour: str
    marker: str
    face: str
    symbol: str  # the marker as text

    def handle(self, label: str) -> Line2D:
        return Line2D([], [], label=label, **self.look())

    def look(self) -> dict[str, Any]:
        return {"color": self.colour, "marker": self.marker, "markersize": 6.5, "markerfacecolor": self.face}


MARKS = {
    "pays": Mark(GREEN, "^", GREEN, "▲"),
    "does_not_pay": Mark(VERMILION, "v", VERMILION, "▼"),
    "same": Mark(BLUE, "s", BLUE, "■"),
    "undecided": Mark(GREY, "o", "white", "○"),
}
OTHER_MARK = Mark(GREY, "x", GREY, "×")  # a verdict that has no mark here


def mark_of(verdict: str) -> Mark:
    """The mark of a verdict, by its key."""
    return MARKS.get(verdict, OTHER_MARK)
