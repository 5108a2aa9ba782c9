# SPDX-License-Identifier: Apache-2.0
"""The page's data: the report's numbers and a few steps of the file, as one JSON object."""

from typing import Any

import xarray as xr

from breakeven_analysis.answers import Report
from breakeven_analysis.page.cases import cases_of, columns_of
from breakeven_analysis.page.configurations import add_configurations, bands_of
from breakeven_analysis.page.timelines import add_timelines

KEPT = ("file", "machine", "vocabulary", "price_an_hour", "warnings", "claims", "launches", "runs")
FASTEST = ("speedup", "strategy", "is_agreed", "verdict", "verdict_key")

Row = dict[str, Any]


def page_data(report: Report, dataset: xr.Dataset) -> Row:
    """Numbers are exactly those of `breakeven report --format json`; only what the page shows is kept."""
    settings = report.vocabulary.settings
    cases = cases_of(report)
    configurations = add_configurations(cases, settings)
    models = models_of(cases)
    timelines = add_timelines(cases, dataset, report.vocabulary)
    return {
        **{key: report.said[key] for key in KEPT},
        "files": list(dict.fromkeys(map(str, dataset["file"].to_numpy()))),
        "models": models,
        "configurations": configurations,
        "answers": answers_of(report, configurations),
        "bands": bands_of(report, models, configurations),
        "fastest": [fastest_of(row, configurations, settings) for row in report.said["fastest"]],
        "cases": columns_of(cases, settings),
        "timelines": timelines,
    }


def models_of(cases: list[Row]) -> list[Row]:
    """The smallest first."""
    sizes = {case["model"]: case["parameters"] for case in cases}
    return [{"name": name, "parameters": sizes[name]} for name in sorted(sizes, key=lambda name: sizes[name])]


def answers_of(report: Report, configurations: list[Row]) -> list[Row]:
    """Each answer with its configuration's number; -1 if the page does not have it."""
    axes = ("strategy", "gpus", *report.vocabulary.settings)
    kept = ("model", "sentence", "loss")
    return [
        {key: row[key] for key in kept} | {"configuration": next(iter(alike(configurations, row, axes)), -1)}
        for row in report.said["answers"]
    ]


def fastest_of(row: Row, configurations: list[Row], settings: tuple[str, ...]) -> Row:
    """The fastest configuration for a model and batch, among all with the same settings."""
    among = alike(configurations, row, tuple(axis for axis in settings if axis in row))
    return {"among": among} | {key: row[key] for key in ("model", "batch", *FASTEST)}


def alike(configurations: list[Row], row: Row, axes: tuple[str, ...]) -> list[int]:
    """The numbers of the configurations with the row's values on these axes."""
    return [number for number, own in enumerate(configurations) if all(own[axis] == row[axis] for axis in axes)]
