# SPDX-License-Identifier: Apache-2.0
"""Makes results files with the variables of layout.csv, which leaves out what only the program measures."""

import math
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import h5py
import numpy as np

from breakeven_analysis.integrity import dimensions_in_order
from breakeven_analysis.program_tables import LAYOUT, PHASES

CONVENTIONS = "breakeven-results-1"
TITLE = "breakeven: training steps, measured phase by phase on every rank"
RUNS_A_CHUNK, RANKS_A_CHUNK, STEPS_A_CHUNK = 64, 2, 128
TEXT = h5py.string_dtype("utf-8")


@dataclass(frozen=True)
class Variable:
    name: str
    dimensions: tuple[str, ...]
    type: str
    units: str
    meaning: str

    @property
    def is_coordinate(self) -> bool:
        return self.dimensions == (self.name,)

    @property
    def is_measured(self) -> bool:
        """A rank's numbers in a run; everything else is a label."""
        return self.dimensions[:2] == ("run", "rank")

    @property
    def dtype(self) -> Any:
        return TEXT if self.type == "text" else np.dtype("int8" if self.type == "bool" else self.type)


def variables() -> list[Variable]:
    return [
        Variable(row["variable"], tuple(row["dimensions"].split()), row["type"], row["units"], row["meaning"])
        for row in LAYOUT
    ]


def create_file(path: str | BytesIO) -> None:
    """Makes a file without runs and launches. grow() makes room for them."""
    table = variables()
    extents = {variable.name: 0 for variable in table if variable.is_coordinate} | {"phase": len(PHASES)}
    with h5py.File(path, "w", track_order=True) as file:
        labels = [variable.name for variable in table if not variable.is_coordinate and not variable.is_measured]
        for name, text in (("Conventions", CONVENTIONS), ("title", TITLE), ("coordinates", " ".join(labels))):
            file.attrs[name] = np.bytes_(text)
        for variable in table:
            create_variable(file, variable, extents)
        file["phase"][...] = PHASES
        for number, variable in enumerate(variable for variable in table if variable.is_coordinate):
            file[variable.name].make_scale(variable.name)
            file[variable.name].attrs["_Netcdf4Dimid"] = np.int32(number)
        for variable in table:
            for axis, dimension in enumerate(() if variable.is_coordinate else variable.dimensions):
                file[variable.name].dims[axis].attach_scale(file[dimension])


def create_variable(file: h5py.File, variable: Variable, extents: dict[str, int]) -> None:
    """Space is allocated at once, so that ranks of `breakeven run --append` can write in parallel."""
    shape = tuple(extents[dimension] for dimension in variable.dimensions)
    limit = tuple(len(PHASES) if dimension == "phase" else h5py.h5s.UNLIMITED for dimension in variable.dimensions)
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk(chunk_of(variable))
    properties.set_attr_creation_order(h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED)
    properties.set_obj_track_times(False)
    if variable.type != "text":
        fill = np.nan if variable.type == "float64" else 0
        properties.set_fill_value(np.array(fill, variable.dtype))
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    kind = h5py.h5t.py_create(variable.dtype, logical=True)
    space = h5py.h5s.create_simple(shape, limit)
    dataset = h5py.Dataset(h5py.h5d.create(file.id, variable.name.encode(), kind, space, properties))
    dataset.attrs["long_name"] = np.bytes_(variable.meaning)
    if variable.units:
        dataset.attrs["units"] = np.bytes_(variable.units)
    if variable.type == "float64":
        dataset.attrs["_FillValue"] = np.nan
    if variable.type == "bool":
        dataset.attrs["dtype"] = np.bytes_("bool")


def stored_bytes(places: dict[str, int]) -> int:
    """The bytes of all numbers in a file with so many places along each dimension; of text the least."""
    places = {"phase": len(PHASES), **places}
    total = 0
    for variable in variables():
        sizes = zip(variable.dimensions, chunk_of(variable), strict=True)
        cells = math.prod(math.ceil(places.get(name, 1) / chunk) * chunk for name, chunk in sizes)
        total += cells * variable.dtype.itemsize
    return total


def chunk_of(variable: Variable) -> tuple[int, ...]:
    has_steps = "step" in variable.dimensions
    sizes = {"run": 1 if has_steps else RUNS_A_CHUNK, "step": STEPS_A_CHUNK, "rank": RANKS_A_CHUNK}
    return tuple(sizes.get(name, len(PHASES) if name == "phase" else 1) for name in variable.dimensions)


def grow(file: h5py.File, places: dict[str, int]) -> None:
    """Makes room for at least so many places along each dimension, in all variables, also those of the program only."""
    for name, dimensions in dimensions_in_order(file).items():
        dataset = file[name]
        shape = [max(size, places.get(dimension, 0)) for size, dimension in zip(dataset.shape, dimensions, strict=True)]
        if tuple(shape) == dataset.shape:
            continue
        before = dataset.shape[0]
        dataset.resize(shape)
        if dimensions == [name] and dataset.dtype.kind == "i":
            dataset[before:] = np.arange(before, shape[0])
