# SPDX-License-Identifier: Apache-2.0
"""The page's data: the report's numbers and a few steps of the file, as one JSON object."""

from typing import Any

import xarray as xr

from breakeven_analysis.answers import Report
from breakeven_analysis.page.cases import cases_of, columns_of
from breakeven_analysis.page.configurations import add_configurations, alike, bands_of
from breakeven_analysis.page.looks import looks
from breakeven_analysis.page.timelines import add_timelines
from breakeven_analysis.plot.devices import devices_of
from breakeven_analysis.program import declared_columns

KEPT = ("machine", "vocabulary", "price_an_hour", "headline", "warnings", "warning_pages", "claims", "launches", "runs")
BREAK_EVEN = ("of", "configuration", "from", "to", "sentence")
FASTEST = ("speedup", "strategy", "lead", "verdict", "verdict_key")

Row = dict[str, Any]


def page_data(report: Report, dataset: xr.Dataset) -> Row:
    """Numbers are exactly those of `breakeven report --format json`; only what the page shows is kept."""
    settings = report.vocabulary.settings
    cases = cases_of(report)
    configurations = add_configurations(cases, report.vocabulary)
    models = models_of(cases)
    timelines = add_timelines(cases, dataset, report.vocabulary)
    return {
        **{key: report.said[key] for key in KEPT},
        "devices": devices_of(report.machine)._asdict(),
        "files": list(dict.fromkeys(map(str, dataset["file"].to_numpy()))),
        "models": models,
        "start": start_of(report, models, configurations),
        "configurations": configurations,
        "verdicts": [row["sentence"] for row in report.said["verdicts"]],
        "break_evens": break_evens_of(report),
        "answers": answers_of(report, configurations),
        "bands": bands_of(report, configurations),
        "fastest": [fastest_of(row, configurations, settings) for row in report.said["fastest"]],
        "cases": columns_of(cases, settings),
        "units": units_of(report),
        "looks": looks(),
        "timelines": timelines,
    }


def units_of(report: Report) -> Row:
    """The units of the cases' columns."""
    return {column["key"]: column["unit"] for column in declared_columns("report", "cases") if column["unit"]}


def models_of(cases: list[Row]) -> list[Row]:
    """All models with their parameters, the smallest first."""
    sizes = {case["model"]: case["parameters"] for case in cases}
    return [{"name": name, "parameters": sizes[name]} for name in sorted(sizes, key=lambda name: sizes[name])]


def start_of(report: Report, models: list[Row], configurations: list[Row]) -> Row | None:
    """The case of the first verdict, which the page shows until its reader chooses another."""
    axes = ("strategy", "gpus", *report.vocabulary.settings)
    for row in report.said["verdicts"]:
        if any(model["name"] == row["model"] for model in models) and (own := alike(configurations, row, axes)):
            return {"model": row["model"], "configuration": own[0], "batch": row["batch"]}
    return None


def break_evens_of(report: Report) -> list[Row]:
    """The rows of the break-even table that verdicts are of; a row with several bands is listed with each of them."""
    rows = [{key: row[key] for key in BREAK_EVEN} for row in report.said["break_evens"] if row["leads"]]
    return [row for number, row in enumerate(rows) if row not in rows[:number]]


def answers_of(report: Report, configurations: list[Row]) -> list[Row]:
    """Each answer with its configuration's number; -1 if the page does not have it."""
    axes = ("strategy", "gpus", *report.vocabulary.settings)
    kept = ("model", "sentence", "faster_single", "loss", "conditions")
    return [
        {key: row[key] for key in kept} | {"configuration": next(iter(alike(configurations, row, axes)), -1)}
        for row in report.said["answers"]
    ]


def fastest_of(row: Row, configurations: list[Row], settings: tuple[str, ...]) -> Row:
    """The fastest configuration for a model and batch, among all with the same settings."""
    among = alike(configurations, row, tuple(axis for axis in settings if axis in row))
    return {"among": among} | {key: row[key] for key in ("model", "batch", *FASTEST)}
