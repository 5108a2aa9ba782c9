# SPDX-License-Identifier: Apache-2.0
"""The labels of a recorded run, and how it is measured."""

import math
import sys
from dataclasses import dataclass
from typing import Any

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.provenance import package_version
from breakeven_analysis.record.ranks import Rank, torch_distributed

SINGLE = "single"  # the strategy of one GPU, which all others are compared with
FRAMEWORKS = {"torch": "pytorch", "jax": "jax", "tensorflow": "tensorflow"}  # by the module that a program imports
MOST_STEPS_APART = 1_000_000


@dataclass(frozen=True)
class Protocol:
    """As the options of `breakeven run` of the same names (docs/measuring.md)."""

    warmup: int = 10
    steps: int = 100
    settle: float = 5.0
    settle_tolerance: float = 0.005
    seconds: float = 0.5

    def __post_init__(self) -> None:
        wrong = [
            (self.warmup >= 0, "warmup", self.warmup, "0 or more"),
            (self.steps >= 1, "steps", self.steps, "1 or more"),
            (0 <= self.settle < math.inf, "settle", self.settle, "a number of seconds"),
            (self.settle_tolerance > 0, "settle_tolerance", self.settle_tolerance, "above 0"),
            (0 <= self.seconds < math.inf, "seconds", self.seconds, "a number of seconds"),
        ]
        for holds, name, value, allowed in wrong:
            if not holds:
                raise RecorderError(f"{name} is {value} and must be {allowed}")

    def settings(self) -> dict[str, str]:
        return {
            "recorder": package_version() or "unpackaged",
            "warmup": str(self.warmup),
            "steps": str(self.steps),
            "settle": f"{self.settle:g}s",
            "settle-tolerance": f"{100 * self.settle_tolerance:g}%",
            "seconds": f"{self.seconds:g}s",
        }

    def steps_apart(self, step_seconds: float) -> int:
        """So many that the recorded steps, each standing for so many, last long enough."""
        if not step_seconds > 0:
            return 1
        return int(max(1, min(MOST_STEPS_APART, math.ceil(self.seconds / step_seconds / self.steps))))


def describe_case(
    rank: Rank, strategy: str, batch: int, words: dict[str, str], framework: str | None, transport: str | None
) -> dict[str, Any]:
    """Of the results file, by its variables' names. `words` are those that the caller gives as they are."""
    for name, word in {**words, "strategy": strategy}.items():
        if not (isinstance(word, str) and word.strip() and word.isprintable() and len(word) <= 100):
            raise RecorderError(f"{name} is {word!r} and must be a short text without line breaks")
    if not (isinstance(batch, int) and batch >= rank.ranks):
        raise RecorderError(f"batch is {batch} and must be the samples of a step over all {rank.ranks} ranks")
    if words["scaling"] not in ("strong", "weak"):
        raise RecorderError(f"scaling is '{words['scaling']}' and must be 'strong' or 'weak'")
    if strategy == SINGLE and rank.ranks > 1:
        raise RecorderError(f"strategy is '{SINGLE}', which is the word for one rank, and there are {rank.ranks}")
    return {
        **words,
        "batch": batch,
        "gpus": rank.ranks,
        "strategy": strategy if rank.ranks > 1 else SINGLE,
        "gemm": framework or framework_in_use(),
        "collective": (transport or transport_in_use()) if rank.ranks > 1 else "none",
        "graph": 0,
    }


def framework_in_use() -> str:
    return next((name for module, name in FRAMEWORKS.items() if module in sys.modules), "python")


def transport_in_use() -> str:
    group = torch_distributed()
    if group is not None:
        return str(group.get_backend())
    return "mpi" if "mpi4py.MPI" in sys.modules else "other"
