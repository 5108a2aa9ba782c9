# SPDX-License-Identifier: Apache-2.0
"""The checksums of a results file (docs/results-file.md): of the numbers of each rank in a run, and of the labels."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import h5py
import numpy as np
import numpy.typing as npt

from breakeven_analysis.errors import DamagedError, NotResultsError
from breakeven_analysis.program_tables import ADDITIONS, MEASURED, PHASES

Sums: TypeAlias = npt.NDArray[np.uint64]
Dimensions: TypeAlias = dict[str, list[str]]  # by variable

START, PRIME, MASK = 14695981039346656037, 1099511628211, 2**64 - 1
EMPTY_BITS = 0x7FF8000000000000  # the NaN of a cell without a number
STATE = ("status", "stop")
CHECKSUMS = ("checksum", "label_checksum", "label_checksum_next", "launch_checksum")
FEW_RECORDS = 64  # below, plain integers are faster than arrays of them
BLOCK_BYTES = 64 * 1024**2
SHORTEST_STEP, LONGEST_STEP = 1e-9, 1e9  # seconds


def check_file(file: h5py.File, path: Path) -> None:
    dimensions = dimensions_in_order(file)
    check_coordinates(file, path)
    check_labels(file, path, dimensions)
    check_numbers(file, path, dimensions)


def check_storage(file: h5py.File, path: Path) -> None:
    """All cells are in the file itself, so that reading it opens no other."""
    for name in file:
        if not isinstance(file.get(name, getlink=True), h5py.HardLink):
            raise NotResultsError(f"'{path}' is not a results file of breakeven: {name} is a link, not a variable")
        place = file[name]
        if isinstance(place, h5py.Dataset) and (place.is_virtual or place.external):
            raise NotResultsError(
                f"'{path}' is not a results file of breakeven: the cells of {name} are in another file"
            )


def names_in_order(file: h5py.File) -> list[str]:
    """The variables in the order in which they were made. Checksums use this order."""
    names: list[bytes] = []
    file.id.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
    return [name.decode() for name in names]


def dimensions_in_order(file: h5py.File) -> Dimensions:
    """Of each variable, in the order in which the variables were made.

    HDF5 takes long to open an object and to look for its name: each is opened once, and known again by its id.
    """
    variables = {name: file[name] for name in names_in_order(file)}
    names = {variable.id: name for name, variable in variables.items()}
    return {
        name: [names.get(axis[0].id, "") if len(axis) else name for axis in variable.dims]
        for name, variable in variables.items()
    }


# ---------------------------------------------------------------- labels


def check_coordinates(file: h5py.File, path: Path) -> None:
    """Checks that the coordinates without labels count from 0, and the names of the phases."""
    if file["phase"].asstr()[...].tolist() != list(PHASES):
        raise DamagedError(f"'{path}' is damaged: the coordinate 'phase' does not hold {', '.join(PHASES)}")
    for name in ("rank", "step", "peer", "launch"):
        if not np.array_equal(file[name][...], np.arange(len(file[name]))):
            raise DamagedError(f"'{path}' is damaged: the coordinate '{name}' does not count from 0")


def check_labels(file: h5py.File, path: Path, dimensions: Dimensions) -> None:
    """Checks the labels of runs and launches. Files of older programs have no checksums of labels."""
    if "launch_checksum" in file:
        stored, found = file["launch_checksum"][...], label_sums(file, "launch", dimensions)
        for launch in np.flatnonzero(stored != found):
            raise DamagedError(f"'{path}' is damaged: the labels of launch {launch} do not have their checksum")
    if "label_checksum" in file:
        found = fnv1a_of_bytes(label_sums(file, "run", dimensions), [file[name][...] for name in STATE])
        fits = (found == file["label_checksum"][...]) | (found == file["label_checksum_next"][...])
        for run in np.flatnonzero(~fits):
            raise DamagedError(f"'{path}' is damaged: the labels of run {run} do not have their checksum")


def fnv1a_of_bytes(sums: Sums, columns: list[npt.NDArray[Any]]) -> Sums:
    for column in columns:
        sums = (sums ^ column.astype(np.uint64)) * np.uint64(PRIME)
    return sums


def label_sums(file: h5py.File, owner: str, dimensions: Dimensions) -> Sums:
    """The checksum of each run's or launch's labels, without status and stop."""
    sums = [START] * len(file[owner])
    for name, own in dimensions.items():
        is_measured = own[:2] == ["run", "rank"]
        if own[0] != owner or is_measured or name in (*STATE, *CHECKSUMS, "launch"):
            continue
        for place, cells in enumerate(cells_by_owner(file, name, own)):
            sums[place] = fnv1a(sums[place], b"".join(cells))
    return np.array(sums, np.uint64)


def cells_by_owner(file: h5py.File, name: str, dimensions: list[str]) -> Iterator[list[bytes]]:
    """The bytes that count, of each run or launch: the variable's name, then places and value of cells with a value."""
    values = file[name][...]
    is_text = values.dtype == object
    bits = values.view(np.uint64) if values.dtype.kind == "f" else values
    filled = values != b"" if is_text else bits != (EMPTY_BITS if values.dtype.kind == "f" else 0)
    labels = [as_bytes(file[other][...]) for other in dimensions[1:]]
    for owner in range(len(values)):
        cells: list[bytes] = []
        places = np.argwhere(filled[owner]) if values.ndim > 1 else [()] * int(filled[owner])
        for place in places:
            if not cells:
                cells.append(name.encode() + b"\0")
            cells += [label[index] for label, index in zip(labels, place, strict=True)]
            cell = (owner, *place)
            value = values[cell]
            cells.append(value + b"\0" if is_text else value.tobytes())
        yield cells


