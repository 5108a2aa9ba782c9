# SPDX-License-Identifier: Apache-2.0
"""The links of a launch: bandwidth and latency from each rank to each other rank."""

from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.numbers import significant
from breakeven_analysis.plot.choice import check_launch
from breakeven_analysis.plot.colours import BLACK, GREY
from breakeven_analysis.plot.figure import head, new_figure, styled

Matrix = Any  # of numpy
PALETTE = mpl.colormaps["cividis"].with_extremes(bad="#f2f2f2")
SHARES = mpl.colors.Normalize(0, 1)


@styled
def link_matrix(report: Report, launch: int = 0) -> Figure:
    """Heat maps of payload bandwidth in one direction and of half a round trip; each cell names its kind of link.

    A cell's colour is its share of the best link, so that alike links look alike.
    """
    check_launch(launch, len(report.launches))
    links = report.launches[launch]["links"]
    ranks = 1 + max((link["from"] for link in links), default=0)
    if ranks < 2:
        raise PictureError(f"launch {launch} has one rank and no links")
    bandwidth = matrix_of(links, ranks, "bytes_per_second", 1e-9)
    latency = matrix_of(links, ranks, "latency_seconds", 1e6)
    figure = new_figure(4.1 + 1.5 * ranks, 1.6 + 0.75 * ranks)
    left, right = figure.subplots(1, 2)
    kinds = {(link["from"], link["to"]): str(link["kind"]) for link in links}
    draw_matrix(left, bandwidth, bandwidth / best(bandwidth, np.max), "bandwidth (GB/s, one way)", kinds)
    draw_matrix(right, latency, best(latency, np.min) / latency, "latency (µs)", {})
    right.set_ylabel("")
    bar = figure.colorbar(mpl.cm.ScalarMappable(SHARES, PALETTE), ax=[left, right], shrink=0.8, pad=0.03)
    bar.ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    bar.set_label("of the best link")
    bar.outline.set_visible(False)
    between = [link for link in links if link["from"] != link["to"]]
    measured = [link for link in between if is_measured(link)]
    when = f", measured at the start of launch {launch}" if measured else ""
    head(figure, finding(measured, bandwidth, latency), f"{report.machine}; {len(between)} links{when}")
    return figure


def is_measured(link: dict[str, Any]) -> bool:
    """Data that was not sent is not wrong."""
    return link["bytes_per_second"] is not None or link["latency_seconds"] is not None


def finding(measured: list[dict[str, Any]], bandwidth: Matrix, latency: Matrix) -> str:
    wrong = [f"{link['from']} to {link['to']}" for link in measured if not link["data_right"]]
    if wrong:
        return f"WRONG DATA from {', '.join(wrong)}"
    if not measured:
        return "No link was measured"
    return f"Bandwidth {range_words(bandwidth, 'GB/s')}; latency {range_words(latency, 'µs')}"


def matrix_of(links: list[dict[str, Any]], ranks: int, key: str, scale: float) -> Matrix:
    values = np.full((ranks, ranks), np.nan)
    for link in links:
        if link["from"] != link["to"] and link[key] is not None:
            values[link["from"], link["to"]] = link[key] * scale
    return values


def best(values: Matrix, of: Callable[[Matrix], float]) -> float:
    known = values[np.isfinite(values)]
    return of(known) if len(known) else np.nan


def digits(value: float) -> str:
    return significant(value, 3)


def range_words(values: Matrix, unit: str) -> str:
    ends = dict.fromkeys(digits(best(values, of)) for of in (np.min, np.max))
    return f"{' to '.join(ends)} {unit}" if np.isfinite(values).any() else "not measured"


def draw_matrix(axes: Axes, values: Matrix, shares: Matrix, title: str, kinds: dict[tuple[int, int], str]) -> None:
    """Lighter is better. An unmeasured link is grey with a dash; a rank has no link to itself."""
    axes.imshow(np.ma.masked_invalid(shares), cmap=PALETTE, norm=SHARES)
    for (source, target), value in np.ndenumerate(values):
        text = digits(value) if np.isfinite(value) else "" if source == target else "–"
        kind = kinds.get((source, target), "") if source != target else ""
        dark = shares[source, target] < 0.5
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
