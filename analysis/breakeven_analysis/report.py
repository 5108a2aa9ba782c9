# SPDX-License-Identifier: Apache-2.0
"""The report of a results file, as tables; every figure and interval in it is the program's (docs/report.md)."""

from typing import Any

import pandas as pd

from breakeven_analysis.axes import CASE_AXES
from breakeven_analysis.program import Paths, expect_version, read_json
from breakeven_analysis.tables import Tables
from breakeven_analysis.vocabulary import Vocabulary

VERSION = 3


class Report(Tables):
    """What `breakeven report FILE --format json` says. `table("bounds")` and the like give its tables."""

    @property
    def machine(self) -> str:
        return str(self.said["machine"])

    @property
    def vocabulary(self) -> Vocabulary:
        """The keys and labels of phases, parts of a loss and verdicts."""
        return Vocabulary(self.said["vocabulary"])

    @property
    def file(self) -> str:
        """The name; of several files the names, with commas between."""
        return str(self.said["file"])

    @property
    def answers(self) -> list[str]:
        """The answer sentences."""
        return [answer["sentence"] for answer in self.said["answers"]]

    @property
    def doubts(self) -> list[str]:
        """What to know before believing a number."""
        return list(self.said["doubts"])

    @property
    def launches(self) -> list[dict[str, Any]]:
        """When, where and how; each with its links and ceilings."""
        return list(self.said["launches"])

    @property
    def cases(self) -> pd.DataFrame:
        """One row a case and instrument."""
        return self.table("cases")

    def timed(self) -> pd.DataFrame:
        """One row a case, by the instrument that times it: whole steps where they were measured, else phases."""
        cases = self.cases
        if cases.empty:
            return cases
        whole = cases["instrument"] == "total"
        has_whole = whole.groupby([cases[axis] for axis in CASE_AXES]).transform("any")
        return cases[whole | ~has_whole].reset_index(drop=True)


def read_report(paths: Paths, *options: str) -> Report:
    """Asks the program about a file, or about several of one machine as one; more options as on its command line.

    Raises ProgramError with one sentence where the program is missing, refuses, or is of another time.
    """
    said = read_json("report", paths, *options)
    expect_version(said, "report", VERSION)
    return Report(said)
