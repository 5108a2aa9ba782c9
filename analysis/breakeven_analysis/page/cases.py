# SPDX-License-Identifier: Apache-2.0
"""The cases of a report as the page has them: one row a case, times and phases together."""

from typing import Any

from breakeven_analysis.axes import CASE_AXES, SETTINGS
from breakeven_analysis.report import Report

WITH_INTERVAL = ("step_seconds", "speedup", "seconds_to_quality", "quality_speedup")
TIMED = (
    *(name + end for name in WITH_INTERVAL for end in ("", "_low", "_high")),
    *("samples_per_second", "base_samples_per_second", "base_step_seconds", "efficiency"),
    *("verdict", "more_units", "speedup_unit", "speedup_units", "quality", "quality_verdict"),
    *("runs_done", "runs_planned", "peak_memory_bytes", "utilization_percent", "sm_clock_hz"),
    *("temperature_celsius", "power_watts", "joules_per_sample", "observer_cost"),
    *(name + end for name in ("gpu_hours_gain", "energy_gain") for end in ("", "_low", "_high")),
    *("gpu_seconds_per_sample", "gpu_hours_verdict", "cost_per_million_samples", "energy_verdict"),
    *("ideal_speedup", "amdahl_speedup", "link_speedup"),
)
BUDGET = ("ideal_step_seconds", "loss_seconds", "loss_half_width_seconds")

Row = dict[str, Any]


def cases_of(report: Report) -> list[Row]:
    """One row a case, in the order of the report; times by whole steps where they were measured, else by phases.

    `base` is the place of its baseline among these rows, -1 where it has none.
    """
    said = report.said["cases"]
    phased = (*(f"{phase}_seconds" for phase in report.vocabulary.phases), "step_seconds")
    parts = [f"loss_{part}_{unit}" for part in report.vocabulary.loss_parts for unit in ("seconds", "share")]
    rows: dict[tuple[Any, ...], Row] = {}
    for row in said:
        key = axes_of(row)
        case = rows.setdefault(key, {axis: row[axis] for axis in ("parameters", *CASE_AXES)})
        if row["instrument"] == "total" or "verdict" not in case:
            case.update({name: row[name] for name in ("case", "baseline", *TIMED)})
        if row["instrument"] == "phases":
            case.update({f"phases_{name}": row[name] for name in phased})
    for budget in report.said["loss_budgets"]:
        rows[axes_of(budget)].update({name: budget[name] for name in (*BUDGET, *parts)})
    cases = list(rows.values())
    places = {case.pop("case"): place for place, case in enumerate(cases)}
    for case in cases:
        case["base"] = places.get(case.pop("baseline"), -1)
    return cases


def axes_of(row: Row) -> tuple[Any, ...]:
    return tuple(row[axis] for axis in CASE_AXES)


def columns_of(cases: list[Row]) -> dict[str, list[Any]]:
    """Column by column; without the axes that the way has, and without columns in which nothing was measured."""
    left_out = {"strategy", "gpus", "parameters", *SETTINGS}
    names = [name for name in dict.fromkeys(name for case in cases for name in case) if name not in left_out]
    columns = {name: [case.get(name) for case in cases] for name in names}
    return {name: column for name, column in columns.items() if any(value not in (None, "") for value in column)}
