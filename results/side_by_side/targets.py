# SPDX-License-Identifier: Apache-2.0
"""The project's targets on one H200, and whether a comparison reaches them."""
from dataclasses import dataclass

from side_by_side.cases import Workload
from side_by_side.comparison import Spread
from side_by_side.formats import NOT_MEASURED

US = 1e-6


@dataclass(frozen=True)
class StepTarget:
    """A step time. The earlier time is PyTorch's in the named mode, before breakeven existed."""
    workload: Workload
    precisions: tuple[str, ...]  # of ours that may reach it
    earlier_seconds: float
    earlier_mode: str
    target_seconds: float
    stretch_seconds: float


FP32_CLASS = ("fp32", "tf32x3")

STEP_TARGETS = (
    StepTarget(Workload("medium", 16, "fp32"), ("fp32",), 124 * US, "graph", 12 * US, 7 * US),
    StepTarget(Workload("medium", 128, "tf32"), ("tf32",), 149 * US, "graph", 14 * US, 10 * US),
    StepTarget(Workload("large", 128, "fp32"), FP32_CLASS, 532 * US, "graph", 100 * US, 85 * US),
    StepTarget(Workload("large", 128, "tf32"), ("tf32",), 325 * US, "graph", 70 * US, 58 * US),
    StepTarget(Workload("large", 128, "bf16"), ("bf16",), 350 * US, "graph", 70 * US, 58 * US),
    StepTarget(Workload("xl", 512, "bf16"), ("bf16",), 1283 * US, "graph", 560 * US, 450 * US),
    StepTarget(Workload("xxl", 8192, "bf16"), ("bf16",), 19831 * US, "eager", 18300 * US, 17200 * US),
)

# Of random workloads, as PyTorch's time over ours.
RANDOM_MEAN = 2.0
RANDOM_WORST = 1.15


def verdict(measured, target, stretch, more_is_better=False):
    """NaN neither reaches nor misses a target: it is not measured."""
    sign = -1 if more_is_better else 1
    if sign * measured <= sign * stretch:
        return "yes, and the stretch"
    if sign * measured <= sign * target:
        return "yes"
    return "no" if sign * measured > sign * target else NOT_MEASURED


@dataclass(frozen=True)
class StepOutcome:
    target: StepTarget
    peer_mode: str  # "" where no peer was measured
    peer: Spread
    our_precision: str
    ours: Spread
    ratio: Spread  # the peer's time over ours, within rounds
    met: str


def step_outcome(comparison, target):
    """PyTorch's fastest mode compared with our fastest admitted case."""
    peer = comparison.fastest(comparison.peers(target.workload))
    ours = comparison.fastest(case for case in comparison.ours(target.workload) if case.precision in target.precisions)
    our_seconds = comparison.seconds(ours)
    return StepOutcome(
        target, peer.variant if peer else "", comparison.seconds(peer), ours.precision if ours else "", our_seconds,
        comparison.ratio(peer, ours),
        verdict(our_seconds.median, target.target_seconds, target.stretch_seconds))


def step_outcomes(comparison):
    return [step_outcome(comparison, target) for target in STEP_TARGETS]
