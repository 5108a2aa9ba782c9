# SPDX-License-Identifier: Apache-2.0
"""How the tables of a comparison write numbers."""
US = 1e-6
NOT_MEASURED = "not measured"


def microseconds(seconds):
    """Three digits or more: 7.32, 12.4, 124, 19,831."""
    value = seconds / US
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def with_range(spread, written):
    """"124 (122–126)"; "not measured" for NaN."""
    if not spread.known:
        return NOT_MEASURED
    return f"{written(spread.median)} ({written(spread.low)}–{written(spread.high)})"


def times(spread):
    return with_range(spread, lambda value: f"{value:.2f}")


def markdown_table(heads, rows, numbers_from):
    """The columns from `numbers_from` on are aligned right."""
    marks = ["---"] * numbers_from + ["---:"] * (len(heads) - numbers_from)
    lines = [heads, marks, *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
