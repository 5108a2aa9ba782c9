# SPDX-License-Identifier: Apache-2.0
"""The folders beside a results file, in which breakeven makes and removes files. A link in one would lead it to other
files, so nothing follows links there."""

import os
import stat
import tempfile
from pathlib import Path
from typing import Any


def open_own(path: Path, mode: str) -> Any:
    """OSError where the path is a link."""
    encoding = None if "b" in mode else "utf-8"
    return open(path, mode, encoding=encoding, opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o666))


def fault_of_folder(folder: Path) -> str:
    """Why breakeven does not work in it; "" if it does, or if there is none."""
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return f"'{folder}' is no folder, which breakeven makes there: remove it"
        if not is_own(folder):
            return f"the folder '{folder}' belongs to another user: remove it"
        for inner, folders, files in os.walk(folder):
            for name in (*folders, *files):
                path = Path(inner, name)
                if is_odd(path):
                    return f"'{path}' is a link or no regular file: remove it"
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"the folder '{folder}' cannot be used: {error.strerror}"
    return ""


def is_own(folder: Path) -> bool:
    """Some mounts give all files the same owner: what is made there then has it too."""
    owner = folder.stat().st_uid
    if owner == os.geteuid():
        return True
    with tempfile.TemporaryFile(dir=folder) as made:
        return os.fstat(made.fileno()).st_uid == owner


def is_odd(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:  # removed meanwhile
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
