# SPDX-License-Identifier: Apache-2.0
"""The words of a report: phases, parts of a loss and verdicts, each a key with its label, in the program's order."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Vocabulary:
    """`vocabulary` of the report's JSON (docs/report.md). This package has no list of its own beside it."""

    said: dict[str, Any]

    @property
    def phases(self) -> dict[str, str]:
        """Those of a step, in the order in which they are drawn."""
        return self._labels("phases")

    @property
    def loss_parts(self) -> dict[str, str]:
        return self._labels("loss_parts")

    @property
    def verdicts(self) -> dict[str, str]:
        """In the order of a legend."""
        return self._labels("verdicts")

    @property
    def claim_verdicts(self) -> dict[str, str]:
        return self._labels("claim_verdicts")

    @property
    def same_within(self) -> float:
        """Two speeds within this share of each other count as the same."""
        return float(self.said["same_within"])

    def _labels(self, what: str) -> dict[str, str]:
        return {term["key"]: term["label"] for term in self.said[what]}
