# SPDX-License-Identifier: Apache-2.0
"""What pictures and the page call the devices that trained, in the program's words: GPUs, or host devices."""

from typing import NamedTuple

import pandas as pd

HOST = "(host backend)"  # as the program marks processor cores in a machine's name


class Devices(NamedTuple):
    one: str
    several: str
    no_energy: str  # why it was not measured


GPUS = Devices("GPU", "GPUs", "it needs NVML's energy counter and runs of a second or more")
HOST_DEVICES = Devices("host device", "host devices", "host devices have no energy counter")


def devices_of(machine: str) -> Devices:
    return HOST_DEVICES if all(HOST in part for part in machine.split(" and ")) else GPUS


def machine_words(machine: str, cases: pd.DataFrame) -> str:
    """The machine, and how many of its GPUs trained if that is one number: "2 of 4x NVIDIA H200"."""
    counts = set(cases.loc[cases["gpus"] > 1, "gpus"])
    used = counts.pop() if len(counts) == 1 else None
    return machine if used is None or machine.startswith(f"{used}x ") else f"{used} of {machine}"