def as_bytes(values: npt.NDArray[Any]) -> list[bytes]:
    """A coordinate's labels as checksums see them: text with a zero behind it, or a little-endian number."""
    return [value + b"\0" if isinstance(value, bytes) else value.tobytes() for value in values]


def fnv1a(value: int, data: bytes) -> int:
    for byte in data:
        value = (value ^ byte) * PRIME & MASK
    return value


# ---------------------------------------------------------------- numbers


def check_numbers(file: h5py.File, path: Path, dimensions: Dimensions) -> None:
    measured = [name for name in MEASURED if name in dimensions]
    gpus, steps = file["gpus"][...], file["steps"][...]
    has_numbers = (file["status"][...] > 0)[:, None] & (np.arange(len(file["rank"])) < gpus[:, None])
    runs, ranks = np.nonzero(has_numbers)
    sums = np.full(len(runs), START, np.uint64)
    odd_runs: list[int] = []
    for name in measured:
        for some in blocks_of(runs, file[name]):
            numbers = file[name][runs[some][0] : runs[some][-1] + 1][runs[some] - runs[some][0], ranks[some]]
            sums[some] = add_numbers(sums[some], numbers, steps[runs[some]], name in ADDITIONS)
            if name == "seconds":
                odd_runs += runs[some][have_odd_steps(numbers)].tolist()
    for place in np.flatnonzero(sums != file["checksum"][...][runs, ranks]):
        raise DamagedError(
            f"'{path}' is damaged: the numbers of rank {ranks[place]} in run {runs[place]} do not have their checksum"
        )
    for run in odd_runs:
        raise DamagedError(f"'{path}' is wrong: run {run} has a step of no time, or of over {LONGEST_STEP:g} s")


def have_odd_steps(seconds: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether records[record, step, phase] hold a step that nobody can have measured. NaN was not measured."""
    steps = seconds[..., PHASES.index("step")]
    return ((steps < SHORTEST_STEP) | (steps > LONGEST_STEP)).any(axis=-1)


def blocks_of(runs: npt.NDArray[Any], dataset: h5py.Dataset) -> Iterator[slice]:
    """Records of a variable that fit into memory together; `runs` rise."""
    if not len(runs):
        return
    runs_at_once = max(1, BLOCK_BYTES * len(dataset) // max(1, dataset.nbytes))
    borders = np.searchsorted(runs, np.arange(0, runs[-1] + 1 + runs_at_once, runs_at_once))
    for first, end in pairwise(borders):
        if end > first:
            yield slice(int(first), int(end))


def add_numbers(sums: Sums, numbers: npt.NDArray[Any], steps: npt.NDArray[Any], is_addition: bool) -> Sums:
    """The sums of records after `numbers[record, step, ...]`, of which the first steps count."""
    records = len(numbers)
    has_steps = numbers.ndim > 1
    width = int(np.prod(numbers.shape[2:])) if has_steps else 1
    ends = steps.astype(np.int64) * width if has_steps else np.ones(records, np.int64)
    bits = np.ascontiguousarray(numbers).view(np.uint64).reshape(records, -1)
    if records < FEW_RECORDS:
        rows = [row[:end] for row, end in zip(bits, ends, strict=True)]
        kept = [row[row != EMPTY_BITS] if is_addition else row for row in rows]
        return np.array([fnv1a(int(before), row.tobytes()) for before, row in zip(sums, kept, strict=True)], np.uint64)
    for place in range(int(ends.max(initial=0))):
        column = bits[:, place]
        counts = (place < ends) & ~(is_addition & (column == EMPTY_BITS))
        added = sums
        for shift in range(0, 64, 8):
            added = (added ^ (column >> np.uint64(shift) & np.uint64(0xFF))) * np.uint64(PRIME)
        sums = np.where(counts, added, sums)
    return sums
