# SPDX-License-Identifier: Apache-2.0
"""Adds the runs of recorders to a results file."""

import time
from io import BytesIO
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from breakeven_analysis.apart import ODD
from breakeven_analysis.errors import NotResultsError, RecorderError
from breakeven_analysis.integrity import (
    START,
    STATE,
    Sums,
    add_numbers,
    dimensions_in_order,
    fnv1a_of_bytes,
    label_sums,
)
from breakeven_analysis.program_tables import ADDITIONS, MEASURED
from breakeven_analysis.record.launches import is_case_at, join_launch, launch_for, text_at
from breakeven_analysis.record.layout import grow, stored_bytes
from breakeven_analysis.record.part import BY_STEP, Part, PartsFolder, Run, join
from breakeven_analysis.record.replacing import alone, parts_beside, replaced

VERIFIED, PLANNED = 2, 0
MOST_BYTES_WITHOUT_NUMBERS = 2**28


def add_run(output: Path, folder: PartsFolder) -> str:
    """Adds the parts of one start of the program to the file and removes them. Returns a sentence about it.
    RecorderError if they are not in the file."""
    with alone(output):
        return add_run_alone(output, folder)


def add_run_alone(output: Path, folder: PartsFolder) -> str:
    run, missing = join(folder)
    if run is None:
        folder.remove()
        if missing:
            raise RecorderError(missing)
        return ""
    try:
        place = place_run(output, run)
    except (NotResultsError, OSError) as error:
        raise RecorderError(f"the run is not in {output}: {error}. Its parts are kept in {folder.path}") from error
    except ODD as error:
        why = f"{folder.path} is damaged: {type(error).__name__}: {error}. Remove it"
        raise RecorderError(f"the run is not in {output}: {why}") from error
    folder.remove()
    return f"{output}: {summary_of(run)} is run {place}" + (f"; {missing}" if missing else "")


def place_run(output: Path, run: Run) -> int:
    """Adds the run to the file, and says where."""
    with replaced(output) as image:
        return write_run(image, run)


def summary_of(run: Run) -> str:
    case = run.case
    text = f"{case['model']} at batch {case['batch']}, {case['strategy']} on {case['gpus']}"
    if not run.parts:
        return text
    slowest = np.max([part.seconds[:, -1] for part in run.parts], axis=0)
    own = max(part.numbers["recorder_seconds"] for part in run.parts)
    mean = float(np.mean(slowest))
    share = f"{100 * own / mean:.2g} %" if mean > 0 else "unknown"
    return f"{text}, {run.steps} steps of {1e3 * mean:.4g} ms (the recorder's share: {share}),"


def join_left_parts(output: Path) -> str:
    """Adds what earlier starts left whose processes have all ended, such as one whose rank 0 was killed."""
    if not parts_beside(output).is_dir():
        return ""
    with alone(output):
        folders = [PartsFolder(path) for path in sorted(parts_beside(output).glob("*/"))]
        # A folder without descriptions belongs to a start that is about to write them.
        left = [folder for folder in folders if folder.is_described() and not folder.is_alive()]
        said = []
        for folder in left:
            try:
                said.append(add_run_alone(output, folder))
            except RecorderError as error:
                said.append(str(error))
    return "; ".join(f"left by an earlier start: {sentence}" for sentence in said if sentence)


def wait_for_parts(folder: PartsFolder, ranks: int, patience: float) -> None:
    """Waits until every rank has written its part, or has ended without one."""
    began = time.monotonic()
    for rank in range(ranks):
        while not folder.has_part(rank) and time.monotonic() - began < patience:
            if not folder.rank_lives(rank) and not folder.has_part(rank):
                break
            time.sleep(0.05)


# ---------------------------------------------------------------- one run


def write_run(image: BytesIO, run: Run) -> int:
    with h5py.File(image, "r+") as file:
        place, launch = place_for(file, run)
        runs, ranks = max(place + 1, len(file["run"])), len(run.devices)
        places = {"run": runs, "rank": ranks, "peer": ranks, "launch": launch + 1, "step": run.steps}
        check_growth(file, places, run)
        grow(file, places)
        join_launch(file, launch, run)
        write_labels(file, place, launch, run)
        for rank, part in enumerate(run.parts):
            write_numbers(file, place, rank, part)
        sums = [checksum_of(file, part) for part in run.parts]
        file["checksum"][place, : len(sums)] = np.array(sums, np.uint64)
    with h5py.File(image, "r+") as file:
        verify(file, place, sums)
        add_label_checksums(file, place, launch)
    return place


