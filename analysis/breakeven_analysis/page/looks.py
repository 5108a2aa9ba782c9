# SPDX-License-Identifier: Apache-2.0
"""The pictures' colours, marks and hatches, as the page draws them."""

from typing import Any

from breakeven_analysis.plot.colours import (
    BLUE,
    FASTER,
    GREEN,
    MARKS,
    ON_DARK,
    ORANGE,
    OTHER,
    OTHER_MARK,
    PHASES,
    SLOWER,
)

# What the page draws beside phases and verdicts.
ROLES = {"configuration": BLUE, "amdahl": ORANGE, "gain": GREEN, "slower": SLOWER, "faster": FASTER}
# The lines that stand for a hatch. Browsers print patterns as large images, so the page draws lines.
LINES = {"/": ["rising"], "\\": ["falling"], "x": ["rising", "falling"], ".": ["flat"], "+": ["flat", "rising"]}


def looks() -> dict[str, Any]:
    """By phase and verdict; `other_hatch` and `other_mark` are for those that have none of their own."""
    return {
        "marks": {key: mark.symbol for key, mark in MARKS.items()},
        "other_mark": OTHER_MARK.symbol,
        "hatches": {name: lines_of(fill.hatch) for name, fill in PHASES.items()},
        "other_hatch": lines_of(OTHER.hatch),
    }


def lines_of(hatch: str) -> list[str]:
    return LINES[hatch[0]] if hatch else []


def colours() -> str:
    """Custom properties of CSS: `--NAME` of every phase, verdict and role, for a light and a dark ground."""
    phases = {name: fill.colour for name, fill in (PHASES | {"other_phase": OTHER}).items()}
    others = {key: mark.colour for key, mark in (MARKS | {"other_mark": OTHER_MARK}).items()} | ROLES
    dark = {name: ON_DARK[colour] for name, colour in others.items()}
    return f"{root(phases | others)}\n@media screen and (prefers-color-scheme: dark) {{ {root(dark)} }}\n"


def root(properties: dict[str, str]) -> str:
    return f":root {{ {' '.join(f'--{name}: {colour};' for name, colour in properties.items())} }}"
