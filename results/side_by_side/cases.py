# SPDX-License-Identifier: Apache-2.0
"""What is measured: workloads, the cases of both sides that each one makes, and their order."""
import itertools
import random
from dataclasses import dataclass

from side_by_side.models import model_of

PYTORCH = "pytorch"
BREAKEVEN = "breakeven"

# The precision that a workload names is the peer's; these are the ones of ours that compete with it. tf32x3 has
# the accuracy of fp32.
COMPETING = {"fp32": ("fp32", "tf32x3"), "tf32": ("tf32",), "bf16": ("bf16",), "fp16": ("fp16",)}

# The workloads that have a target.
DEFAULT_WORKLOADS = ("medium:16:fp32", "medium:128:tf32", "large:128:fp32,tf32,bf16", "xl:512:bf16", "xxl:8192:bf16")


@dataclass(frozen=True)
class Workload:
    model: str
    batch: int
    precision: str

    def __str__(self):
        return f"{self.model}, batch {self.batch:,}, {self.precision}"


@dataclass(frozen=True)
class Case:
    """One thing that a round measures once. The variant is the peer's mode, or the kernel of our products."""
    side: str
    model: str
    batch: int
    precision: str
    variant: str

    def __str__(self):
        return f"{self.side} {self.model} b{self.batch} {self.precision} {self.variant}"


def parse_workloads(texts):
    """MODEL:BATCHES:PRECISIONS, the last two comma lists; ValueError says what is wrong."""
    workloads = []
    for text in texts:
        parts = text.split(":")
        if len(parts) != 3:
            raise ValueError(f"workload '{text}' is not of the form MODEL:BATCH,BATCH:PRECISION,PRECISION")
        model, batches, precisions = parts
        model_of(model)
        for batch, precision in itertools.product(batches.split(","), precisions.split(",")):
            if not batch.isdecimal() or int(batch) < 1:
                raise ValueError(f"batch '{batch}' is not a whole number from 1 on")
            if precision not in COMPETING:
                raise ValueError(f"precision '{precision}' is not one of {', '.join(COMPETING)}")
            workloads.append(Workload(model, int(batch), precision))
    return list(dict.fromkeys(workloads))


def cases_of(workload, modes, gemm_kernels):
    """All ways of both sides to do the workload's step."""
    peers = [Case(PYTORCH, workload.model, workload.batch, workload.precision, mode) for mode in modes]
    ours = [Case(BREAKEVEN, workload.model, workload.batch, precision, gemm)
            for precision in COMPETING[workload.precision] for gemm in gemm_kernels]
    return peers + ours


def plan_rounds(workloads, modes, gemm_kernels, rounds, seed):
    """(round, case) in the order of measuring: every case once a round, in an order of the round's own."""
    cases = [case for workload in workloads for case in cases_of(workload, modes, gemm_kernels)]
    chance = random.Random(seed)
    for number in range(rounds):
        yield from ((number, case) for case in chance.sample(cases, len(cases)))
