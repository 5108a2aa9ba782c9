# SPDX-License-Identifier: Apache-2.0
"""Finds the program `breakeven` and reads the JSON of its commands."""

import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from breakeven_analysis.said import warn

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

ENVIRONMENT = 2  # exit code
VARIABLE = "BREAKEVEN"
FORMER_VARIABLE = "BREAKEVEN_PROGRAM"
OWN = Path(__file__).resolve().parent / "bin" / "breakeven"
COLUMNS_VERSION = 2
SOURCES = Path(__file__).resolve().parents[2]  # of a package that runs from its sources: `make python`


class ProgramError(RuntimeError):
    """The program is missing, refused, or has another version; one sentence."""


def find_program() -> Path:
    """The program named by BREAKEVEN, or the package's own, or the first on PATH, or built from the same sources.

    It is never looked for near the working folder, where others may have put files.
    """
    program = named_program() or (OWN if can_run(OWN) else None) or on_path() or newest_built()
    if program is None:
        raise ProgramError(
            f"the program breakeven was not found. {how_to_make_it()}, put one on PATH, or name it in {VARIABLE}"
        )
    return program


def how_to_make_it() -> str:
    if runs_from_sources():
        return "Build it with: make build"
    without = "--config-settings=wheel.cmake=false"
    return f"This package was installed without it: install it again, without {without} (pip install ./analysis)"


def runs_from_sources() -> bool:
    return (SOURCES / "analysis" / "pyproject.toml").is_file()


def can_run(path: str | os.PathLike[str]) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)


def named_program() -> Path | None:
    """The program that the environment names."""
    variable = VARIABLE
    if not os.environ.get(VARIABLE) and os.environ.get(FORMER_VARIABLE):
        variable = FORMER_VARIABLE
        warnings.warn(f"{FORMER_VARIABLE} is now called {VARIABLE}", FutureWarning, stacklevel=2)
    named = os.environ.get(variable)
    if not named:
        return None
    if not can_run(named):
        raise ProgramError(f"{variable} is '{named}', which is not an executable file")
    return Path(named)


def on_path() -> Path | None:
    """The first `breakeven` on PATH, except this package's command, which would call itself."""
    own = Path(sysconfig.get_path("scripts"))
    folders = [
        folder
        for folder in os.get_exec_path()
        if Path(folder).is_absolute() and not (own.exists() and Path(folder).resolve() == own.resolve())
    ]
    found = shutil.which("breakeven", path=os.pathsep.join(folders)) if folders else None
    return Path(found) if found else None


def newest_built() -> Path | None:
    """The newest program that was built from the sources that this package runs from."""
    if not runs_from_sources():
        return None
    built = [path for path in SOURCES.glob("build/*/bin/breakeven") if can_run(path)]
    return max(built, key=lambda path: path.stat().st_mtime, default=None)


def main() -> None:
    """The command `breakeven` of a Python environment: runs the program in its place. `wrap` is this package's own."""
    if sys.argv[1:2] == ["wrap"] or sys.argv[1:3] == ["help", "wrap"]:
        from breakeven_analysis.wrap import main as wrap

        sys.exit(wrap(["--help"] if sys.argv[1] == "help" else sys.argv[2:]))
    try:
        program = find_program()
        os.execv(program, ["breakeven", *sys.argv[1:]])
    except (ProgramError, OSError) as problem:
        warn(str(problem), "breakeven")
        sys.exit(ENVIRONMENT)


def read_json(command: str, paths: Paths, *options: str) -> dict[str, Any]:
    """The JSON of `breakeven COMMAND FILE... OPTIONS --format json`; computed once for unchanged files."""
    files = [Path(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    changed = tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in files)
    return ask(find_program(), command, tuple(map(str, files)), changed, options)


def declared_columns(command: str, json_key: str) -> list[dict[str, Any]]:
    """The columns that the program declares for a list of its JSON, with unit, meaning and type."""
    said = ask(find_program(), "report", (), (), ("--columns",))
    expect_version(said, "columns", COLUMNS_VERSION)
    tables = [table for table in said["tables"] if (table["command"], table["json"]) == (command, json_key)]
    return [column for table in tables for column in table["columns"]]


def expect_version(said: dict[str, Any], what: str, version: int) -> None:
    """Raises ProgramError if the answer has another format or version."""
    if said.get("format") != f"breakeven {what}" or said.get("version") != version:
        raise ProgramError(
            f"the program prints {what} version {said.get('version')}, but this package reads version {version}: "
            f"install both from the same sources"
        )


@functools.lru_cache(maxsize=32)
def ask(
    program: Path, command: str, files: tuple[str, ...], changed: tuple[int, ...], options: tuple[str, ...]
) -> dict[str, Any]:
    del changed  # only a key of the cache
    line = [str(program), command, *files, *options, "--format", "json"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise ProgramError(f"{program} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        reason = done.stderr.strip().removeprefix("breakeven: ")
        raise ProgramError(f"breakeven {command} ended with exit code {done.returncode}: {reason}")
    try:
        answer = json.loads(done.stdout)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ProgramError(f"breakeven {command} did not print one JSON object")
    return answer
