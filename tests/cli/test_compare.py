# SPDX-License-Identifier: Apache-2.0
"""Two measured files against each other: exit code 0 where they are the same, 8 where none can say. test_gate.py: 7."""
import json
import math
import pathlib
import re
import shutil
import subprocess

import h5py
import program
import pytest

INCONCLUSIVE, FILE = 8, 5
SEED = pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22" / "seed.h5"


def compare(*arguments: str) -> subprocess.CompletedProcess:
    return program.alone("compare", *arguments)


def measured(folder: pathlib.Path, optimizer: str, repeats: int = 20, batch: int = 1) -> str:
    results = str(folder / f"{optimizer}-{repeats}-{batch}.h5")
    program.run_well(1, "run", "--backend", "host", "--batches", str(batch), "--gpus", "1", "--strategies", "single",
                     "--timing", "steps", "--warmup", "2", "--repeats", str(repeats), "--models", "768-768-768",
                     "--steps", "15", "--optimizer", optimizer, "--output", results)
    return results


@pytest.fixture(scope="module")
def old(folder: pathlib.Path) -> str:
    return measured(folder, "sgd")


@pytest.fixture(scope="module")
def new(folder: pathlib.Path) -> str:
    return measured(folder, "adam")


def test_settings_that_differ_are_named(old: str, new: str) -> None:
    text = compare(old, new).stdout
    assert text.index("1 case compared") < text.index("setting optimizer  sgd  adam"), text


def test_a_file_against_itself(old: str) -> None:
    done = compare(old, old, "--gate", "1%")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "same machine, program and settings" in done.stdout and "1 case compared: 1 SAME." in done.stdout, done.stdout
    assert "The gate of 1.0 % holds" in done.stdout and "holds" in done.stdout.splitlines()[-1], done.stdout


def test_too_few_runs_are_inconclusive(folder: pathlib.Path, old: str) -> None:
    few = measured(folder, "sgd", repeats=2)
    done = compare(old, few, "--gate", "50%")
    assert done.returncode == INCONCLUSIVE, (done.returncode, done.stdout, done.stderr)
    whole = json.loads(compare(old, few, "--gate", "50%", "--format", "json").stdout)
    (case,) = whole["cases"]
    assert case["gate_verdict"] == whole["gate_verdict"] == "inconclusive" and case["change"] == "UNCLEAR"
    assert whole["needed_runs"] == case["needed_units"] >= 3 and whole["needed_launches"] is None
    assert len(whole["inconclusive"]) == 1 and whole["regressions"] == []
    assert f"at least {case['needed_units']} runs in each file" in " ".join(done.stdout.split()), done.stdout


@pytest.mark.parametrize("swapped", [False, True])
def test_a_case_that_one_file_lacks_is_inconclusive(tmp_path: pathlib.Path, swapped: bool) -> None:
    """It may be the one that became slower."""
    part = tmp_path / "part.h5"
    shutil.copy(SEED, part)
    with h5py.File(part, "r+") as file:  # without checksums of labels
        file["status"][(file["gpus"][...] == 2) & (file["batch"][...] == 8)] = 0
    done = compare(*((part, SEED) if swapped else (SEED, part)), "--gate", "5%")
    assert done.returncode == INCONCLUSIVE, (done.returncode, done.stdout, done.stderr)
    assert re.search(r" [1-9]\d* NOT MEASURED", done.stdout) and "not measured." in done.stdout, done.stdout
    assert "same timing" not in done.stdout, done.stdout


def test_the_ratio_is_of_the_shown_steps(old: str, new: str) -> None:
    (case,) = json.loads(compare(old, new, "--format", "json").stdout)["cases"]
    assert math.isclose(case["old_step_seconds"] / case["new_step_seconds"], case["speed_ratio"], rel_tol=1e-12)
    assert case["gate_verdict"] is None and case["needed_units"] is None


def test_files_without_a_common_case(folder: pathlib.Path, old: str) -> None:
    other = measured(folder, "sgd", repeats=2, batch=2)
    for gate in ([], ["--gate", "5%"]):
        done = compare(old, other, *gate)
        assert done.returncode == FILE and done.stdout == "", done
        assert done.stderr.count("\n") == 1 and "they share no value of Batch (1 against 2)" in done.stderr, done


@pytest.mark.parametrize("code, words, arguments", [
    (1, "two results files", ["OLD"]),
    (1, "--gate '5'", ["OLD", "OLD", "--gate", "5"]),
    (1, "would overwrite", ["OLD", "OLD", "--output", "OLD"]),
    (1, "not one of text", ["OLD", "OLD", "--format", "xml"]),
    (5, "nothing.h5", ["OLD", "nothing.h5"]),
])
def test_refusals(old: str, code: int, words: str, arguments: list[str]) -> None:
    done = compare(*(old if word == "OLD" else word for word in arguments))
    assert done.returncode == code and words in done.stderr and done.stdout == "", done


WIDE = [  # the question, on recorded files
    ("compare", "h200-2-2026-11-22/bursts.h5", "h200-2-2026-11-22/power.h5", "--gate", "0.5%"),
    ("compare", "h200-2-2026-11-22/map.h5", "h200-2/map.h5", "--gate", "5%"),
    ("compare", "h200-2-2026-11-22/strategies.h5", "h200-2-2026-11-22/strategies.h5", "--gate", "5%"),
    ("advise", "h200-2-2026-11-22/map.h5", "--model", "xl", "--batch", "4096", "--samples", "1e9", "--deadline", "1h", "--sections",
     "all"),
    ("predict", "h200-4-2026-11-22/scaling.h5", "--model", "xl", "--batch", "16384", "--gpus", "8..512", "--price", "2"),
    ("predict", "h200-4-2026-11-22/scaling.h5", "--hold-out-gpus", "4"),
]


@pytest.mark.parametrize("question", WIDE, ids=" ".join)
def test_text_is_at_most_100_columns_wide(question: tuple) -> None:
    results = pathlib.Path(__file__).parents[2] / "results"
    done = program.alone(*(str(results / word) if word.endswith(".h5") else word for word in question))
    wide = [line for line in done.stdout.splitlines() if len(line) > 100]
    assert done.stdout and not wide, wide[:3]


def test_help() -> None:
    assert "--gate" in compare("--help").stdout
