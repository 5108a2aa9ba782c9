# SPDX-License-Identifier: Apache-2.0
"""The strategies of one model and batch, fastest first, each with its interval and verdict."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report, Vocabulary
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import (
    choose,
    configuration_names,
    intervals_words,
    is_lossy,
    precision_words,
    runs_words,
)
from breakeven_analysis.plot.colours import BLACK, GREY, LIGHT, mark_of
from breakeven_analysis.plot.devices import devices_of, machine_words
from breakeven_analysis.plot.figure import bottom_legend, draw_interval, head, new_figure, row_axis, styled, times
from breakeven_analysis.plot.verdicts import counted, is_open, paying, undecided_words

ENDS = ["speedup_low", "speedup", "speedup_high"]


@styled
def strategy_ranking(report: Report, model: str, batch: int, **axes: Any) -> Figure:
    """Speed-ups over one GPU, the fastest on top; a hollow mark is undecided, also where the correction of the verdicts
    for multiple comparisons leaves it so beside the grey band.
    """
    cases = choose(report, report.timed(), model=model, batch=batch, **axes)
    device = devices_of(report.machine).one
    cases = cases[(cases["gpus"] > 1) & cases["speedup"].notna()].sort_values("speedup", kind="stable")
    if cases.empty:
        raise PictureError(f"{model} at batch {batch} was not measured on more than one {device} with a baseline")
    figure = new_figure(8.6, 1.7 + 0.27 * len(cases))
    panel = figure.subplots()
    draw_references(panel, report.vocabulary.same_within, sorted(set(cases["gpus"])))
    for row, case in enumerate(cases.to_dict("records")):
        draw_row(panel, row, case, report.vocabulary)
    # Independent copies do not train one model: they show the highest speed that the machine could reach.
    copies = np.where(cases["strategy"] == "independent", " (unconnected copies)", "")
    row_axis(panel, list(configuration_names(report, cases) + copies.astype(object)), -0.7, len(cases) - 0.3)
    scale_speeds(panel, cases[[*ENDS, "gpus"]].to_numpy(float))
    panel.xaxis.set_major_formatter(times)
    verdicts = {key: label for key, label in report.vocabulary.verdicts.items() if (cases["verdict"] == key).any()}
    bottom_legend(figure, [mark_of(key).handle(label) for key, label in verdicts.items()], len(verdicts))
    one_model = cases[cases["strategy"] != "independent"]
    notes = ["verdicts corrected for multiple comparisons"]  # so a mark may be undecided beside the grey band
    notes += ["unconnected copies are not counted"] * (len(one_model) < len(cases))
    notes += [f"lossy: does not compute what one {device} computes"] * any(map(is_lossy, cases.to_dict("records")))
    head(
        figure,
        finding(one_model, f"for {model} at batch {batch:,} ({precision_words(cases)})"),
        f"{machine_words(report.machine, cases)}; speed-up over one {device} with {intervals_words(cases)}; "
        f"{runs_words(report, cases)}; {'; '.join(notes)}",
    )
    return figure


def finding(cases: pd.DataFrame, case: str) -> str:
    if cases.empty:
        return f"Nothing was compared {case}"
    if is_open(cases):
        return f"Undecided whether any configuration pays {case}"
    configurations = counted(len(paying(cases)), len(cases), "configuration pays", "configurations pay")
    return f"{configurations} {case}{undecided_words(cases)}"


def draw_references(axes: Axes, same: float, gpus: list[int]) -> None:
    """One GPU, the band of equal speeds around it, and perfect scaling."""
    axes.axvspan(1 - same, 1 + same, color=LIGHT, linewidth=0)
    axes.axvline(1, color=BLACK, linewidth=1)
    label = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center", "color": GREY, "fontsize": 8.5}
    for count in gpus:
        axes.axvline(count, color=GREY, linewidth=1, dashes=(5, 3))
        axes.annotate(f"ideal {count}×", (count, 1), xycoords=("data", "axes fraction"), **label)


def scale_speeds(axes: Axes, speeds: Any) -> None:
    """From 0; logarithmic if an interval is so wide that the other speeds would not be told apart."""
    low, high = np.nanmin(speeds), np.nanmax(speeds)
    if low > 0 and high > 4 * np.nanmax(speeds[:, -1]):
        axes.set_xscale("log", base=2)
        axes.set_xlim(low / 1.2, high * 1.2)
    else:
        axes.set_xlim(0, 1.08 * high)


def draw_row(axes: Axes, row: int, case: dict[Any, Any], vocabulary: Vocabulary) -> None:
    mark = mark_of(str(case["verdict"]))
    low, middle, high = (float(case[key]) for key in ENDS)
    draw_interval(axes, row, (low, middle, high), mark.colour, clip_on=False, **mark.look())
    words = vocabulary.ratio(middle, low, high)
    axes.annotate(words, (1.015, row), xycoords=("axes fraction", "data"), va="center", fontsize=8.5)
