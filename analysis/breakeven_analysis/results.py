# SPDX-License-Identifier: Apache-2.0
"""Results files as one labelled, lazy data set."""

import glob
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import xarray as xr

from breakeven_analysis.apart import DAMAGED, ODD
from breakeven_analysis.errors import DamagedError, NotResultsError
from breakeven_analysis.merge import merge_along
from breakeven_analysis.reader import read_file

PathLike = str | os.PathLike[str]


def open_results(paths: PathLike | Iterable[PathLike], verify: bool = True) -> xr.Dataset:
    """Opens one or several results files: a path, a pattern such as "results/*/*.h5", or a list of them.

    Reads labels at once and numbers when they are needed. Several files become one data set: runs and launches follow
    one another, `launch_index` counts on, and values that a file lacks are NaN, 0, False or "". The data set has three
    more labels of dimension `run`: `machine` and `nccl_settings`, as in the report, and `file`.

    Raises NotResultsError with one sentence if a file is no results file, and DamagedError if it does not have its
    checksums. That reads the whole file once; `verify=False` does not.
    """
    wanted = expand(paths)
    datasets = [open_file(path, verify) for path in wanted]
    try:
        return joined(count_launches_on(datasets))
    except ODD as error:
        raise DamagedError(f"'{', '.join(map(str, wanted))}' {DAMAGED}") from error


def joined(datasets: list[xr.Dataset]) -> xr.Dataset:
    labels = {name for dataset in datasets for name in dataset.coords}
    variables = [dataset.reset_coords() for dataset in datasets]
    runs = merge_along("run", [dataset.drop_dims("launch") for dataset in variables])
    launches = merge_along("launch", [dataset.drop_dims("run") for dataset in variables])
    merged = xr.merge([runs, launches], compat="override", join="outer", combine_attrs="override")
    return merged.set_coords([name for name in merged.variables if name in labels])


def expand(paths: PathLike | Iterable[PathLike]) -> list[Path]:
    """The files that a path, a pattern or a list of them names."""
    wanted: Sequence[PathLike] = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: list[Path] = []
    for path in wanted:
        text = os.fspath(path)
        names = [text] if Path(text).exists() else sorted(glob.glob(text, recursive=True))  # noqa: PTH207
        if not names:
            raise FileNotFoundError(f"no results file matches '{text}'")
        found.extend(Path(name) for name in names)
    if not found:
        raise FileNotFoundError("open_results needs at least one results file")
    return found


def open_file(path: Path, verify: bool = True) -> xr.Dataset:
    """One file with the three labels that open_results adds."""
    try:
        return with_labels(read_file(path, verify), path)
    except NotResultsError:
        raise
    except ODD as error:
        raise DamagedError(f"'{path}' {DAMAGED}") from error


def with_labels(dataset: xr.Dataset, path: Path) -> xr.Dataset:
    machines = [machine_of(dataset.isel(launch=launch)) for launch in range(dataset.sizes["launch"])]
    return dataset.assign_coords(
        machine=("run", [machines[launch] for launch in dataset["launch_index"].to_numpy()]),
        file=("run", [str(path)] * dataset.sizes["run"]),
        nccl_settings=("run", nccl_settings_of(dataset)),
    )


def count_launches_on(datasets: list[xr.Dataset]) -> list[xr.Dataset]:
    """Numbers the launches of a later file after those of the files before it."""
    counted, before = [], 0
    for dataset in datasets:
        launches = np.arange(before, before + dataset.sizes["launch"], dtype=np.int32)
        index = dataset["launch_index"] + np.uint32(before)
        counted.append(dataset.assign_coords(launch=launches, launch_index=index))
        before += dataset.sizes["launch"]
    return counted


def machine_of(launch: xr.Dataset) -> str:
    """Such as "2x NVIDIA H200", as the report names it (src/report/words/machine.cpp)."""
    ranks = int(launch["ranks"])
    devices: Counter[str] = Counter()
    for name, backend in zip(launch["gpu_name"].values[:ranks], launch["backend"].values[:ranks], strict=True):
        devices[f"{name} (host backend)" if backend == "host" else str(name)] += 1
    text = " and ".join(f"{count}x {name}" for name, count in devices.items())
    hosts = len(set(launch["host"].values[:ranks]))
    if hosts > 1:
        text += f" on {hosts} hosts"
    return text or "an unknown machine"


def nccl_settings_of(dataset: xr.Dataset) -> list[str]:
    """NCCL's variables of every run as in the report (src/core/records/results.cpp), such as "NCCL_P2P_DISABLE=1".

    A run without NCCL, or with NCCL's defaults, has "".
    """
    environments = [json.loads(str(text) or "{}") for text in dataset["environment"].to_numpy()]
    settings = [
        " ".join(sorted(f"{name}={value}" for name, value in variables.items() if changes_exchange(name, value)))
        for variables in environments
    ]
    pairs = zip(dataset["collective"].to_numpy(), dataset["launch_index"].to_numpy(), strict=True)
    return [settings[launch] if transport == "nccl" else "" for transport, launch in pairs]


def changes_exchange(name: str, value: str) -> bool:
    """False for a container's note of its version, for what NCCL prints, and for the program's own default."""
    if name == "NCCL_VERSION" or name.startswith("NCCL_DEBUG") or (name, value) == ("NCCL_NVLS_ENABLE", "0"):
        return False
    return name.startswith("NCCL_")
