# SPDX-License-Identifier: Apache-2.0
"""One results file as a data set: labels read, numbers lazy. The format is docs/results-file.md's.

xarray's own engines open the file too, to the same data set; this is because they take seconds to find out how long the
unlimited dimensions are.
"""

from pathlib import Path
from typing import Any

import dask.array
import h5py
import xarray as xr

CONVENTIONS = "breakeven-results-1"
# Of one variable, read at once: few enough that a picture of some runs reads little besides them, since the runs of a
# case lie among those of all others, and enough that a whole file is not too many pieces.
PIECE_BYTES = 1024**2
SMALL_BYTES = 32 * 1024


class NotResultsError(ValueError):
    """A file that is not a results file of breakeven."""


def read_file(path: Path) -> xr.Dataset:
    """The file stays open as long as a lazy number of it is known."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise NotResultsError(f"'{path}' cannot be opened as a results file: {error}") from error
    if text_of(file, "Conventions") != CONVENTIONS:
        raise NotResultsError(f"'{path}' is not a results file of breakeven: its Conventions are not {CONVENTIONS}")
    labels = set(text_of(file, "coordinates").split())
    variables: dict[str, Any] = {}
    for name, dataset in file.items():
        dimensions = [axis[0].name.lstrip("/") if len(axis) else name for axis in dataset.dims]
        is_label = name in labels or dimensions == [name]
        variables[name] = (dimensions, values_of(dataset, is_label), meaning_of(dataset))
    coordinates = {name for name, (dimensions, *_) in variables.items() if name in labels or dimensions == [name]}
    attributes = {name: text_of(file, name) for name in ("Conventions", "title")}
    return xr.Dataset(variables, attrs=attributes).set_coords(coordinates)


def values_of(dataset: h5py.Dataset, is_label: bool) -> Any:
    """All of a label or of a small variable; of others, what will read them piece by piece."""
    if h5py.check_string_dtype(dataset.dtype):
        return dataset.asstr()[...].astype(str)
    if text_of(dataset, "dtype") == "bool":
        return dataset[...].astype(bool)
    if is_label or dataset.nbytes <= SMALL_BYTES:
        return dataset[...]
    return dask.array.from_array(dataset, chunks=(runs_a_piece(dataset), *dataset.shape[1:]))


def runs_a_piece(dataset: h5py.Dataset) -> int:
    """As many as fit into a piece, and whole chunks of the file, which are read and unpacked as one."""
    bytes_a_run = dataset.nbytes // dataset.shape[0]
    stored = dataset.chunks[0] if dataset.chunks else 1
    return int(max(1, PIECE_BYTES // bytes_a_run // stored) * stored)


def meaning_of(dataset: h5py.Dataset) -> dict[str, str]:
    return {name: text_of(dataset, name) for name in ("units", "long_name") if name in dataset.attrs}


def text_of(place: h5py.HLObject, name: str) -> str:
    """An attribute, which may be written with a fixed length; "" where there is none."""
    value = place.attrs.get(name, "")
    return value.decode() if isinstance(value, bytes) else str(value)
