# SPDX-License-Identifier: Apache-2.0
"""Changes a results file by one writer at a time: a new file beside it gets its name when it is whole."""

import fcntl
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TextIO

import h5py
import numpy as np

from breakeven_analysis.apart import read_apart
from breakeven_analysis.beside import lock_alone, mode_of_new_files, publish
from breakeven_analysis.errors import NotResultsError, RecorderError
from breakeven_analysis.integrity import check_file, check_storage
from breakeven_analysis.record.layout import CONVENTIONS, create_file, variables
from breakeven_analysis.record.meeting import HeldFile
from breakeven_analysis.record.own_files import fault_of_folder
from breakeven_analysis.record.ranks import Rank

WRAPPED = "BREAKEVEN_PARTS"  # the environment variable by which `breakeven wrap` names the folder that it reads


SUFFIXES = (".h5", ".hdf5", ".nc")


def fault_of_name(output: Path) -> str:
    """Why no results file can have this name; "" if it can."""
    try:
        return fault_of_place(output) or fault_of_folder(parts_beside(output))
    except OSError as error:
        return f"'{output}': {error.strerror}"


def output_of(output: Path, rank: Rank) -> Path:
    """Checked before anything is trained. Absolute, because the program may change its working folder."""
    if fault := fault_of_name(output):
        raise RecorderError(f"output {fault}")
    if not os.access(output.parent, os.W_OK):
        raise RecorderError(f"output '{output}': the folder '{output.parent}' cannot be written")
    try:
        if rank.rank == 0 and output.exists():
            check_results(output)
        return output.absolute()
    except NotResultsError as error:
        raise RecorderError(f"output {error}") from error
    except FileNotFoundError as error:  # of the working folder
        raise RecorderError(f"output '{output}': the working folder was removed") from error


def fault_of_place(output: Path) -> str:
    if output.suffix not in SUFFIXES:
        return f"'{output}' does not end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
    if not output.parent.is_dir():
        return f"'{output}': the folder '{output.parent}' does not exist"
    if output.is_dir():
        return f"'{output}' is a folder"
    if output.is_symlink() and not output.exists():
        return f"'{output}' is a link to a file that does not exist. Choose another name"
    if output.exists() and not output.is_file():
        return f"'{output}' is not a regular file"
    return ""


def followed(output: Path) -> Path:
    """The file that is written: through a link, which stays a link (src/hdf5/serial_file.cpp)."""
    return output.resolve() if output.is_symlink() else output


def beside(output: Path, suffix: str) -> Path:
    file = followed(output)
    return file.with_name(file.name + suffix)


def parts_beside(output: Path) -> Path:
    return beside(output, ".parts")


@contextmanager
def alone(output: Path) -> Iterator[None]:
    """Recorders wait for one another. The last one removes the folder of parts."""
    path = parts_beside(output) / "lock"
    with locked(path):
        try:
            yield
        finally:
            path.unlink()
            with suppress(OSError):  # another start of the program has files there
                path.parent.rmdir()


def locked(path: Path) -> TextIO:
    while True:
        held = HeldFile(path, fcntl.LOCK_EX)
        if path.exists() and path.stat().st_ino == os.fstat(held.stream.fileno()).st_ino:
            return held.stream
        held.close()  # the one before has removed it


@contextmanager
def replaced(output: Path) -> Iterator[BytesIO]:
    """The bytes of the file, or of a new one, which get the file's name when the block ends well. HDF5 changes them in
    memory: where the disk is full it cannot close a file, and crashes later."""
    output = followed(output)
    if output.exists():
        with output.open("r+b") as stream:
            if lock_alone(stream.fileno()) is False:
                raise NotResultsError(f"'{output}' is being written by a launch of breakeven")
            check_results(output)
            image = BytesIO(stream.read())
            yield image
            publish(image.getbuffer(), output, output.stat().st_mode & 0o7777)
    else:
        image = BytesIO()
        create_file(image)
        mode = mode_of_new_files()
        yield image
        publish(image.getbuffer(), output, mode)


def shortage_of_space(output: Path, needed: int) -> str:
    """As of the program (src/hdf5/partial_file.cpp)."""
    disk = os.statvfs(followed(output).parent)
    free, most = disk.f_bavail * disk.f_frsize, resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if free < needed:
        return f"'{output}' needs {needed} bytes, and its disk has {free} bytes free"
    if most not in (resource.RLIM_INFINITY, -1) and most < needed:
        return f"'{output}' needs {needed} bytes, and files may have {most} bytes (ulimit -f)"
    return ""


def check_results(output: Path) -> None:
    """Raises NotResultsError for a file that no run can be added to."""
    read_apart(output, lambda: check_in_child(output))


def check_in_child(output: Path) -> None:
    with h5py.File(output, "r") as file:
        conventions = np.bytes_(file.attrs.get("Conventions", b"")).decode()
        missing = [variable.name for variable in variables() if variable.name not in file]
        if conventions != CONVENTIONS:
            raise NotResultsError(f"'{output}' is not a results file of breakeven. Choose another output")
        check_storage(file, output)
        if missing:
            raise NotResultsError(
                f"an older breakeven wrote '{output}', without {missing[0]}. Choose another output, and put both "
                "into one file with: breakeven merge"
            )
        check_file(file, output)
