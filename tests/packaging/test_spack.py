# SPDX-License-Identifier: Apache-2.0
"""The Spack package depends on what setup/packages lists for a build, with the same variants. Where Spack 1.0 or later is on
PATH, its audit finds nothing."""
import ast
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPOSITORY = ROOT / "jobs/spack/spack_repo/breakeven"
# What Spack calls by the name of an interface, so that a site chooses the package.
VIRTUAL = {"gcc": "cxx", "openmpi": "mpi"}
# The site's own, and the C compiler of CMake's project().
NOT_LISTED = {"cuda", "nccl", "c"}


def name_and_details(spec: str) -> tuple[str, set[str]]:
    """"hdf5+mpi+hl" is ("hdf5", {"+mpi", "+hl"})."""
    name, details = re.fullmatch(r"([a-z0-9-]+)(.*)", spec).groups()
    return VIRTUAL.get(name, name), set(re.findall(r"[+~@][^+~@]+", details))


def listed() -> dict[str, set[str]]:
    rows = [line.split() for line in (ROOT / "setup/packages").read_text().splitlines()]
    return dict(name_and_details(row[3]) for row in rows if row and row[0] == "build")


def directives(kind: str) -> list[tuple[str, dict[str, str]]]:
    tree = ast.parse((REPOSITORY / "packages/breakeven/package.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind]
    return [(call.args[0].value, {word.arg: word.value.value for word in call.keywords})
            for call in calls if isinstance(call.args[0], ast.Constant)]  # not those for each value of cuda_arch


def depended_on() -> dict[str, set[str]]:
    """Of the default build."""
    return dict(name_and_details(spec) for spec, words in directives("depends_on") if words.get("when") != "~mpi")


def test_names_are_those_of_setup_packages() -> None:
    assert set(depended_on()) - NOT_LISTED == set(listed())


@pytest.mark.parametrize("name", sorted(set(listed()) - {"cxx"}))
def test_variants_and_versions_are_those_of_setup_packages(name: str) -> None:
    assert listed()[name] <= depended_on()[name]


def test_refuses_compilers_older_than_setup_packages_says() -> None:
    (oldest,) = listed()["cxx"]
    assert [spec for spec, _ in directives("conflicts") if spec.startswith("%gcc")] == [f"%gcc@:{int(oldest[1:-1]) - 1}"]


@pytest.mark.skipif(shutil.which("spack") is None, reason="Spack is not on PATH")
def test_spack_audits_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "repos.yaml").write_text(f"repos:\n  breakeven: {REPOSITORY}\n")
    done = subprocess.run(["spack", "-C", str(tmp_path), "audit", "packages", "breakeven"],
                          capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
