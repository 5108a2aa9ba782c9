# SPDX-License-Identifier: Apache-2.0
"""Small results files as users make them, measured on the host device: few models, batches, strategies and runs."""

import os
import shlex
import subprocess
from pathlib import Path

from breakeven_analysis import find_program
from breakeven_analysis.wrap import main as wrap

MODEL, BATCH = "128-64-10", 64  # in every file
LAUNCHER = os.environ.get("BREAKEVEN_MPIRUN", "mpirun --oversubscribe --bind-to none")
ALL = {
    "backend": "host",
    "models": MODEL,
    "batches": "16,64,256",
    "strategies": "single,ddp,zero1",
    "gpus": "all",
    "precisions": "fp32",
    "timing": "steps,phases",
    "steps": "20",
    "repeats": "2",
    "settle": "0",
}
DIVERGES = 3  # the exit code of a launch in which a training failed
# The launches of each file, by the settings in which they differ.
FILES: dict[str, list[dict[str, str]]] = {
    "tutorial": [{"timing": "steps", "repeats": "1"}],
    "two strategies": [{"strategies": "single,ddp", "loss-budget": ""}],
    "host": [{"models": f"{MODEL},64-32-10", "strategies": "single,ddp,zero1,tensor", "loss-budget": ""}],
    "one batch": [{"batches": "64", "loss-budget": ""}],
    "training failed": [{"batches": "16,64", "loss-budget": ""}, {"batches": "256", "learning-rate": "1e38"}],
    "all failed": [{"learning-rate": "1e38"}],
    "one rank": [{"ranks": "1", "strategies": "single", "loss-budget": ""}],
    "two scalings": [{"batches": "16,32,64", "strategies": "single,ddp", "scaling": "strong,weak", "loss-budget": ""}],
    "wrapped": [],  # by `breakeven wrap`: without links, phases, losses, and the size and precision of the model
}
# Prints its steps: 0.2 ms on one rank, two thirds of that on two.
PRINTS = "for i in $(seq 40); do echo took 0.000$((100 + 100 / {gpus} + i % 3)) s; done; sleep 0.05; : {batch}"
WRAP = ["--batches", ALL["batches"], "--gpus", "1,2", "--strategies", "ddp", "--step-seconds", r"took (\S+) s"]


def measure(name: str, folder: Path) -> Path:
    """Measures the launches of the file one after another."""
    path = folder / f"{name.replace(' ', '-')}.h5"
    if name == "wrapped":
        words = [*WRAP, "--warmup", "0", "--model", MODEL, "--output", str(path)]
        assert wrap([*words, "--", "sh", "-c", PRINTS]) == 0
    for number, own in enumerate(FILES[name]):
        options = {**ALL, **own, "output": str(path), **({"append": ""} if number else {})}
        ranks = options.pop("ranks", "2")
        words = [word for option, value in options.items() for word in (f"--{option}", value) if word]
        line = [*shlex.split(LAUNCHER), "-np", ranks, str(find_program()), "run", *words]
        done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == (DIVERGES if "learning-rate" in own else 0), f"{line}:\n{done.stdout}{done.stderr}"
    return path