def check_growth(file: h5py.File, places: dict[str, int], run: Run) -> None:
    """A run without numbers only says how many steps it was to have: nothing shows that there can be so many."""
    before = {name: len(file[name]) for name in places}
    after = {name: max(before[name], count) for name, count in places.items()}
    growth = stored_bytes(after) - stored_bytes(before)
    if not run.parts and growth > MOST_BYTES_WITHOUT_NUMBERS:
        raise RecorderError(f"a run of {run.steps} steps, none of them recorded, would add {growth} bytes to the file")


def place_for(file: h5py.File, run: Run) -> tuple[int, int]:
    """Of the run and its launch. A run that `breakeven wrap` repeats takes the place of the one that failed."""
    for place in range(len(file["run"])):
        launch = int(file["launch_index"][place])
        is_planned = int(file["status"][place]) == PLANNED and text_at(file, "started", launch) == run.launch
        if is_planned and is_case_at(file, place, run):
            return place, launch
    return len(file["run"]), launch_for(file, run)


def write_labels(file: h5py.File, place: int, launch: int, run: Run) -> None:
    orders = file["order"][...][file["launch_index"][...] == launch]
    labels = {
        **run.case,
        **run.planned,
        "steps": run.steps,
        "order": int(max(orders, default=-1)) + 1,
        "launch_index": launch,
        "status": VERIFIED if run.parts else PLANNED,
        "run": f"{label_of(run.case)} #{place}",
    }
    for name, value in labels.items():
        file[name][place] = value


def label_of(case: dict[str, Any]) -> str:
    """The label that the program gives to runs of this case. A test compares them."""
    words = [case["model"], f"b{case['batch']}", f"{case['gpus']}x"]
    words += [case[axis] for axis in ("strategy", "precision", "gemm", "collective")]
    unusual = {"graph": case["graph"], "weak": case["scaling"] == "weak", "streamed": case["data"] == "streamed"}
    return " ".join([*words, *(word for word, is_so in unusual.items() if is_so), case["instrument"]])


def arrays_of(part: Part) -> dict[str, Any]:
    """The measured numbers by variable. A variable that is missing was not measured."""
    return {**{name: getattr(part, name) for name in BY_STEP}, **part.numbers}


def write_numbers(file: h5py.File, place: int, rank: int, part: Part) -> None:
    for name, values in arrays_of(part).items():
        if np.ndim(values):
            file[name][place, rank, : part.steps] = values
        else:
            file[name][place, rank] = values


def measured_variables(file: h5py.File) -> list[str]:
    return [name for name in MEASURED if name in file]


def checksum_of(file: h5py.File, part: Part) -> int:
    """The checksum of the numbers in memory."""
    arrays, sums = arrays_of(part), np.array([START], np.uint64)
    for name in measured_variables(file):
        values = arrays.get(name, np.nan)
        if file[name].ndim > 2 and not np.ndim(values):
            values = np.full((part.steps, *file[name].shape[3:]), values)
        numbers = np.asarray(values, np.float64)[None]
        sums = add_numbers(sums, numbers, np.array([part.steps]), name in ADDITIONS)
    return int(sums[0])


def verify(file: h5py.File, place: int, sums: list[int]) -> None:
    """Reads the numbers back and compares their checksums with those of the numbers in memory."""
    for rank, expected in enumerate(sums):
        found: Sums = np.array([START], np.uint64)
        steps = np.array([int(file["steps"][place])])
        for name in measured_variables(file):
            found = add_numbers(found, file[name][place, rank][None], steps, name in ADDITIONS)
        if int(found[0]) != expected:
            raise OSError(f"the numbers of rank {rank} were read back with other values than written")


def add_label_checksums(file: h5py.File, place: int, launch: int) -> None:
    dimensions = dimensions_in_order(file)
    state = [file[name][...] for name in STATE]
    sums = fnv1a_of_bytes(label_sums(file, "run", dimensions), state)
    for name in ("label_checksum", "label_checksum_next"):
        file[name][place] = sums[place]
    file["launch_checksum"][launch] = label_sums(file, "launch", dimensions)[launch]
