# SPDX-License-Identifier: Apache-2.0
"""The time of a step: its phases, and beside them what it loses against perfect scaling."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import choose, configuration_names, intervals_words, precision_words, runs_words
from breakeven_analysis.plot.colours import BLACK, OTHER, PARTS, PHASES
from breakeven_analysis.plot.devices import devices_of, machine_words
from breakeven_analysis.plot.figure import head, new_figure, row_axis, seconds_unit, styled
from breakeven_analysis.plot.verdicts import counted


@styled
def phases_and_losses(
    report: Report, model: str, batch: int, strategies: list[str] | None = None, **axes: Any
) -> Figure:
    """Left: the phases of a mean step, from phase timing. Right: the loss budget of the step, from whole-step timing.

    The loss budget starts at 0, the step of perfect scaling. A diamond with its 95 % interval marks the whole loss.
    Parts below zero go to the left.
    """
    shared = axes | {"model": model, "batch": batch, "strategy": strategies}
    cases = report.cases[report.cases["timing"] == "phases"]
    if cases.empty:
        raise PictureError(report.vocabulary.phases_not_recorded)
    cases = cases[cases["step_seconds"].notna()]
    if cases.empty:
        raise PictureError("no case is left to draw: no training of these cases has a step time")
    if (cases["gpus"] == 1).all():
        raise PictureError(
            f"these cases were measured on one {devices_of(report.machine).one} only: losses compare several with it"
        )
    single = choose(report, cases, **shared | {"strategy": "single", "gpus": 1})
    several = choose(report, cases[cases["gpus"] > 1], **shared).sort_values("step_seconds", kind="stable")
    budgets = choose(report, report.table("loss_budgets"), **shared)
    shown = pd.concat([single, several])
    rows = shown.to_dict("records")
    phases = {name: label for name, label in report.vocabulary.phases.items() if (shown[f"{name}_seconds"] > 0).any()}
    labels = report.vocabulary.loss_parts.items()
    parts = {name: label for name, label in labels if (budgets[f"loss_{name}_seconds"].abs() > 0).any()}
    size, unit = seconds_unit(shown["step_seconds"].max())
    lost_size, lost_unit = seconds_unit(budgets["loss_seconds"].abs().max())
    figure = new_figure(11.5, 2.1 + 0.42 * len(rows))
    left, right = figure.subplots(1, 2, sharey=True)
    for number, row in enumerate(rows):
        draw_phases(left, number, row, list(phases), size)
        budget = budgets[(budgets["strategy"] == row["strategy"]) & (budgets["gpus"] == row["gpus"])]
        if not budget.empty:
            draw_losses(right, number, budget.iloc[0].to_dict(), list(parts), lost_size)
    for panel in (left, right):
        row_axis(panel, configuration_names(report, shown), len(rows) - 0.45, -0.55)
    left.set_xlabel(f"phases of a step ({unit}){overhead_words(shown['timing_overhead'])}")
    right.set_xlabel(f"lost against perfect scaling ({lost_unit})")
    right.axvline(0, color=BLACK, linewidth=1)
    for side, fills, names in (("left", PHASES, phases), ("right", PARTS, parts)):
        handles = [fills.get(name, OTHER).handle(label) for name, label in names.items()]
        places = {"loc": f"outside lower {side}", "ncols": 3, "handlelength": 1.6, "columnspacing": 1.2}
        figure.legend(handles=handles, fontsize=8.5, **places)
    head(
        figure,
        finding(budgets, parts),
        f"{model} at batch {batch:,} in {precision_words(shown)}; {machine_words(report.machine, shown)}; left: phase "
        f"timing, right: whole-step timing; "
        f"{intervals_words(several)}, {runs_words(report, several)}",
    )
    return figure


def finding(budgets: pd.DataFrame, parts: dict[str, str]) -> str:
    """The part of the loss that is the largest of most configurations."""
    largest = budgets[[f"loss_{name}_seconds" for name in parts]].idxmax(axis="columns")
    name = largest.mode().iloc[0]
    label = parts[name.removeprefix("loss_").removesuffix("_seconds")]
    whole = counted(int((largest == name).sum()), len(largest), "configuration", "configurations")
    return f"The largest loss of {whole} is {label.replace(': ', ' ')}"


def overhead_words(overheads: "pd.Series[float]") -> str:
    """By how much phase timing changed these steps."""
    low, high = 100 * overheads.min(), 100 * overheads.max()
    return f"; phase timing changed it by {low:+.1f} to {high:+.1f} %" if np.isfinite(low) else ""


def draw_phases(axes: Axes, number: int, row: dict[Any, Any], phases: list[str], size: float) -> None:
    at = 0.0
    for name in phases:
        width = row[f"{name}_seconds"] / size
        if width > 0:
            PHASES.get(name, OTHER).draw(axes, number, at, width)
            at += width


def draw_losses(axes: Axes, number: int, budget: dict[Any, Any], parts: list[str], size: float) -> None:
    """Positive parts to the right of zero, negative ones to the left."""
    ahead = behind = 0.0
    for name in parts:
        width = budget[f"loss_{name}_seconds"] / size
        if np.isfinite(width) and width != 0:
            PARTS.get(name, OTHER).draw(axes, number, ahead if width > 0 else behind, width)
            ahead, behind = ahead + max(width, 0), behind + min(width, 0)
    whole, half = budget["loss_seconds"] / size, budget["loss_half_width_seconds"] / size
    axes.plot([whole - half, whole + half], [number, number], color=BLACK, linewidth=2)
    axes.plot([whole], [number], color=BLACK, marker="D", markersize=5, markeredgecolor="white")
