# SPDX-License-Identifier: Apache-2.0
"""The version stands in CMakeLists.txt. Whatever states it too, for tools that cannot read it there, states the same."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def stated(file: str, pattern: str) -> str:
    """The first version that the file states."""
    return re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)[1]


VERSION = stated("CMakeLists.txt", r"^project\(breakeven VERSION (\S+)")


@pytest.mark.parametrize(("file", "pattern"), [
    ("CITATION.cff", r"^version: (\S+)$"),
    ("analysis/pyproject.toml", r'^version = "(\S+)"$'),
    ("jobs/spack/spack_repo/breakeven/packages/breakeven/package.py", r'^ +version\("([\d.]+)", tag="v\1"'),
    ("CHANGELOG.md", r"^## \[?(\d[\d.]*)\]?"),
], ids=lambda value: value if "/" in value or "." in value and " " not in value else "")
def test_has_the_version_of_cmake(file: str, pattern: str) -> None:
    assert stated(file, pattern) == VERSION
