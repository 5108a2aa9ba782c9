# SPDX-License-Identifier: Apache-2.0
"""A column of the report's cases as a labelled array with intervals and units."""

from typing import TYPE_CHECKING

import pandas as pd
import xarray as xr

from breakeven_analysis.program import declared_columns

if TYPE_CHECKING:
    from breakeven_analysis.answers import Report

DIMENSIONS = ("model", "strategy", "gpus", "batch")
ENDS = ("low", "high")
NO_WORD = "not_measured"  # the verdict of cases that were not measured


def array_of(report: "Report", name: str, rows: pd.DataFrame) -> xr.DataArray:
    """The column over model, strategy, gpus and batch, and over each setting that these do not determine.

    Settings that they determine are coordinates, and so are `verdict` and the ends of the 95 % interval.
    """
    columns = {column["key"]: column for column in declared_columns("report", "cases")}
    if name not in columns or columns[name]["type"] not in ("number", "integer"):
        numbers = [key for key, column in columns.items() if column["type"] in ("number", "integer")]
        raise KeyError(f"the cases have no number '{name}'; choose one of {', '.join(numbers)}")
    rows = rows if rows.empty else rows[rows[name].notna()]
    if rows.empty:
        raise ValueError(f"none of these cases has a measured {name}")
    dimensions, beside = dimensions_of(rows, report.vocabulary.settings)
    ends = {end: f"{name}_{end}" for end in ENDS if columns[name]["has_interval"]}
    filled = rows.set_index(dimensions)[[name, *ends.values(), "verdict", *beside]].to_xarray()
    filled = filled.reindex({dimension: rows[dimension].unique() for dimension in dimensions})  # in the program's order
    for word in ("verdict", *beside):
        filled[word] = filled[word].fillna(NO_WORD)
    fixed = [axis for axis in report.vocabulary.settings if axis not in (*dimensions, *beside)]
    labelled = filled.set_coords(["verdict", *beside, *ends.values()]).assign_coords(
        {axis: rows[axis].iloc[0] for axis in fixed}
    )
    for key in map(str, labelled.variables):
        about = columns.get(key) or columns[name]  # an end of the interval
        labelled[key].attrs = {"long_name": about["meaning"], "units": about["unit"] or "1"}
    return labelled[name].rename({column: end for end, column in ends.items()})


def dimensions_of(rows: pd.DataFrame, settings: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The dimensions that tell the cases apart, and the settings that differ, but are determined by them."""
    dimensions, beside = list(DIMENSIONS), []
    for axis in settings:
        if (rows.groupby(dimensions, sort=False)[axis].nunique(dropna=False) > 1).any():
            dimensions.append(axis)
        elif rows[axis].nunique(dropna=False) > 1:
            beside.append(axis)
    return dimensions, beside
