# SPDX-License-Identifier: Apache-2.0
"""The report's cases for the page: one row per case, with times, phases and loss budget."""

from typing import Any

from breakeven_analysis.answers import Report

WITH_INTERVAL = ("step_seconds", "speedup", "seconds_to_quality", "quality_speedup", "gpu_hours_gain", "energy_gain")
SHOWN = (
    *(name + end for name in WITH_INTERVAL for end in ("", "_low", "_high")),
    *("speedup_samples_per_second", "speedup_base_samples_per_second", "base_step_seconds", "efficiency"),
    *("verdict", "more_units", "speedup_unit", "speedup_units", "speedup_covers", "interval_covers"),
    *("quality", "quality_verdict"),
    *("runs_done", "runs_planned", "peak_memory_bytes", "utilization_percent", "sm_clock_hz"),
    *("temperature_celsius", "power_watts", "joules_per_sample", "timing_overhead"),
    *("gpu_seconds_per_sample", "gpu_hours_verdict", "cost_per_million_samples", "energy_verdict"),
    *("ideal_speedup", "amdahl_speedup", "link_speedup"),
)
BUDGET = ("ideal_step_seconds", "loss_seconds", "loss_half_width_seconds", "by_phases")

Row = dict[str, Any]


def cases_of(report: Report) -> list[Row]:
    """One row per measured case in the order of the report; times of whole steps, or of phase timing without those.

    `base` is the number of the baseline's row, -1 if there is none.
    """
    axes = report.vocabulary.case_axes
    phased = (*(f"{phase}_seconds" for phase in report.vocabulary.phases), "step_seconds")
    parts = [f"loss_{part}_{unit}" for part in report.vocabulary.loss_parts for unit in ("seconds", "share")]
    rows: dict[tuple[Any, ...], Row] = {}
    for row in (row for row in report.said["cases"] if row["runs_done"] > 0):
        case = rows.setdefault(key_of(row, axes), {axis: row[axis] for axis in ("parameters", *axes)})
        if row["timing"] == "total" or "verdict" not in case:
            case.update({name: row[name] for name in ("case", "baseline", *SHOWN)})
        if row["timing"] == "phases":
            case.update({f"phases_{name}": row[name] for name in phased})
    for budget in report.said["loss_budgets"]:
        rows[key_of(budget, axes)].update({name: budget[name] for name in (*BUDGET, *parts)})
    cases = list(rows.values())
    numbers = {case.pop("case"): number for number, case in enumerate(cases)}
    for case in cases:
        case["base"] = numbers.get(case.pop("baseline"), -1)
    return cases


def key_of(row: Row, axes: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(row[axis] for axis in axes)


def columns_of(cases: list[Row], settings: tuple[str, ...]) -> dict[str, list[Any]]:
    """Column by column, without what the configuration says, and without columns that have no value."""
    left_out = {"strategy", "gpus", "parameters", *settings}
    names = [name for name in dict.fromkeys(name for case in cases for name in case) if name not in left_out]
    columns = {name: [case.get(name) for case in cases] for name in names}
    return {name: column for name, column in columns.items() if any(value not in (None, "") for value in column)}
