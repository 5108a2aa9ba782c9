# SPDX-License-Identifier: Apache-2.0
"""The strategies of one model and batch in their order, each with its interval and verdict."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from breakeven_analysis.plot.choice import choose, runs_words, way
from breakeven_analysis.plot.style import BLACK, GREY, LIGHT, head, mark_of, new_figure, styled
from breakeven_analysis.report import Report
from breakeven_analysis.vocabulary import Vocabulary


@styled
def strategy_ranking(
    report: Report, model: str, batch: int, gpus: int | None = None, precision: str | None = None
) -> Figure:
    """Speed-ups over one GPU, the fastest on top; filled where there is a verdict."""
    cases = choose(report.timed(), model=model, batch=batch, gpus=gpus, precision=precision)
    cases = cases[(cases["gpus"] > 1) & cases["speedup"].notna()].sort_values("speedup", kind="stable")
    if cases.empty:
        raise ValueError(f"{model} at batch {batch} was not measured on more than one GPU beside a base")
    figure = new_figure(8.6, 1.7 + 0.27 * len(cases))
    axes = figure.subplots()
    several = cases["gpus"].nunique() > 1
    same = report.vocabulary.same_within
    axes.axvspan(1 - same, 1 + same, color=LIGHT, linewidth=0)
    axes.axvline(1, color=BLACK, linewidth=1)
    for count in sorted(set(cases["gpus"])):
        axes.axvline(count, color=GREY, linewidth=1, dashes=(5, 3))
        axes.annotate(
            f"ideal {count}×",
            (count, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color=GREY,
            fontsize=8.5,
        )
    names = [way_of(str(row.strategy), int(row.gpus), several) for row in cases.itertuples()]
    for row, case in enumerate(cases.to_dict("records")):
        draw_row(axes, row, case)
    axes.set_yticks(range(len(cases)), names)
    scale(axes, cases)
    legend(figure, cases, report.vocabulary)
    head(
        figure,
        f"Ways to train {model} at batch {batch:,} on more GPUs ({', '.join(sorted(set(cases['precision'])))})",
        f"{report.machine}; times as fast as one GPU, with 95 % intervals; {runs_words(cases)}",
    )
    return figure


def way_of(strategy: str, gpus: int, several: bool) -> str:
    """Copies that know nothing of one another do not train one model: they show what the machine could do at best."""
    return way(strategy, gpus, several) + (" (unconnected copies)" if strategy == "independent" else "")


def draw_row(axes: Axes, row: int, case: "dict[str, object]") -> None:
    mark = mark_of(str(case["verdict"]))
    low, middle, high = (float(str(case[key])) for key in ("speedup_low", "speedup", "speedup_high"))
    axes.plot([low, high], [row, row], color=mark.colour, linewidth=2.4, solid_capstyle="butt")
    axes.plot(
        [middle],
        [row],
        color=mark.colour,
        marker=mark.marker,
        markersize=6.5,
        markerfacecolor=mark.colour if mark.filled else "white",
        clip_on=False,
    )
    axes.annotate(words(low, middle, high), (1.015, row), xycoords=("axes fraction", "data"), va="center", fontsize=8.5)


def words(low: float, middle: float, high: float) -> str:
    """The numbers of a row, with a digit more where the interval is narrower than two can show, as in the report."""
    digits = 4 if middle < 0.1 else 3 if high - low < 0.02 else 2
    interval = f" ({low:.{digits}f}–{high:.{digits}f})" if np.isfinite(low + high) else ""
    return f"{middle:.{digits}f}{interval}"


def scale(axes: Axes, cases: pd.DataFrame) -> None:
    axes.set_xlim(0, 1.08 * float(np.nanmax(cases[["speedup", "speedup_high", "gpus"]].to_numpy(float))))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}×")
    axes.set_ylim(-0.7, len(cases) - 0.3)
    axes.grid(True, axis="x")
    axes.tick_params(axis="y", length=0)


def legend(figure: Figure, cases: pd.DataFrame, vocabulary: Vocabulary) -> None:
    there = [
        (mark_of(verdict), label)
        for verdict, label in vocabulary.verdicts.items()
        if (cases["verdict"] == verdict).any()
    ]
    handles = [
        Line2D(
            [],
            [],
            color=mark.colour,
            marker=mark.marker,
            markersize=6.5,
            label=label,
            markerfacecolor=mark.colour if mark.filled else "white",
        )
        for mark, label in there
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
