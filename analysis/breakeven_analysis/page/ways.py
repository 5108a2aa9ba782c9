# SPDX-License-Identifier: Apache-2.0
"""Ways to use more GPUs: a strategy on a number of GPUs, with its settings where it was measured with several."""

from typing import Any

from breakeven_analysis.axes import SETTINGS

Row = dict[str, Any]


def add_ways(cases: list[Row]) -> list[Row]:
    """The ways in the order of the report; `way` of a case becomes its place, -1 for those on one GPU."""
    ways: list[Row] = []
    for case in cases:
        case["way"] = -1
        if case["gpus"] == 1:
            continue
        way = {axis: case[axis] for axis in ("strategy", "gpus", *SETTINGS)}
        if way not in ways:
            ways.append(way)
        case["way"] = ways.index(way)
    labels = [label_of(way, ways) for way in ways]
    return [{"label": label} | way for label, way in zip(labels, ways, strict=True)]


def label_of(way: Row, ways: list[Row]) -> str:
    """As the report names it, with those settings that tell it from others of the same strategy and GPUs."""
    alike = [other for other in ways if (other["strategy"], other["gpus"]) == (way["strategy"], way["gpus"])]
    telling = [axis for axis in SETTINGS if any(other[axis] != way[axis] for other in alike)]
    return ", ".join([f"{way['strategy']} on {way['gpus']}", *(word_of(axis, way[axis]) for axis in telling)])


def word_of(axis: str, value: Any) -> str:
    """A setting in the words of the report's titles (src/report/group_words.cpp)."""
    words = {
        "gemm": f"gemm {value}",
        "nccl_settings": value or "NCCL as it is",
        "graph": "graph" if value else "no graph",
        "data": f"{value} data",
    }
    return str(words.get(axis, value))


def words_of(way: Row) -> set[str]:
    return {word_of(axis, way[axis]) for axis in SETTINGS}
