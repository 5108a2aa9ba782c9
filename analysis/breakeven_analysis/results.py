# SPDX-License-Identifier: Apache-2.0
"""Results files as one labelled, lazy data set."""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import xarray as xr

from breakeven_analysis.machines import machine_names
from breakeven_analysis.merge import merge_along
from breakeven_analysis.nccl import nccl_settings
from breakeven_analysis.reader import read_file

PathLike = str | os.PathLike[str]


def open_results(paths: PathLike | Iterable[PathLike]) -> xr.Dataset:
    """Opens one or several results files: a path, a pattern such as "results/*/*.h5", or a list of them.

    Labels are read at once, numbers when they are asked for. Several files become one data set: runs and
    launches follow one another, `launch_index` counts on, and what a smaller file lacks holds NaN, 0, False or "".
    Three labels are added, with dimension `run`: `machine` and `nccl_settings`, as in the report, and `file`.
    """
    datasets = count_launches_on([open_file(path) for path in expand(paths)])
    labels = {name for dataset in datasets for name in dataset.coords}
    variables = [dataset.reset_coords() for dataset in datasets]
    runs = merge_along("run", [dataset.drop_dims("launch") for dataset in variables])
    launches = merge_along("launch", [dataset.drop_dims("run") for dataset in variables])
    merged = xr.merge([runs, launches], compat="override", join="outer", combine_attrs="override")
    return merged.set_coords([name for name in merged.variables if name in labels])


def expand(paths: PathLike | Iterable[PathLike]) -> list[Path]:
    """The files that a path, a pattern or a list of them means."""
    wanted: Sequence[PathLike] = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: list[Path] = []
    for path in wanted:
        text = os.fspath(path)
        names = [text] if Path(text).exists() else sorted(glob.glob(text, recursive=True))  # noqa: PTH207
        if not names:
            raise FileNotFoundError(f"no results file is called or matches '{text}'")
        found.extend(Path(name) for name in names)
    if not found:
        raise FileNotFoundError("no results file was named")
    return found


def open_file(path: Path) -> xr.Dataset:
    """One file, with more labels: its machine, its name, and what its launches told NCCL."""
    dataset = read_file(path)
    machines = machine_names(dataset)
    return dataset.assign_coords(
        machine=("run", [machines[launch] for launch in dataset["launch_index"].to_numpy()]),
        file=("run", [str(path)] * dataset.sizes["run"]),
        nccl_settings=("run", nccl_settings(dataset)),
    )


def count_launches_on(datasets: list[xr.Dataset]) -> list[xr.Dataset]:
    """The launches of a later file are numbered behind those of the files before it."""
    counted, before = [], 0
    for dataset in datasets:
        launches = np.arange(before, before + dataset.sizes["launch"], dtype=np.int32)
        index = dataset["launch_index"] + np.uint32(before)
        counted.append(dataset.assign_coords(launch=launches, launch_index=index))
        before += dataset.sizes["launch"]
    return counted
