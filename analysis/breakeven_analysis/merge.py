# SPDX-License-Identifier: Apache-2.0
"""Joins the data sets of several files along a dimension."""

import warnings
from typing import Any

import dask.array
import numpy as np
import xarray as xr


def merge_along(dimension: str, datasets: list[xr.Dataset]) -> xr.Dataset:
    """As if one program had written one file: the longest size of other dimensions, gaps filled as in the format."""
    if len(datasets) == 1:
        return datasets[0]
    kinds = {str(name): array for dataset in datasets for name, array in dataset.data_vars.items()}
    fills = {name: filler(array.dtype) for name, array in kinds.items()}
    whole = [with_missing(dataset, kinds, dimension) for dataset in datasets]
    with warnings.catch_warnings():
        # dask warns of many small pieces, but those are only an index of the gaps.
        warnings.simplefilter("ignore", dask.array.PerformanceWarning)
        options = {"data_vars": "all", "coords": "minimal", "join": "outer", "combine_attrs": "override"}
        merged = xr.concat(whole, dimension, fill_value=fills, **options)
    return merged.assign(
        {name: merged[name].astype(array.dtype) for name, array in kinds.items() if array.dtype.kind in "iub"}
    )


def filler(kind: np.dtype[Any]) -> Any:
    """The value of a gap."""
    if kind.kind == "f":
        return np.nan
    return {"b": False, "i": 0, "u": 0}.get(kind.kind, "")


def with_missing(dataset: xr.Dataset, kinds: dict[str, xr.DataArray], dimension: str) -> xr.Dataset:
    """With the variables that other files have, as not measured."""
    added: dict[str, xr.DataArray] = {}
    for name, like in kinds.items():
        if name in dataset:
            continue
        sizes = {dim: dataset.sizes[dimension] if dim == dimension else like.sizes[dim] for dim in like.dims}
        coordinates = {dim: like[dim] for dim in like.dims if dim != dimension and dim in like.coords}
        coordinates[dimension] = dataset[dimension]
        values = np.full(list(sizes.values()), filler(like.dtype), like.dtype)
        added[name] = xr.DataArray(values, coordinates, list(sizes), attrs=like.attrs)
    return dataset.assign(added)
