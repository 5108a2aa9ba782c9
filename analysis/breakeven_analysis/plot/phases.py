# SPDX-License-Identifier: Apache-2.0
"""The time of a step: its phases, and beside them what it loses against perfect scaling."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.plot.choice import choose, configuration_names, runs_words
from breakeven_analysis.plot.colours import (
    BLACK,
    BLUE,
    GREY,
    LIGHT,
    ORANGE,
    OTHER,
    PHASES,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    Fill,
)
from breakeven_analysis.plot.figure import head, new_figure, row_axis, seconds_unit, styled

# By part of the loss.
PARTS = {
    "gemm_efficiency": Fill(BLUE),
    "strategy_overhead": Fill(SKY, "..."),
    "compute": Fill(SKY),
    "launch_gaps": Fill(LIGHT),
    "exchange_latency": Fill(ORANGE, "xxx"),
    "exchange_bandwidth": Fill(VERMILION),
    "exchange": Fill(VERMILION, "..."),
    "waiting": Fill("#ffffff", "////"),
    "clock_drop": Fill(YELLOW),
    "timing_overhead": Fill(PURPLE, "\\\\\\\\"),
    "unexplained": Fill(GREY),
}


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
    single = choose(report, cases, **shared | {"strategy": "single", "gpus": 1})
    several = choose(report, cases[cases["gpus"] > 1], **shared).sort_values("step_seconds", kind="stable")
    budgets = choose(report, report.table("loss_budgets"), **shared)
    shown = pd.concat([single, several])
    rows = shown.to_dict("records")
    phases = {name: label for name, label in report.vocabulary.phases.items() if (shown[f"{name}_seconds"] > 0).any()}
    labels = report.vocabulary.loss_parts.items()
    parts = {name: label for name, label in labels if (budgets[f"loss_{name}_seconds"].abs() > 0).any()}
    size, unit = seconds_unit(max(row["step_seconds"] for row in rows))
    figure = new_figure(11.5, 2.1 + 0.42 * len(rows))
    left, right = figure.subplots(1, 2, sharey=True)
    for number, row in enumerate(rows):
        draw_phases(left, number, row, list(phases), size)
        budget = budgets[(budgets["strategy"] == row["strategy"]) & (budgets["gpus"] == row["gpus"])]
        if not budget.empty:
            draw_losses(right, number, budget.iloc[0].to_dict(), list(parts), size)
    for panel in (left, right):
        row_axis(panel, ["one GPU", *configuration_names(shown)[1:]], len(rows) - 0.45, -0.55)
    left.set_xlabel(f"phases of a step ({unit})")
    right.set_xlabel(f"lost against perfect scaling ({unit})")
    right.axvline(0, color=BLACK, linewidth=1)
    for side, fills, names in (("left", PHASES, phases), ("right", PARTS, parts)):
        handles = [fills.get(name, OTHER).handle(label) for name, label in names.items()]
        places = {"loc": f"outside lower {side}", "ncols": 3, "handlelength": 1.6, "columnspacing": 1.2}
        figure.legend(handles=handles, fontsize=8.5, **places)
    head(
        figure,
        f"Phases and losses of a step of {model} at batch {batch:,} ({rows[0]['precision']})",
        f"{report.machine}; left: phase timing, right: whole-step timing; {runs_words(several)}",
    )
    return figure


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
