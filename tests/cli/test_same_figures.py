# SPDX-License-Identifier: Apache-2.0
"""Two places of a report that give the same figure give the same number, and none names an interval that there is not."""
import pathlib
import re

import program
import pytest

QUICK = ["run", "--backend", "host", "--models", "64-32-8", "--batches", "16,64", "--warmup", "2", "--steps", "40"]


@pytest.fixture(scope="module")
def noisy(folder: pathlib.Path) -> pathlib.Path:
    """Runs of so few steps that the mean of all steps and the mean over runs differ."""
    program.run_well(2, *QUICK, "--repeats", "6", "--output", str(folder / "noisy.h5"))
    return folder / "noisy.h5"


@pytest.fixture(scope="module")
def twice(folder: pathlib.Path) -> pathlib.Path:
    """Two runs a case, which give no interval."""
    program.run_well(2, *QUICK, "--repeats", "2", "--output", str(folder / "twice.h5"))
    return folder / "twice.h5"


def test_the_answer_has_the_speeds_of_the_table(noisy: pathlib.Path) -> None:
    text = program.said("report", str(noisy), "--sections", "speed,answers")
    said = re.findall(r"\(one host device: ([\d,]+) samples/s", " ".join(text.split()))
    table = [line.split()[4] for line in text.splitlines() if re.match(r" *\d+ ddp on 2 ", line)]
    assert len(said) == 2 and said == [table[0], table[-1]], text


def test_no_interval_is_named_where_there_is_none(twice: pathlib.Path, noisy: pathlib.Path) -> None:
    text = " ".join(program.said("report", str(twice), "--sections", "speed,answers").split())
    assert "times as fast, no interval, " in text, text
    assert "95 % CI" not in text and "within one launch" not in text, text
    assert "times as fast, 95 % CI within one launch, " in " ".join(program.said("report", str(noisy)).split())
