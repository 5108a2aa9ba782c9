# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of `make sbom` is valid SPDX 2.3 and holds what its sources list."""
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALIDATE = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent")).parent / "pyspdxtools"
PROGRAM = os.environ["BREAKEVEN"]


def write(output: pathlib.Path) -> str:
    subprocess.run([ROOT / "setup/sbom", PROGRAM, output], check=True, timeout=100)
    return output.read_text(encoding="utf-8")


def validate(file: pathlib.Path) -> subprocess.CompletedProcess:
    if not VALIDATE.exists():
        pytest.skip("spdx-tools is not installed; run make python")
    return subprocess.run([VALIDATE, "--infile", file], capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def file(folder: pathlib.Path) -> pathlib.Path:
    write(folder / "bill.spdx.json")
    return folder / "bill.spdx.json"


def related(file: pathlib.Path, relationship: str) -> set[str]:
    """Names of the packages that the program has the relationship with."""
    bill = json.loads(file.read_text(encoding="utf-8"))
    names = {package["SPDXID"]: package["name"] for package in bill["packages"]}
    found = [row for row in bill["relationships"] if row["relationshipType"] == relationship]
    ends = {row[end] for row in found for end in ("spdxElementId", "relatedSpdxElement")}
    return {names[end] for end in ends if end in names} - {"breakeven", "breakeven-analysis"}


def test_is_valid(file: pathlib.Path) -> None:
    done = validate(file)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_invalid_one_is_found(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    damaged = tmp_path / "damaged.spdx.json"
    damaged.write_text(file.read_text(encoding="utf-8").replace('"DYNAMIC_LINK"', '"LINKS"'), encoding="utf-8")
    assert validate(damaged).returncode != 0


def test_is_the_same_for_the_same_program(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert write(tmp_path / "again.spdx.json") == file.read_text(encoding="utf-8")


def test_describes_the_version_of_the_program(file: pathlib.Path) -> None:
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.match(r"breakeven (\S+)", said)[1]
    described = next(package for package in json.loads(file.read_text())["packages"] if package["name"] == "breakeven")
    assert (described["versionInfo"], described["licenseDeclared"]) == (version, "Apache-2.0")


@pytest.mark.parametrize(("needs", "relationship"), [
    ({"build"}, "BUILD_DEPENDENCY_OF"), ({"test", "cluster", "image"}, "TEST_DEPENDENCY_OF"),
    ({"python"}, "DEV_DEPENDENCY_OF"), ({"clang", "lint"}, "DEV_TOOL_OF")], ids=lambda value: value if isinstance(value, str) else "")
def test_holds_setup_packages(file: pathlib.Path, needs: set[str], relationship: str) -> None:
    rows = [line.split() for line in (ROOT / "setup/packages").read_text().splitlines()]
    listed = {row[1] for row in rows if row and row[0].rstrip("?") in needs}
    assert listed and related(file, relationship) == listed


def test_holds_the_lock(file: pathlib.Path) -> None:
    lines = (ROOT / "setup/python.lock").read_text().splitlines()
    assert related(file, "DEPENDENCY_OF") == {line.split("==")[0] for line in lines if re.match(r"\S+==", line)}


def test_holds_what_the_program_links(file: pathlib.Path) -> None:
    read = subprocess.run(["objdump", "-p", PROGRAM], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED +lib([a-z]{2,})", read))  # libc and libm have one letter
    linked = " ".join(related(file, "DYNAMIC_LINK"))
    assert needed and [name for name in needed if name not in linked] == []
