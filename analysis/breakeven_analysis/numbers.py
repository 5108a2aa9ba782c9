# SPDX-License-Identifier: Apache-2.0
"""Shares and ratios as the report prints them, by the rules in its vocabulary."""

import math
from typing import Any

Rule = dict[str, Any]


def significant(value: float, digits: int) -> str:
    """Such as 0.026, 2.0, 1,230: never with an exponent."""
    if value == 0:
        return "0"
    decimals = digits - 1 - int(f"{value:.{digits - 1}e}".partition("e")[2])
    return f"{round(value, decimals):,.{max(0, decimals)}f}"


def percent(share: float, rule: Rule) -> str:
    value = 100 * share
    return f"{significant(value, rule['digits']) if abs(value) < rule['whole_from'] else f'{value:.0f}'} %"


def ratio(middle: float, low: float, high: float, rule: Rule) -> str:
    """With its interval if it has one, and then with as many digits as the interval supports."""
    is_large = middle >= rule["large"]
    if not math.isfinite(low + high):
        return significant(middle, rule["large_digits"]) if is_large else f"{middle:.{rule['decimals']}f}"
    if low > 0 and high >= rule["wide_factor"] * low:
        one, *ends = (significant(value, rule["wide_digits"]) for value in (middle, low, high))
    else:
        usual = rule["large_decimals"] if is_large else rule["decimals"]
        decimals = rule["narrow_decimals"] if high - low < rule["narrow_width"] else usual
        one, *ends = (f"{value:.{decimals}f}" for value in (middle, low, high))
    return f"{one} ({'–'.join(ends)})"
