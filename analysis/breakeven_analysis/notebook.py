# SPDX-License-Identifier: Apache-2.0
"""For notebooks that any results file may run through: what a file does not hold is said, and the next cell runs."""

from collections.abc import Callable
from typing import Any

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.program import ProgramError


class Reason(str):
    """Why a cell has no result; a notebook prints it as text."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return f"*Not shown: {self}*"


def or_reason(make: Callable[[], Any]) -> Any:
    """What `make` returns, or the sentence with which it was refused."""
    try:
        return make()
    except (PictureError, ProgramError) as refusal:
        return Reason(refusal)


def no_phases(report: Report, of: str) -> str:
    """Why the file has no phases of these runs."""
    if (report.cases["timing"] == "phases").any():
        return f"Phases were recorded, but of no run of {of}."
    return report.vocabulary.phases_not_recorded
