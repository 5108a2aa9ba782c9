# SPDX-License-Identifier: Apache-2.0
"""The break-even bands of the report, each with the model and the ways that it is of."""

from typing import Any

from breakeven_analysis.page.ways import words_of
from breakeven_analysis.report import Report

FASTEST = "the fastest"
KEPT = ("below", "low", "break_even", "above", "high")

Row = dict[str, Any]


def bands_of(report: Report, models: list[Row], ways: list[Row]) -> list[Row]:
    """Those along the batches. `ways` are the places of the ways that it holds for, `fastest` is that of several."""
    bands = []
    for band in report.said["break_evens"]:
        model = next((row["name"] for row in models if words_behind(band["of"], row["name"]) is not None), None)
        if band["along"] != "batch" or model is None:
            continue
        settings = words_behind(band["of"], model) or set()
        fits = [place for place, way in enumerate(ways) if is_of(band["way"], settings, way)]
        if fits:
            shown = {key: band[key] for key in KEPT}
            bands.append({"model": model, "ways": fits, "fastest": band["way"] == FASTEST} | shown)
    return bands


def is_of(label: str, settings: set[str], way: Row) -> bool:
    """The report names a way and its group by the settings that differ in the file."""
    own = set() if label == FASTEST else words_behind(label, f"{way['strategy']} on {way['gpus']}")
    return own is not None and own | settings <= words_of(way)


def words_behind(label: str, name: str) -> set[str] | None:
    """The words behind a name, "large, bf16, graph"; None where it is another name."""
    if label == name:
        return set()
    return set(label.removeprefix(f"{name}, ").split(", ")) if label.startswith(f"{name}, ") else None
