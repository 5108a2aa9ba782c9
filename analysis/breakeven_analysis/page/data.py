# SPDX-License-Identifier: Apache-2.0
"""What the page shows: the report's own numbers and a few steps of the file, as one JSON object."""

from typing import Any

import xarray as xr

from breakeven_analysis.axes import SETTINGS
from breakeven_analysis.page.bands import bands_of
from breakeven_analysis.page.cases import cases_of, columns_of
from breakeven_analysis.page.timelines import add_timelines
from breakeven_analysis.page.ways import add_ways
from breakeven_analysis.report import Report

KEPT = ("file", "machine", "vocabulary", "price_an_hour", "doubts", "claims", "launches", "runs")
FASTEST = ("speedup", "strategy", "is_agreed", "verdict", "verdict_key")

Row = dict[str, Any]


def page_data(report: Report, dataset: xr.Dataset) -> Row:
    """Numbers are those of `breakeven report --format json`, to the last digit; only what the page shows is kept."""
    cases = cases_of(report)
    ways = add_ways(cases)
    models = models_of(cases)
    timelines = add_timelines(cases, dataset, list(report.vocabulary.phases))
    return {
        **{key: report.said[key] for key in KEPT},
        "files": list(dict.fromkeys(map(str, dataset["file"].to_numpy()))),
        "models": models,
        "ways": ways,
        "answers": answers_of(report, ways),
        "bands": bands_of(report, models, ways),
        "fastest": fastest_of(report, ways),
        "cases": columns_of(cases),
        "timelines": timelines,
    }


def models_of(cases: list[Row]) -> list[Row]:
    """The smallest first."""
    sizes = {case["model"]: case["parameters"] for case in cases}
    return [{"name": name, "parameters": sizes[name]} for name in sorted(sizes, key=lambda name: sizes[name])]


def answers_of(report: Report, ways: list[Row]) -> list[Row]:
    """Each sentence with the way that it speaks of; -1 where the page has no such way."""
    return [
        {
            "model": answer["model"],
            "way": next((place for place, way in enumerate(ways) if same(way, answer)), -1),
            "sentence": answer["sentence"],
            "loss": answer["loss"],
        }
        for answer in report.said["answers"]
    ]


def same(way: Row, answer: Row) -> bool:
    return all(way[axis] == answer[axis] for axis in ("strategy", "gpus", *SETTINGS))


def fastest_of(report: Report, ways: list[Row]) -> list[Row]:
    """The fastest at each model and batch, with the ways that it was chosen among: those of its settings."""
    axes = ("precision", "gemm", "graph", "data")
    rows = []
    for row in report.said["fastest"]:
        among = [place for place, way in enumerate(ways) if all(way[axis] == row[axis] for axis in axes)]
        rows.append({"model": row["model"], "batch": row["batch"], "among": among} | {key: row[key] for key in FASTEST})
    return rows
