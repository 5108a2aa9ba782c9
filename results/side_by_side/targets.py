# SPDX-License-Identifier: Apache-2.0
"""The project's targets on one H200, and whether a comparison reaches them."""
from dataclasses import dataclass

from side_by_side.cases import Workload
from side_by_side.comparison import Spread
from side_by_side.formats import NOT_MEASURED, US, microseconds


@dataclass(frozen=True)
class StepTarget:
    """A step time in seconds; in_ratio: PyTorch's time over ours instead."""
    workload: Workload
    precisions: tuple[str, ...]  # of ours that may reach it
    target: float
    stretch: float
    in_ratio: bool = False

    def written(self, value):
        return f"{value:.2f}×" if self.in_ratio else microseconds(value)


STEP_TARGETS = (
    StepTarget(Workload("medium", 16, "fp32"), ("fp32",), 11 * US, 9 * US),
    StepTarget(Workload("medium", 128, "tf32"), ("tf32",), 14 * US, 12 * US),
    StepTarget(Workload("medium", 128, "bf16"), ("bf16",), 15 * US, 12 * US),
    StepTarget(Workload("large", 128, "bf16"), ("bf16",), 92 * US, 82 * US),
    StepTarget(Workload("large", 128, "tf32"), ("tf32",), 112 * US, 95 * US),
    StepTarget(Workload("large", 128, "fp32"), ("fp32", "tf32x3"), 135 * US, 115 * US),
    StepTarget(Workload("large", 8192, "bf16"), ("bf16",), 600 * US, 540 * US),
    StepTarget(Workload("xl", 512, "bf16"), ("bf16",), 535 * US, 500 * US),
    StepTarget(Workload("xxl", 512, "bf16"), ("bf16",), 2350 * US, 2200 * US),
    StepTarget(Workload("xxl", 8192, "bf16"), ("bf16",), 18300 * US, 17200 * US),
    StepTarget(Workload("784-2048-10", 256, "bf16"), ("bf16",), 28 * US, 22 * US),
    StepTarget(Workload("1000-1000-1000-1000", 4096, "bf16"), ("bf16",), 1.25, 1.4, in_ratio=True),
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
    our_seconds, ratio = comparison.seconds(ours), comparison.ratio(peer, ours)
    return StepOutcome(
        target, peer.variant if peer else "", comparison.seconds(peer), ours.precision if ours else "", our_seconds,
        ratio, verdict((ratio if target.in_ratio else our_seconds).median, target.target, target.stretch,
                       more_is_better=target.in_ratio))


def step_outcomes(comparison):
    return [step_outcome(comparison, target) for target in STEP_TARGETS]
