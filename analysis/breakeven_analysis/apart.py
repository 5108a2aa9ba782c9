# SPDX-License-Identifier: Apache-2.0
"""Reads a file in a child process first. HDF5 may crash, loop or allocate without end on a damaged or crafted file;
then only the child does, and the caller raises one sentence."""

import fcntl
import os
import resource
import select
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from breakeven_analysis.errors import DamagedError, NotResultsError

MEBIBYTE = 2**20
DAMAGED = "is damaged, or is not a results file of breakeven"
# What h5py, numpy and json raise where a file is not built as it says.
ODD = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError)
OWN_SIGNALS = [getattr(signal, f"SIG{name}") for name in ("INT", "TERM", "ALRM", "SEGV", "BUS", "ABRT", "FPE", "ILL")]
KINDS = {b"N": NotResultsError, b"D": DamagedError}  # first letter of what the child says


def read_apart(path: Path, read: Callable[[], object]) -> None:
    """Calls `read` in a child with limits far above what a whole file needs. Raises what it raises, or that it failed.

    The child never returns from here, and it shares no open file with this process.
    """
    mebibytes = path.stat().st_size // MEBIBYTE
    ours, theirs = map(above_standard, os.pipe())
    with warnings.catch_warnings():
        # Of threads: the child takes none of their locks. h5py holds its own one over a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        tell(theirs, path, read, mebibytes)
    os.close(theirs)
    try:
        said = hear(ours, time.monotonic() + 60 + mebibytes)
    finally:
        os.close(ours)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if said is None:
        raise DamagedError(f"'{path}' is damaged: HDF5 crashed, or did not finish reading it")
    if said[:1] in KINDS:
        raise KINDS[said[:1]](said[1:].decode(errors="replace"))


def above_standard(descriptor: int) -> int:
    """The same file by another number, where standard input, output or error is closed and has left its own."""
    if descriptor > 2:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def hear(pipe: int, deadline: float) -> bytes | None:
    """All that the child says; None if it does not come to its last letter, a full stop."""
    said = b""
    while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
        read = os.read(pipe, 2**16)
        if not read:
            break
        said += read
    return said[:-1] if said.endswith(b".") else None


def tell(pipe: int, path: Path, read: Callable[[], object], mebibytes: int) -> None:
    """In the child."""
    try:
        limit(mebibytes)
        os.write(pipe, sentence_of(path, read).encode("utf-8", "replace")[:4000] + b".")
    finally:
        os._exit(0)


def sentence_of(path: Path, read: Callable[[], object]) -> str:
    try:
        read()
    except DamagedError as error:
        return f"D{error}"
    except NotResultsError as error:
        return f"N{error}"
    except ODD:
        return f"D'{path}' {DAMAGED}"
    return ""


def limit(mebibytes: int) -> None:
    for number in OWN_SIGNALS:  # what this process does at them is not the child's
        signal.signal(number, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = 5 + mebibytes
    lower(resource.RLIMIT_CPU, seconds, seconds + 1)
    memory = Path("/proc/self/statm")
    if memory.exists():  # what this process has already, and more
        addresses = int(memory.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        most = addresses + (512 + 32 * mebibytes) * MEBIBYTE
        lower(resource.RLIMIT_AS, most, most)


def lower(kind: int, soft: int, hard: int) -> None:
    """Where this process has a lower limit already, that one stays: only root may raise it."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))
