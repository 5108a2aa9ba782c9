# SPDX-License-Identifier: Apache-2.0
"""What the program answers for the files of several machines: side by side."""

from typing import Any

import pandas as pd

from breakeven_analysis.program import expect_version
from breakeven_analysis.tables import Tables

REPORT_VERSION, ADVICE_VERSION = 2, 1


class Machines(Tables):
    """A comparison of machines."""

    @property
    def machines(self) -> pd.DataFrame:
        """The rows of the CSV."""
        return self.table("machines")

    @property
    def warnings(self) -> list[str]:
        """What to read before trusting the numbers."""
        return list(self.said["warnings"])


class MachinesReport(Machines):
    """What `breakeven report FILE... --format json` prints for several machines."""

    command = "report"

    @property
    def headline(self) -> list[str]:
        return list(self.said["headline"])


class MachinesAdvice(Machines):
    """What `breakeven advise FILE... --format json` prints for several machines."""

    command = "advise"

    @property
    def answer(self) -> str:
        said = self.said["answer"]
        return said if isinstance(said, str) else " ".join(said)


def is_by_machine(said: dict[str, Any], what: str) -> bool:
    """Whether the program compared machines; ProgramError if in another version than this package reads."""
    if said.get("format") != f"breakeven {what} by machine":
        return False
    expect_version(said, f"{what} by machine", {"report": REPORT_VERSION, "advice": ADVICE_VERSION}[what])
    return True
