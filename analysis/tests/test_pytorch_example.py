# SPDX-License-Identifier: Apache-2.0
"""examples/pytorch_ddp.py trains on one and two ranks of processor cores, by itself and under `breakeven wrap`."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from breakeven_analysis import find_program, read_report

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "pytorch_ddp.py"
if importlib.util.find_spec("torch") is None:
    pytest.skip("PyTorch is not installed here: pip install torch", allow_module_level=True)
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
TINY = [str(EXAMPLE), "--model", "gpt2-tiny", "--settle", "0", "--precision", "fp32", "--batch"]


def run(command: list[str]) -> str:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "BREAKEVEN_PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check(output: Path, strategies: set[str]) -> None:
    report = read_report(output)
    cases = report.cases
    assert report.said["runs"]["verified"] == report.said["runs"]["planned"] == len(cases) == 1 + len(strategies)
    assert set(cases["strategy"]) == {"single", *strategies} and set(cases["gemm"]) == {"pytorch"}
    assert set(cases[cases["gpus"] == 2]["collective"]) == {"gloo"} and set(cases["model"]) == {"gpt2-tiny"}
    assert (cases["step_seconds"] > 0).all() and (cases[cases["gpus"] == 2]["speedup"] > 0).all()


def test_one_and_two_ranks_meet_in_one_file(tmp_path: Path) -> None:
    output = tmp_path / "mine.h5"
    for ranks in ("1", "2"):
        run([*TORCHRUN, ranks, *TINY, "4", "--output", str(output)])
    check(output, {"pytorch-ddp"})


def test_wrap_starts_it_with_each_strategy(tmp_path: Path) -> None:
    output = tmp_path / "mine.h5"
    cases = ["--gpus", "1,2", "--batches", "4", "--strategies", "ddp,fsdp", "--launches", "1", "--output", str(output)]
    command = [*TORCHRUN, "{gpus}", *TINY, "{batch}", "--strategy", "{strategy}"]
    said = run([str(find_program()), "wrap", *cases, "--", *command])
    assert "3 of 3 runs measured" in said
    check(output, {"ddp", "fsdp"})
