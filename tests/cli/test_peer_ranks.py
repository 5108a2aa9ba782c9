# SPDX-License-Identifier: Apache-2.0
"""The peer on two ranks of processor cores, where PyTorch is installed: BREAKEVEN_TORCH_PYTHON, or the first python3 on
PATH. Its modes answer or say why not, and its checks find planted faults."""
import json
import os
import pathlib
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("BREAKEVEN_TORCH_PYTHON", "python3")
HAS_TORCH = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
if subprocess.run([PYTHON, "-c", HAS_TORCH], check=False).returncode != 0:
    pytest.skip(f"{PYTHON} has no PyTorch: pip install torch", allow_module_level=True)
sys.path.insert(0, str(ROOT / "results"))
from side_by_side.cases import Case, Protocol  # noqa: E402
from side_by_side.pytorch_side import PyTorchSide, environment_of_ranks  # noqa: E402

LAUNCHER = shlex.split(os.environ["BREAKEVEN_MPIRUN"])


@pytest.fixture(scope="module")
def said():
    done = subprocess.run([*LAUNCHER, "-np", "2", PYTHON, ROOT / "tests/support/torch_faults.py"], timeout=100, check=False,
                          env=environment_of_ranks() | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


@pytest.mark.parametrize("training", ["ddp fp32", "ddp bf16", "fsdp fp32", "fsdp bf16", "trained"])
def test_sound_training_passes(said, training):
    assert said[training] == "sound"


@pytest.mark.parametrize("fault, words", [
    ("no exchange", "differ from rank 0's on rank 1"), ("one bit", "differ from rank 0's on rank 1"),
    ("not a number", "differ from rank 0's on rank 1"), ("no exchange, by losses fp32", "is not that of one GPU"),
    ("no exchange, by losses bf16", "is not that of one GPU"), ("does not fall", "did not fall"),
    ("nothing compiled", "compiled nothing"),
])
def test_faults_are_found(said, fault, words):
    assert words in said[fault]


def test_modes_answer_or_say_why_not():
    """After a mode that fails, the next one starts anew."""
    side = PyTorchSide([PYTHON], LAUNCHER, Protocol("host", 2, 0.1, 5, 100))
    cases = [Case("pytorch", "33-17-5", batch, "fp32", mode, 2)
             for batch, mode in ((12, "ddp"), (12, "ddp-graph"), (13, "fsdp"), (12, "fsdp"))]
    try:
        found = [one for _, one in side.measure(cases)]
    finally:
        side.close()
    assert found[1]["refused"] == "RuntimeError: a CUDA graph needs a GPU", found[1]
    assert found[2]["refused"] == "ValueError: batch 13 cannot be divided by 2 GPUs", found[2]
    for one in (found[0], found[3]):
        assert one["parameters"] == 668 and one["mean_seconds"] > 0 and one["loss"] < one["first_loss"], one
