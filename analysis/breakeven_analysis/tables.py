# SPDX-License-Identifier: Apache-2.0
"""The JSON that a command has printed, as tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Tables:
    """One JSON object; its lists of rows are tables."""

    said: dict[str, Any]

    def table(self, name: str) -> pd.DataFrame:
        """A table by its key, such as "cases"; null is NaN."""
        rows = self.said.get(name)
        if not isinstance(rows, list):
            known = [key for key, value in self.said.items() if isinstance(value, list)]
            raise KeyError(f"there is no table '{name}'; there are {', '.join(known)}")
        return numbers_of(pd.DataFrame(rows))


def numbers_of(frame: pd.DataFrame) -> pd.DataFrame:
    """A column in which nothing was measured is one of numbers too, all NaN."""
    empty = [column for column in frame if frame[column].isna().all()]
    return frame.assign(**{str(column): np.nan for column in empty})
