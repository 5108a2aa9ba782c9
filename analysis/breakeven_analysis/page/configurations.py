# SPDX-License-Identifier: Apache-2.0
"""Configurations on more than one GPU: strategy, GPUs and settings; with the report's break-even bands."""

from typing import Any

from breakeven_analysis.answers import Report, Vocabulary

BREAK_EVEN = ("break_even", "break_even_low", "break_even_high")
KEPT = ("model", "configuration", "fastest", "low", *BREAK_EVEN, "high", "sentence")

Row = dict[str, Any]


def add_configurations(cases: list[Row], vocabulary: Vocabulary) -> list[Row]:
    """All configurations in the order of the report.

    `configuration` of a case becomes its number in this list, -1 for cases on one GPU.
    """
    found: list[Row] = []
    for case in cases:
        case["configuration"] = -1
        if case["gpus"] == 1:
            continue
        own = {axis: case[axis] for axis in ("strategy", "gpus", *vocabulary.settings)}
        if own not in found:
            found.append(own)
        case["configuration"] = found.index(own)
    return [{"label": label_of(own, found, vocabulary)} | own for own in found]


def label_of(own: Row, found: list[Row], vocabulary: Vocabulary) -> str:
    """As the report names it, with the settings that differ among configurations of this strategy and GPUs."""
    alike = [other for other in found if name_of(other) == name_of(own)]
    differing = [axis for axis in vocabulary.settings if any(other[axis] != own[axis] for other in alike)]
    return ", ".join([name_of(own), *(vocabulary.setting(axis, own[axis]) for axis in differing)])


def name_of(configuration: Row) -> str:
    return f"{configuration['strategy']} on {configuration['gpus']}"


def bands_of(report: Report, configurations: list[Row]) -> list[Row]:
    """The report's break-even bands by batch, each with the configurations that it is valid for.

    `fastest` is the band of the fastest configuration, which is not the same one at every batch.
    """
    axes = ("strategy", "gpus", *report.vocabulary.settings)
    bands = []
    for band in (row for row in report.said["break_evens"] if row["along"] == "batch"):
        shared = tuple(axis for axis in axes if band[axis] is not None)
        if valid := alike(configurations, band, shared):
            bands.append({"configurations": valid} | {key: band[key] for key in KEPT})
    return bands


def alike(configurations: list[Row], row: Row, axes: tuple[str, ...]) -> list[int]:
    """The numbers of the configurations with the row's values on these axes."""
    return [number for number, own in enumerate(configurations) if all(own[axis] == row[axis] for axis in axes)]
