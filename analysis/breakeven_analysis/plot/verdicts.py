# SPDX-License-Identifier: Apache-2.0
"""What the report's verdicts say, counted for a title."""

import pandas as pd

OPEN = ("undecided", "not_measured")


def paying(cases: pd.DataFrame, verdict: str = "verdict") -> pd.DataFrame:
    """The cases that pay by the report's verdict."""
    return cases[cases[verdict] == "pays"]


def is_open(cases: pd.DataFrame, verdict: str = "verdict") -> bool:
    """Whether no case has a verdict other than undecided."""
    return bool(cases[verdict].isin(OPEN).all())


def counted(count: int, whole: int, one: str, several: str) -> str:
    """Such as "3 of 8 batches"."""
    return f"{count} of {whole} {one if whole == 1 else several}"


def all_of(count: int, one: str, several: str) -> str:
    return f"the only {one}" if count == 1 else f"both {several}" if count == 2 else f"all {count} {several}"


def undecided_words(cases: pd.DataFrame, verdict: str = "verdict") -> str:
    """What follows a count of the cases that pay: "; 2 are undecided"."""
    count = int((cases[verdict] == "undecided").sum())
    return f"; {count} {'is' if count == 1 else 'are'} undecided" if count else ""
