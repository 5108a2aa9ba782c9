# SPDX-License-Identifier: Apache-2.0
"""A recorded file as if another machine had measured it."""
import pathlib
import shutil

import h5py
import numpy as np


def rename(source: pathlib.Path, target: pathlib.Path, device: str = "NVIDIA H100", **others: str) -> str:
    """A copy with another device; `others` are texts of the launches, such as git_revision."""
    shutil.copy(source, target)
    with h5py.File(target, "a") as file:
        for name, text in {"gpu_name": device, **others}.items():
            cells = file[name]
            cells[...] = np.where(cells[...] == b"", b"", text.encode())
        for name in ("label_checksum", "label_checksum_next", "launch_checksum"):  # as in older files
            if name in file:
                del file[name]
    return str(target)


def text_of(path: str, name: str) -> str:
    """Of the first launch."""
    with h5py.File(path) as file:
        return file[name].asstr()[0]
