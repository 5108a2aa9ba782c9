# SPDX-License-Identifier: Apache-2.0
"""A file that holds only what another program must write: sentences have no holes, and the next command is the right one."""
import pathlib
import re
import subprocess
import sys

import h5py
import program
import pytest

WRITER = pathlib.Path(__file__).parents[2] / "examples" / "minimal.py"


@pytest.fixture()
def sparse(tmp_path: pathlib.Path) -> pathlib.Path:
    subprocess.run([sys.executable, WRITER], cwd=tmp_path, check=True, timeout=60)
    return tmp_path / "mine.h5"


def prose(text: str) -> str:
    """Without tables, whose dashes mean not measured."""
    paragraphs = [part for part in text.split("\n\n") if not re.search(r"^-+( +-+)+$", part, re.MULTILINE)]
    return " ".join(" ".join(paragraphs).split()).replace("A dash (–) means", "")


@pytest.mark.parametrize("command", [("report",), ("report", "--sections", "all"), ("advise", "--model", "mine", "--batch", "64")])
def test_sentences_have_no_holes(sparse: pathlib.Path, command: tuple[str, ...]) -> None:
    said = program.said(command[0], str(sparse), *command[1:])
    assert "2x device without a name (host backend)" in " ".join(said.split()), said
    text = prose(said)
    assert not re.search(r"\bnan\b| – |–\.| 0 parameters|,  data|2x  ", text), text
    assert not re.search(r"not measured +\S+ +2\.00|training starts", said), said


def test_unmeasured_runs_of_the_plan_are_resumed(sparse: pathlib.Path) -> None:
    """Not by a second launch on two ranks."""
    with h5py.File(sparse, "r+") as file:
        file["status"][1] = 0
        file["command_line"][0] = "breakeven run --models 8-8 --append --output mine.h5"
    said = " ".join(program.said("report", str(sparse)).split())
    assert ("Nothing was compared with one GPU. 1 of 2 planned runs are not measured yet. To measure them, run: "
            "mpirun -np 2 breakeven run --models 8-8 --output mine.h5 --resume") in said, said
