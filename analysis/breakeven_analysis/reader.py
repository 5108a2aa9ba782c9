# SPDX-License-Identifier: Apache-2.0
"""One results file (docs/results-file.md) as a data set: labels are read at once, numbers lazily.

xarray's own engines give the same data set, but take seconds to find the length of unlimited dimensions.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import dask.array
import h5py
import xarray as xr

from breakeven_analysis.apart import read_apart
from breakeven_analysis.errors import NotResultsError
from breakeven_analysis.integrity import check_file, check_storage

CONVENTIONS = "breakeven-results-1"
# Read at once of one variable. A picture needs a few runs that lie among many others, so pieces must be small; but a
# whole file must not have too many.
PIECE_BYTES = 1024**2
SMALL_BYTES = 32 * 1024


def read_file(path: Path, verify: bool = True) -> xr.Dataset:
    """The file stays open as long as a lazy number refers to it."""
    check_apart(path, verify)
    return dataset_of(h5py.File(path, "r"))


def check_apart(path: Path, verify: bool) -> None:
    """Raises NotResultsError or DamagedError. Remembers files that did not change since."""
    if not path.is_file():
        raise NotResultsError(f"'{path}' cannot be opened as a results file of breakeven: it is not a file")
    state = path.stat()
    check_once(path, verify, state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=1024)
def check_once(path: Path, verify: bool, *_state: int) -> None:
    read_apart(path, lambda: check(path, verify))


def check(path: Path, verify: bool) -> None:
    """Reads all that opening it reads; with `verify` everything."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise NotResultsError(f"'{path}' cannot be opened as a results file: {error}") from error
    if text_of(file, "Conventions") != CONVENTIONS:
        raise NotResultsError(f"'{path}' is not a results file of breakeven: its Conventions are not {CONVENTIONS}")
    check_storage(file, path)
    dataset_of(file)
    if verify:
        check_file(file, path)


def dataset_of(file: h5py.File) -> xr.Dataset:
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
    """Labels and small variables are read now, others later piece by piece."""
    if h5py.check_string_dtype(dataset.dtype):
        return dataset.asstr()[...].astype(str)
    if text_of(dataset, "dtype") == "bool":
        return dataset[...].astype(bool)
    if is_label or dataset.nbytes <= SMALL_BYTES:
        return dataset[...]
    return dask.array.from_array(dataset, chunks=(runs_a_piece(dataset), *dataset.shape[1:]))


def runs_a_piece(dataset: h5py.Dataset) -> int:
    """As many as fit into a piece, rounded down to whole chunks of the file."""
    bytes_a_run = dataset.nbytes // dataset.shape[0]
    stored = dataset.chunks[0] if dataset.chunks else 1
    return int(max(1, PIECE_BYTES // bytes_a_run // stored) * stored)


def meaning_of(dataset: h5py.Dataset) -> dict[str, str]:
    return {name: text_of(dataset, name) for name in ("units", "long_name") if name in dataset.attrs}


def text_of(place: h5py.HLObject, name: str) -> str:
    """An attribute of fixed or variable length; "" if it does not exist."""
    value = place.attrs.get(name, "")
    return value.decode() if isinstance(value, bytes) else str(value)
