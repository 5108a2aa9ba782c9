# SPDX-License-Identifier: Apache-2.0
"""Writes a file beside its place and then gives it its name, so that it is whole at every moment. As the program does
(src/hdf5/partial_file.cpp), with the same names and the same lock: each removes what a killed one of the other left."""

import contextlib
import errno
import fcntl
import os
import secrets
import struct
from pathlib import Path

ENDING, LETTERS, LONGEST_NAME = ".partial", 6, 255


def mode_of_new_files() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def publish(content: bytes | memoryview, output: Path, mode: int) -> None:
    """OSError if it cannot be written, or is read back with other bytes; the file is then as before."""
    handle, partial = create_partial(output)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
            if partial.read_bytes() != content:
                raise OSError(f"{partial} was read back with other bytes than written")
            partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        remove_orphans(output)


def create_partial(output: Path) -> tuple[int, Path]:
    """A file that only its owner may read, and its lock."""
    while True:
        partial = output.with_name(f"{beginning_of(output)}{secrets.token_hex(LETTERS // 2)}{ENDING}")
        with contextlib.suppress(FileExistsError):
            handle = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            if lock_alone(handle) is not False and is_named(handle, partial):
                return handle, partial
            os.close(handle)  # another process took it for an orphan before it was locked
            partial.unlink(missing_ok=True)


def beginning_of(output: Path) -> str:
    between = ".breakeven-"
    most = LONGEST_NAME - len(between) - LETTERS - len(ENDING)
    return os.fsdecode(os.fsencode(output.name)[:most]) + between


def remove_orphans(output: Path) -> None:
    """What processes were writing that have ended."""
    beginning = beginning_of(output)
    for path in output.absolute().parent.iterdir():
        is_partial = path.name.startswith(beginning) and path.name.endswith(ENDING)
        if is_partial and len(path.name) == len(beginning) + LETTERS + len(ENDING):
            with contextlib.suppress(OSError):
                remove_orphan(path)


def remove_orphan(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if lock_alone(handle):
            path.unlink()
    finally:
        os.close(handle)


def is_named(handle: int, path: Path) -> bool:
    return path.exists() and os.path.samestat(os.fstat(handle), path.stat())


def lock_alone(handle: int) -> bool | None:
    """The lock of a launch of the program (src/hdf5/launch_lock.cpp), as long as the file is open. False: another
    process has it. None: this file system has no locks."""
    byte = struct.pack("hh4xqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 1 << 62, 1, 0)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, byte)
    except OSError as error:
        return False if error.errno in (errno.EAGAIN, errno.EACCES) else None
    return True
