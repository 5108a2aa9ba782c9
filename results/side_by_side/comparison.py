# SPDX-License-Identifier: Apache-2.0
"""Numbers from measurements: medians over rounds, their ranges, and ratios within rounds."""
import math
from dataclasses import dataclass

from side_by_side.cases import BREAKEVEN, PYTORCH, cases_of
from side_by_side.quantiles import median
from side_by_side.record import case_of


@dataclass(frozen=True)
class Spread:
    """The median over rounds with the lowest and highest round; NaN without rounds."""
    median: float
    low: float
    high: float

    @property
    def known(self):
        return math.isfinite(self.median)


def spread(values):
    """A round of NaN makes the result NaN; it is not left out."""
    values = list(values)
    if not values or not all(math.isfinite(value) for value in values):
        return Spread(math.nan, math.nan, math.nan)
    return Spread(median(values), min(values), max(values))


def step_seconds(measurement):
    """The median step of one measurement on one GPU, the slowest rank's mean step on several; NaN if it has none."""
    several = measurement.get("gpus", 1) > 1
    value = measurement.get("mean_seconds") if several else measurement.get("seconds", {}).get("0.5")
    return float(value) if isinstance(value, (int, float)) and value > 0 else math.nan


class Comparison:
    """A record's step times by case and round."""

    def __init__(self, record):
        self.record = record
        self._rounds = {}
        self._refusals = {}
        for one in record["measurements"]:
            if "refused" in one:
                self._refusals.setdefault(case_of(one), one["refused"])
            else:
                self._rounds.setdefault(case_of(one), {})[one["round"]] = step_seconds(one)

    def seconds(self, case):
        """NaN if the case was refused in any round, and for None."""
        if case in self._refusals:
            return spread([])
        return spread(self._rounds.get(case, {}).values())

    def ratio(self, numerator, denominator):
        """Step time of one case over another's, round by round."""
        if not (self.seconds(numerator).known and self.seconds(denominator).known):
            return spread([])
        above, below = self._rounds[numerator], self._rounds[denominator]
        return spread(above[number] / below[number] for number in above.keys() & below.keys())

    def fastest(self, cases):
        """The case with the shortest median; None without a measured case."""
        known = [case for case in cases if self.seconds(case).known]
        return min(known, key=lambda case: self.seconds(case).median, default=None)

    def peers(self, workload):
        return [case for case in self._cases(workload) if case.side == PYTORCH]

    def ours(self, workload):
        return [case for case in self._cases(workload) if case.side == BREAKEVEN]

    def fastest_ratio(self, workload):
        """Our fastest case against the peer's fastest."""
        return self.ratio(self.fastest(self.peers(workload)), self.fastest(self.ours(workload)))

    def refusals(self):
        """(case, sentence) of all refused cases."""
        return list(self._refusals.items())

    def _cases(self, workload):
        return cases_of(workload, self.record["gemm"])
