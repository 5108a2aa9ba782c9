# SPDX-License-Identifier: Apache-2.0
"""The quantiles of step times for both sides: linear between order statistics."""
import math

LEVELS = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def quantile(values, level):
    """NaN without values, or if one is NaN."""
    ordered = sorted(values)
    if not ordered or any(math.isnan(value) for value in ordered):
        return math.nan
    place = level * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def median(values):
    return quantile(values, 0.5)


def quantiles(values):
    """{"0.5": median, ...}: a JSON object of all levels."""
    return {f"{level:g}": quantile(values, level) for level in LEVELS}
