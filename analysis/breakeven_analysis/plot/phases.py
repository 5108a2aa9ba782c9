# SPDX-License-Identifier: Apache-2.0
"""Where the time of a step goes: its phases, and beside them what keeps it above the ideal."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from breakeven_analysis.plot.choice import choose, runs_words, way
from breakeven_analysis.plot.style import (
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
    head,
    new_figure,
    seconds_unit,
    styled,
)
from breakeven_analysis.report import Report
from breakeven_analysis.vocabulary import Vocabulary

# Colours by the key of a part of the loss.
PARTS = {
    "smaller_shapes": Fill(BLUE, ""),
    "machinery": Fill(SKY, "..."),
    "compute": Fill(SKY, ""),
    "launch_gaps": Fill(LIGHT, ""),
    "exchange_latency": Fill(ORANGE, "xxx"),
    "exchange_bandwidth": Fill(VERMILION, ""),
    "exchange": Fill(VERMILION, "..."),
    "waiting": Fill("#ffffff", "////"),
    "clock_drop": Fill(YELLOW, ""),
    "observer": Fill(PURPLE, "\\\\\\\\"),
    "rest": Fill(GREY, ""),
}


@styled
def phases_and_losses(
    report: Report,
    model: str,
    batch: int,
    strategies: list[str] | None = None,
    gpus: int | None = None,
    precision: str | None = None,
) -> Figure:
    """Left, the phases of a mean step by the instrument `phases`; right, the loss budget of the step by whole steps.

    The budget begins at the ideal, and ends with a diamond where the step is above it, with its 95 % interval;
    what is left of the ideal is taken off.
    """
    cases = report.cases
    single = choose(
        cases[cases["instrument"] == "phases"], model=model, batch=batch, strategy="single", gpus=1, precision=precision
    )
    shared = choose(
        cases[(cases["instrument"] == "phases") & (cases["gpus"] > 1)],
        model=model,
        batch=batch,
        strategy=strategies,
        gpus=gpus,
        precision=precision,
    )
    budgets = choose(
        report.table("loss_budgets"), model=model, batch=batch, strategy=strategies, gpus=gpus, precision=precision
    )
    shared = shared.sort_values("step_seconds", kind="stable")
    rows = pd.concat([single, shared]).to_dict("records")
    size, unit = seconds_unit(max(row["step_seconds"] for row in rows))
    figure = new_figure(11.5, 2.1 + 0.42 * len(rows))
    left, right = figure.subplots(1, 2, sharey=True)
    for number, row in enumerate(rows):
        draw_phases(left, number, row, list(report.vocabulary.phases), size)
        draw_losses(right, number, budget_of(budgets, row), list(report.vocabulary.loss_parts), size)
    finish(left, right, rows, unit)
    legends(figure, rows, budgets, report.vocabulary)
    head(
        figure,
        f"Where a step of {model} at batch {batch:,} goes ({rows[0]['precision']})",
        f"{report.machine}; left by the instrument phases, right by whole steps; {runs_words(shared)}",
    )
    return figure


def budget_of(budgets: pd.DataFrame, row: dict[Any, Any]) -> dict[Any, Any] | None:
    own = budgets[(budgets["strategy"] == row["strategy"]) & (budgets["gpus"] == row["gpus"])]
    return None if own.empty else own.iloc[0].to_dict()


def draw_phases(axes: Axes, number: int, row: dict[Any, Any], phases: list[str], size: float) -> None:
    at = 0.0
    for name in phases:
        fill = PHASES.get(name, OTHER)
        width = row[f"{name}_seconds"] / size
        if width > 0:
            axes.barh(number, width, 0.66, at, color=fill.colour, hatch=fill.hatch, edgecolor=GREY, linewidth=0.5)
            at += width


def draw_losses(axes: Axes, number: int, budget: dict[Any, Any] | None, parts: list[str], size: float) -> None:
    """Parts above the ideal to the right, parts below it to the left."""
    if budget is None:
        return
    ahead = behind = 0.0
    for name in parts:
        fill = PARTS.get(name, OTHER)
        width = budget[f"loss_{name}_seconds"] / size
        if not np.isfinite(width) or width == 0:
            continue
        axes.barh(
            number,
            width,
            0.66,
            ahead if width > 0 else behind,
            color=fill.colour,
            hatch=fill.hatch,
            edgecolor=GREY,
            linewidth=0.5,
        )
        ahead, behind = ahead + max(width, 0), behind + min(width, 0)
    whole, half = budget["loss_seconds"] / size, budget["loss_half_width_seconds"] / size
    axes.plot([whole - half, whole + half], [number, number], color=BLACK, linewidth=2)
    axes.plot([whole], [number], color=BLACK, marker="D", markersize=5, markeredgecolor="white")


def finish(left: Axes, right: Axes, rows: list[dict[Any, Any]], unit: str) -> None:
    several = len({row["gpus"] for row in rows}) > 2
    names = [way(str(row["strategy"]), int(row["gpus"]), several) if row["gpus"] > 1 else "one GPU" for row in rows]
    left.set_yticks(range(len(rows)), names)
    left.set_ylim(len(rows) - 0.45, -0.55)
    left.set_xlabel(f"phases of a step ({unit})")
    right.set_xlabel(f"above the ideal ({unit})")
    right.axvline(0, color=BLACK, linewidth=1)
    for axes in (left, right):
        axes.grid(True, axis="x")
        axes.tick_params(axis="y", length=0)


def legends(figure: Figure, rows: list[dict[Any, Any]], budgets: pd.DataFrame, vocabulary: Vocabulary) -> None:
    phases = {
        name: label for name, label in vocabulary.phases.items() if any(row[f"{name}_seconds"] > 0 for row in rows)
    }
    parts = {
        name: label
        for name, label in vocabulary.loss_parts.items()
        if (budgets[f"loss_{name}_seconds"].abs() > 0).any()
    }
    for side, fills, labels in (("left", PHASES, phases), ("right", PARTS, parts)):
        handles = [
            Patch(
                facecolor=fills.get(name, OTHER).colour,
                hatch=fills.get(name, OTHER).hatch,
                edgecolor=GREY,
                linewidth=0.5,
                label=label,
            )
            for name, label in labels.items()
        ]
        figure.legend(
            handles=handles, loc=f"outside lower {side}", ncols=3, handlelength=1.6, columnspacing=1.2, fontsize=8.5
        )
