# SPDX-License-Identifier: Apache-2.0
"""The workloads, the cases of both sides for each workload, and the order of the measurements."""
import itertools
import math
import random
from dataclasses import dataclass, field

from side_by_side.models import model_of

PYTORCH = "pytorch"
BREAKEVEN = "breakeven"

# PyTorch's modes of the same step; results/pytorch_peer.py explains them.
MODES = ("eager", "compile", "graph", "compiled-graph", "tuned-graph")

# A workload names PyTorch's precision; these are our precisions of at least its accuracy. tf32x3 has the accuracy
# of fp32.
COMPETING = {"fp32": ("fp32", "tf32x3"), "tf32": ("tf32",), "bf16": ("bf16",), "fp16": ("fp16",)}

# The workloads that have a target.
DEFAULT_WORKLOADS = ("medium:16:fp32", "medium:128:tf32,bf16", "large:128:fp32,tf32,bf16", "large:8192:bf16", "xl:512:bf16",
                     "xxl:512,8192:bf16", "784-2048-10:256:bf16", "1000-1000-1000-1000:4096:bf16")


@dataclass(frozen=True)
class Workload:
    model: str
    batch: int
    precision: str
    modes: tuple[str, ...] = field(default=MODES, compare=False)  # of the peer

    def __str__(self):
        return f"{self.model}, batch {self.batch:,}, {self.precision}"


@dataclass(frozen=True)
class Case:
    """Measured once per round. The variant is PyTorch's mode, or our GEMM kernel; on several GPUs our strategy and
    transport."""
    side: str
    model: str
    batch: int
    precision: str
    variant: str
    gpus: int = 1  # ranks of the launch

    def __str__(self):
        on = f" on {self.gpus} GPUs" if self.gpus > 1 else ""
        return f"{self.side} {self.model} b{self.batch} {self.precision} {self.variant}{on}"


@dataclass(frozen=True)
class Protocol:
    """Of every measurement, on both sides."""
    backend: str
    warmup: int
    settle: float
    steps: int
    timeout: float


def check_words(what, words, legal):
    for word in words:
        if word not in legal:
            raise ValueError(f"{what} '{word}' is not one of {', '.join(legal)}")


def parse_workload(text, modes):
    """MODEL:BATCHES:PRECISIONS[:MODES], comma lists; ValueError says what is wrong."""
    parts = text.split(":")
    if len(parts) not in (3, 4):
        raise ValueError(f"workload '{text}' is not of the form MODEL:BATCHES:PRECISIONS[:MODES]")
    model, batches, precisions = parts[0], parts[1].split(","), parts[2].split(",")
    modes = parts[3].split(",") if len(parts) == 4 else modes
    model_of(model)
    check_words("precision", precisions, COMPETING)
    check_words("mode", modes, MODES)
    for batch, precision in itertools.product(batches, precisions):
        if not batch.isdecimal() or int(batch) < 1:
            raise ValueError(f"batch '{batch}' is not a whole number from 1 on")
        yield Workload(model, int(batch), precision, tuple(modes))


def parse_workloads(texts, modes=MODES):
    """`modes` is the default for workloads that name none."""
    workloads = [workload for text in texts for workload in parse_workload(text, modes)]
    for workload in workloads:
        if workloads.count(workload) > 1:
            raise ValueError(f"workload '{workload}' is there more than once")
    return workloads


# Of random workloads: one step of the largest takes an H200 about 25 ms in fp32.
MOST_OPERATIONS = 10**12
WIDTHS = (8, 8192)
BATCHES = (8, 16384)


def random_workloads(count, seed, modes=MODES):
    """Workloads that nobody has chosen. Widths and batch are drawn evenly over their logarithms, and widths are
    rounded up to multiples of 1, 8 or 64; models with more than MOST_OPERATIONS a step are drawn again."""
    chance = random.Random(seed)

    def whole(low, high, multiple):
        return math.ceil(math.exp(chance.uniform(math.log(low), math.log(high))) / multiple) * multiple

    made = []
    while len(made) < count:
        multiple = chance.choice((1, 8, 64))
        model = "-".join(str(whole(*WIDTHS, multiple)) for _ in range(chance.randint(3, 7)))
        workload = Workload(model, whole(*BATCHES, 1), chance.choice(tuple(COMPETING)), tuple(modes))
        if 6 * workload.batch * model_of(model).parameters <= MOST_OPERATIONS and workload not in made:
            made.append(workload)
    return made


def cases_of(workload, gemm_kernels):
    """All cases of both sides for the workload."""
    peers = [Case(PYTORCH, workload.model, workload.batch, workload.precision, mode) for mode in workload.modes]
    ours = [Case(BREAKEVEN, workload.model, workload.batch, precision, gemm)
            for precision in COMPETING[workload.precision] for gemm in gemm_kernels]
    return peers + ours


def plan_rounds(workloads, gemm_kernels, rounds, seed):
    """(round, cases that one start measures) in the order of measurement: every case alone and once per round, each
    round in another order."""
    cases = [case for workload in workloads for case in cases_of(workload, gemm_kernels)]
    chance = random.Random(seed)
    for number in range(rounds):
        yield from ((number, [case]) for case in chance.sample(cases, len(cases)))
