# SPDX-License-Identifier: Apache-2.0
"""A device that computes otherwise each time: repeats of a case differ, which ends with exit code 3, without speeds."""
import json
import os
import pathlib
import shutil
import subprocess

import program
import pytest

WRONG_NUMBERS = 3
RUN = ["run", "--backend", "host", "--models", "33-17-5", "--batches", "12", "--gpus", "1,2", "--strategies", "single,ddp",
       "--warmup", "2", "--steps", "8", "--repeats", "3", "--timing", "steps"]


@pytest.fixture(scope="module")
def drift(folder: pathlib.Path) -> pathlib.Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source = pathlib.Path(__file__).parents[1] / "support" / "drift.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", folder / "drift.so", source], check=True)
    return folder / "drift.so"


def measured(path: pathlib.Path, library: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
    command = program.command(2, *RUN, "--output", str(path))
    return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library), **environment}, capture_output=True, text=True,
                          timeout=100, check=False)


def test_differing_repeats_have_no_speed(tmp_path: pathlib.Path, drift: pathlib.Path) -> None:
    done = measured(tmp_path / "drifted.h5", drift)
    assert done.returncode == WRONG_NUMBERS, done
    report = json.loads(program.said("report", str(tmp_path / "drifted.h5"), "--format", "json"))
    assert len(report["cases"]) == 3 and all(case["speedup"] is None for case in report["cases"]), report["cases"]
    warning = " ".join(one for one in report["warnings"] if one.startswith("Wrong numbers: "))
    for case in ("1x single", "1x ddp", "2x ddp"):
        assert case in warning, report["warnings"]
    assert "repeats" in warning, warning


def test_a_rank_that_computes_otherwise_is_found(tmp_path: pathlib.Path, drift: pathlib.Path) -> None:
    """Its gradients reach all replicas, so that only the repeats tell."""
    done = measured(tmp_path / "one.h5", drift, DRIFT_RANK="1")
    assert done.returncode == WRONG_NUMBERS, done
    report = json.loads(program.said("report", str(tmp_path / "one.h5"), "--format", "json"))
    warning = " ".join(one for one in report["warnings"] if one.startswith("Wrong numbers: "))
    assert "2x ddp" in warning and "1x" not in warning, report["warnings"]
