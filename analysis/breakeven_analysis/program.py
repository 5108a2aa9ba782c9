# SPDX-License-Identifier: Apache-2.0
"""Finds the program `breakeven` and reads what its commands say as JSON."""

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

VARIABLE = "BREAKEVEN_PROGRAM"
BUILT = "build/*/bin/breakeven"


class ProgramError(RuntimeError):
    """The program is not there, refused, or said what this package does not know; one sentence."""


def find_program() -> Path:
    """The program that BREAKEVEN_PROGRAM names, else the one on PATH, else the newest below a build folder around."""
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK):
            raise ProgramError(f"{VARIABLE} is '{named}', which is no program that can be run")
        return Path(named)
    on_path = shutil.which("breakeven")
    if on_path:
        return Path(on_path)
    built = newest_built()
    if built is None:
        raise ProgramError(
            f"the program breakeven was not found: put it on PATH, name it in {VARIABLE}, or build it "
            f"with `make build` and work in that folder"
        )
    return built


def newest_built() -> Path | None:
    """Of the folders above this one and above this package's sources, the nearest that has a built program."""
    here, sources = Path.cwd(), Path(__file__).resolve().parent
    for folder in (here, *here.parents, *sources.parents):
        built = [path for path in folder.glob(BUILT) if os.access(path, os.X_OK)]
        if built:
            return max(built, key=lambda path: path.stat().st_mtime)
    return None


def read_json(command: str, paths: Paths, *options: str) -> dict[str, Any]:
    """What `breakeven COMMAND FILE... OPTIONS --format json` says; asked once for files that have not changed."""
    files = [Path(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    changed = tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in files)
    return ask(find_program(), command, tuple(map(str, files)), changed, options)


def expect_version(said: dict[str, Any], what: str, version: int) -> None:
    """Raises ProgramError where this is no such answer, or one of a program of another time."""
    if said.get("format") != f"breakeven {what}" or said.get("version") != version:
        raise ProgramError(
            f"the program's {what} is version {said.get('version')}, this package reads {version}: "
            f"take both from the same sources"
        )


@functools.lru_cache(maxsize=32)
def ask(
    program: Path, command: str, files: tuple[str, ...], changed: tuple[int, ...], options: tuple[str, ...]
) -> dict[str, Any]:
    del changed  # a part of the key alone
    line = [str(program), command, *files, *options, "--format", "json"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise ProgramError(f"{program} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        raise ProgramError(f"breakeven {command} ended with exit code {done.returncode}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    if not isinstance(answer, dict):
        raise ProgramError(f"breakeven {command} did not print one JSON object")
    return answer
