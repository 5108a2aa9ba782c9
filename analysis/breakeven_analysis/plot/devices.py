# SPDX-License-Identifier: Apache-2.0
"""What pictures call the devices that trained: GPUs, or ranks that computed on processor cores."""

from typing import NamedTuple

import pandas as pd

HOST = "(host backend)"  # as the program marks processor cores in a machine's name


class Devices(NamedTuple):
    one: str
    several: str


def devices_of(machine: str) -> Devices:
    is_host = all(HOST in part for part in machine.split(" and "))
    return Devices("rank", "ranks") if is_host else Devices("GPU", "GPUs")


def machine_name(machine: str) -> str:
    return machine.replace(HOST, "(processor cores)")


def machine_words(machine: str, cases: pd.DataFrame) -> str:
    """The machine, and how many of its GPUs trained if that is one number: "2 of 4x NVIDIA H200"."""
    counts = set(cases.loc[cases["gpus"] > 1, "gpus"])
    used = counts.pop() if len(counts) == 1 else None
    name = machine_name(machine)
    return name if used is None or name.startswith(f"{used}x ") else f"{used} of {name}"
