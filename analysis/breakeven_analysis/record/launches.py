# SPDX-License-Identifier: Apache-2.0
"""The launches of recorded runs. Each run is a start of its own of the training program. A launch in the file holds one
start of each case: the first of every case, then the second, and so on. So the single GPU and the others are compared
within a launch, and from three launches on intervals are between launches (docs/statistics.md)."""

import json
import re
from typing import Any

import h5py

from breakeven_analysis.record.part import Run

SAME_DEVICE = ("host", "backend", "gpu_name", "gpu_uuid")
NEXT = " ; "  # between what several starts say
ONE = re.compile(rf"""(?:{NEXT})?((?:'[^']*'|"[^"]*"|(?!{NEXT}).)+)""", re.DOTALL)  # in quotes it is a command's word


def launch_for(file: h5py.File, run: Run) -> int:
    """The first launch of the same program on the same devices that lacks the case, else a new one."""
    launches = len(file["launch"])
    return next((launch for launch in range(launches) if fits(file, launch, run)), launches)


def fits(file: h5py.File, launch: int, run: Run) -> bool:
    start = run.start
    if run.launch and text_at(file, "started", launch) != run.launch:
        return False
    if text_at(file, "git_revision", launch) != start["git_revision"]:
        return False
    if any(pairs_at(file, name, launch) != start[name] for name in ("versions", "settings")):
        return False
    return has_exchange(file, launch, run) and has_devices(file, launch, run) and not has_case(file, launch, run)


def nccl_of(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("NCCL_")}


def has_exchange(file: h5py.File, launch: int, run: Run) -> bool:
    """Runs with other settings of NCCL are other cases, which the program tells apart by their launches."""
    if len(run.devices) == 1 or int(file["ranks"][launch]) == 1:
        return True
    return nccl_of(pairs_at(file, "environment", launch)) == nccl_of(run.start["environment"])


def has_devices(file: h5py.File, launch: int, run: Run) -> bool:
    shared = min(int(file["ranks"][launch]), len(run.devices))
    return all(
        file[name].asstr()[launch, rank] == run.devices[rank].get(name, "")
        for rank in range(shared)
        for name in SAME_DEVICE
    )


def has_case(file: h5py.File, launch: int, run: Run) -> bool:
    return any(
        int(file["launch_index"][place]) == launch and is_case_at(file, place, run) for place in range(len(file["run"]))
    )


def is_case_at(file: h5py.File, place: int, run: Run) -> bool:
    return all(value_at(file, name, place) == value for name, value in run.case.items())


def value_at(file: h5py.File, name: str, place: int) -> Any:
    value = file[name][place]
    return value.decode() if isinstance(value, bytes) else value


def text_at(file: h5py.File, name: str, place: int) -> str:
    return str(value_at(file, name, place))


def pairs_at(file: h5py.File, name: str, launch: int) -> dict[str, str]:
    return dict(json.loads(text_at(file, name, launch) or "{}"))


def join_launch(file: h5py.File, launch: int, run: Run) -> None:
    """Adds what this start says to what the others of the launch said."""
    before = int(file["ranks"][launch])
    start = run.start
    file["started"][launch] = text_at(file, "started", launch) or start["started"]
    file["git_revision"][launch] = start["git_revision"]
    said = text_at(file, "command_line", launch)
    file["command_line"][launch] = with_next(said, start["command_line"])
    for name in ("versions", "settings"):
        file[name][launch] = as_json(start[name])
    environment = pairs_at(file, "environment", launch)
    for name, value in start["environment"].items():
        if len(run.devices) == 1 and name.startswith("NCCL_"):
            continue
        environment[name] = with_next(environment.get(name, ""), value)
    file["environment"][launch] = as_json(environment)
    file["ranks"][launch] = max(before, len(run.devices))
    for rank in range(before, len(run.devices)):
        for name, value in run.devices[rank].items():
            file[name][launch, rank] = value
        file["link"][launch, rank, rank] = "self"
        for other in range(rank):
            file["link"][launch, rank, other] = file["link"][launch, other, rank] = "?"


def with_next(said: str, word: str) -> str:
    return word if not said else said if word in each_of(said) else said + NEXT + word


def each_of(said: str) -> list[str]:
    """What the several starts said."""
    return ONE.findall(said)


def as_json(pairs: dict[str, str]) -> str:
    return json.dumps(pairs, separators=(",", ":"), ensure_ascii=False)
