# SPDX-License-Identifier: Apache-2.0
"""One JSON object of the program, whose lists are tables."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from breakeven_analysis.program import declared_columns


@dataclass(frozen=True)
class Tables:
    """One JSON object that a command printed."""

    said: dict[str, Any]
    command = ""  # whose declared columns an empty table has

    def table(self, name: str) -> pd.DataFrame:
        """A list of rows by its key, such as "cases"; null becomes NaN, also in a column without any number."""
        rows = self.said.get(name)
        if not isinstance(rows, list):
            known = [key for key, value in self.said.items() if isinstance(value, list)]
            raise KeyError(f"there is no table '{name}'; choose one of {', '.join(known)}")
        if not rows:
            return pd.DataFrame(columns=[column["key"] for column in declared_columns(self.command, name)])
        frame = pd.DataFrame(rows)
        return frame.astype({column: float for column in frame if frame[column].isna().all()}).copy()
