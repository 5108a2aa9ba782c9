# SPDX-License-Identifier: Apache-2.0
"""The links of a launch: bandwidth and latency from each rank to each other rank."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.plot.colours import BLACK, GREY
from breakeven_analysis.plot.figure import head, new_figure, styled

Matrix = Any  # of numpy


@styled
def link_matrix(report: Report, launch: int = 0) -> Figure:
    """Heat maps of payload bandwidth in one direction and of half a round trip; each cell names its kind of link."""
    links = report.launches[launch]["links"]
    ranks = 1 + max((link["from"] for link in links), default=0)
    if ranks < 2:
        raise ValueError(f"launch {launch} has one rank and no links")
    bandwidth = matrix_of(links, ranks, "bytes_per_second", 1e-9)
    latency = matrix_of(links, ranks, "latency_seconds", 1e6)
    figure = new_figure(3.2 + 1.5 * ranks, 1.6 + 0.75 * ranks)
    left, right = figure.subplots(1, 2)
    kinds = {(link["from"], link["to"]): str(link["kind"]) for link in links}
    draw_matrix(left, bandwidth, "bandwidth (GB/s, one direction)", "cividis", kinds)
    draw_matrix(right, latency, "latency (µs)", "cividis_r", {})
    right.set_ylabel("")
    between = [link for link in links if link["from"] != link["to"]]
    wrong = [f"{link['from']} to {link['to']}" for link in between if not link["data_right"]]
    below = f"{report.machine}; measured at the start of launch {launch}"
    head(figure, "Links between ranks", below + (f"; WRONG DATA from {', '.join(wrong)}" if wrong else ""))
    return figure


def matrix_of(links: list[dict[str, Any]], ranks: int, key: str, scale: float) -> Matrix:
    values = np.full((ranks, ranks), np.nan)
    for link in links:
        if link["from"] != link["to"] and link[key] is not None:
            values[link["from"], link["to"]] = link[key] * scale
    return values


def draw_matrix(axes: Axes, values: Matrix, title: str, colours: str, kinds: dict[tuple[int, int], str]) -> None:
    """Lighter is better. An unmeasured link is white with a dash; a rank has no link to itself."""
    palette = mpl.colormaps[colours].with_extremes(bad="#f2f2f2")
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    room = max(high - low, 0.25 * high) or 1.0  # similar links get similar colours
    norm = mpl.colors.Normalize(low - 0.2 * room, low + 1.1 * room)
    axes.imshow(np.ma.masked_invalid(values), cmap=palette, norm=norm)
    for (source, target), value in np.ndenumerate(values):
        text = f"{value:#.3g}".removesuffix(".") if np.isfinite(value) else "" if source == target else "–"
        kind = kinds.get((source, target), "") if source != target else ""
        dark = np.isfinite(value) and sum(palette(norm(value))[:3]) < 1.4
        place = {"ha": "center", "va": "center", "fontsize": 9, "linespacing": 1.3}
        axes.annotate(f"{text}\n{kind}".strip(), (target, source), color="white" if dark else BLACK, **place)
    ranks = range(len(values))
    axes.set_xticks(ranks, [f"{rank}" for rank in ranks])
    axes.set_yticks(ranks, [f"{rank}" for rank in ranks])
    axes.set_xlabel("to rank")
    axes.set_ylabel("from rank")
    axes.set_title(title)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    for border in np.arange(len(values) + 1) - 0.5:
        axes.axhline(border, color="white", linewidth=2)
        axes.axvline(border, color="white", linewidth=2)
    axes.tick_params(colors=GREY, labelcolor=BLACK)
