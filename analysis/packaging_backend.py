# SPDX-License-Identifier: Apache-2.0
"""Builds the package with scikit-build-core. A source archive also gets the program's sources, as folder `program`.

The sources are one folder up, and an archive holds only this folder. Where `make install` has put this folder there are
none, and nothing is compiled: the package then uses the installed program."""

import os
import shutil
from pathlib import Path

from scikit_build_core import build as backend
from scikit_build_core.build import *  # noqa: F403  what pip calls

HERE = Path(__file__).resolve().parent
STAGED = HERE / "program"
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "src", "jobs/suites", "jobs/topologies")

if not any((place / "CMakeLists.txt").exists() for place in (HERE.parent, STAGED)):
    os.environ["SKBUILD_WHEEL_CMAKE"] = "false"


def build_sdist(folder: str, settings: dict[str, list[str] | str] | None = None) -> str:
    if STAGED.exists():  # this folder comes from an archive
        return backend.build_sdist(folder, settings)
    try:
        for name in SOURCES:
            source, target = HERE.parent / name, STAGED / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)
        return backend.build_sdist(folder, settings)
    finally:
        shutil.rmtree(STAGED, ignore_errors=True)
