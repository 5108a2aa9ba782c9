# SPDX-License-Identifier: Apache-2.0
"""Writes a file beside its place and then gives it its name, so that it is whole at every moment."""

import os
import tempfile
from pathlib import Path


def mode_of_new_files() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def publish(content: bytes | memoryview, output: Path, mode: int) -> None:
    """OSError if it cannot be written, or is read back with other bytes; the file is then as before."""
    beginning = output.name[:40]  # the longest name has no room for more
    handle, name = tempfile.mkstemp(prefix=f"{beginning}.", suffix=".partial", dir=output.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        if partial.read_bytes() != content:
            raise OSError(f"{name} was read back with other bytes than written")
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
