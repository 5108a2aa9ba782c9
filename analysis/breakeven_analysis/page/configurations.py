# SPDX-License-Identifier: Apache-2.0
"""Configurations on more than one GPU: strategy, GPUs and settings; with the report's break-even bands."""

from typing import Any

from breakeven_analysis.answers import Report

KEPT = ("below", "low", "break_even", "above", "high")

Row = dict[str, Any]


def add_configurations(cases: list[Row], settings: tuple[str, ...]) -> list[Row]:
    """All configurations in the order of the report.

    `configuration` of a case becomes its number in this list, -1 for cases on one GPU.
    """
    found: list[Row] = []
    for case in cases:
        case["configuration"] = -1
        if case["gpus"] == 1:
            continue
        own = {axis: case[axis] for axis in ("strategy", "gpus", *settings)}
        if own not in found:
            found.append(own)
        case["configuration"] = found.index(own)
    return [{"label": label_of(own, found, settings)} | own for own in found]


def label_of(own: Row, found: list[Row], settings: tuple[str, ...]) -> str:
    """As the report names it, with the settings that differ among configurations of this strategy and GPUs."""
    alike = [other for other in found if name_of(other) == name_of(own)]
    differing = [axis for axis in settings if any(other[axis] != own[axis] for other in alike)]
    return ", ".join([name_of(own), *(word_of(axis, own[axis]) for axis in differing)])


def name_of(configuration: Row) -> str:
    return f"{configuration['strategy']} on {configuration['gpus']}"


def word_of(axis: str, value: Any) -> str:
    """A setting as the report's titles print it (src/report/group_words.cpp)."""
    words = {
        "gemm": f"gemm {value}",
        "nccl_settings": value or "NCCL as it is",
        "graph": "graph" if value else "no graph",
        "data": f"{value} data",
    }
    return str(words.get(axis, value))


def bands_of(report: Report, models: list[Row], configurations: list[Row]) -> list[Row]:
    """The report's break-even bands by batch, each with its model and the configurations that it is valid for.

    `fastest` is the band of the fastest configuration, which is not the same one at every batch.
    """
    bands = []
    for band in report.said["break_evens"]:
        model = next((row["name"] for row in models if words_after(row["name"], band["of"]) is not None), None)
        if band["along"] != "batch" or model is None:
            continue
        group = words_after(model, band["of"]) or set()
        named = [words_after(name_of(row), band["configuration"]) for row in configurations]
        fastest = all(words is None for words in named)
        valid = [
            number
            for number, (row, words) in enumerate(zip(configurations, named, strict=True))
            if (fastest or words is not None)
            and (words or set()) | group <= {word_of(axis, row[axis]) for axis in report.vocabulary.settings}
        ]
        if valid:
            bands.append({"model": model, "configurations": valid, "fastest": fastest} | {k: band[k] for k in KEPT})
    return bands


def words_after(name: str, label: str) -> set[str] | None:
    """The settings after a name, such as in "large, bf16, graph"; None if the label has another name."""
    if label == name:
        return set()
    return set(label.removeprefix(f"{name}, ").split(", ")) if label.startswith(f"{name}, ") else None
