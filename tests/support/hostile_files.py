# SPDX-License-Identifier: Apache-2.0
"""Changes that make a results file crash, hang or exhaust a reader, each with words of the program's refusal."""
import json
import os
import pathlib
from collections.abc import Callable

import h5py

TEXT = h5py.string_dtype()


def make_again(file: h5py.File, name: str, shape: tuple, kind, **options) -> None:
    del file[name]
    file.create_dataset(name, shape, kind, **options)


def thirty_two_dimensions(file: h5py.File) -> None:
    make_again(file, "run", (len(file["run"]), *[1] * 31), TEXT, chunks=(1,) * 32)


def no_phases(file: h5py.File) -> None:
    make_again(file, "phase", (0,), TEXT, maxshape=(None,))


def other_phases(file: h5py.File) -> None:
    file["phase"][1], file["phase"][2] = file["phase"][2], file["phase"][1]


def huge(name: str) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        variable = file[name]
        shape, kind = (1 << 40, *variable.shape[1:]), variable.dtype
        make_again(file, name, shape, kind, chunks=(1,) * len(shape), maxshape=(None,) * len(shape))

    return change


def all_runs_huge(file: h5py.File) -> None:
    scales = {name: file[name].dims[0] for name in file}
    along_runs = [name for name, scale in scales.items() if name == "run" or len(scale) and scale[0].name == "/run"]
    for name in along_runs:
        huge(name)(file)


def stored_in_a_pipe(file: h5py.File) -> None:
    pipe = pathlib.Path(file.filename).with_suffix(".pipe")
    os.mkfifo(pipe)
    make_again(file, "power_watts", file["power_watts"].shape, "f8", external=[(str(pipe), 0, h5py.h5f.UNLIMITED)])


def replaced_by(link) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        del file["power_watts"]
        file["power_watts"] = link

    return change


def a_group(file: h5py.File) -> None:
    del file["power_watts"]
    file.create_group("power_watts")


def of_text(file: h5py.File) -> None:
    make_again(file, "power_watts", file["power_watts"].shape, TEXT)


def set_all(name: str, value) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        file[name][...] = value

    return change


def without_label_checksums(file: h5py.File) -> None:
    """As of an older program: nothing else stands in the way of the reader."""
    for name in ("label_checksum", "label_checksum_next", "launch_checksum"):
        if name in file:
            del file[name]


CHANGES = [
    (thirty_two_dimensions, "the variable run does not have 1 dimensions"),
    (no_phases, "it has 0 phases"),
    (other_phases, "the coordinate phase"),
    (huge("run"), "claims to be larger than the file"),
    (huge("seconds"), "claims to be larger than the file"),
    (all_runs_huge, "claims to be larger than the file"),
    (stored_in_a_pipe, "the cells of power_watts are in another file"),
    (replaced_by(h5py.ExternalLink("other.h5", "x")), "power_watts is a link"),
    (replaced_by(h5py.SoftLink("/energy_joules")), "power_watts is a link"),
    (a_group, "not a dataset"),
    (of_text, "power_watts has another type"),
    (set_all("ranks", 0), "claims 0 ranks"),
    (set_all("gpus", 0), "claims 0 ranks"),
    (set_all("gpus", -3), "claims -3 ranks"),
    (set_all("gpus", 9), "claims 9 ranks"),
    (set_all("batch", 0), "claims a batch of 0"),
    (set_all("batch", 4_294_967_295), "claims a batch of 4294967295"),
    (set_all("steps", 4_000_000_000), "4000000000 steps"),
    (set_all("ranks", 5), "5 ranks"),
    (set_all("launch_index", 3), "belongs to a launch that is not in the file"),
    (set_all("status", 7), "unknown status"),
    (set_all("candidates", 4_000_000_000), "4000000000 candidates"),
    (set_all("settings", "[" * 100_000 + "]" * 100_000), "holds no JSON object"),
    (set_all("environment", '{"a":' * 100_000), "holds no JSON object"),
    (set_all("settings", json.dumps(dict.fromkeys(map(str, range(200_000)), ""))), "holds no JSON object"),
]


def zero_heap(path: pathlib.Path) -> None:
    """HDF5 keeps text in collections, which begin with these letters. HDF5 1.10 follows sizes of 0 in them for ever."""
    data = bytearray(path.read_bytes())
    first = data.index(b"GCOL") + 16
    data[first:first + 4096] = bytes(4096)
    path.write_bytes(data)
