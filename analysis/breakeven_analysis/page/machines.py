# SPDX-License-Identifier: Apache-2.0
"""The page of several machines: one table, without a script."""

import shlex
from collections.abc import Callable
from html import escape
from typing import Any

from breakeven_analysis.machines import MachinesReport
from breakeven_analysis.numbers import significant
from breakeven_analysis.page.document import filled, short_names, style, table, warnings

Row = dict[str, Any]
DASH = "–"
# Title, and the text of a row.
COLUMNS: dict[str, Callable[[Row], str]] = {
    "Model": lambda row: text(row, "model"),
    "Machine": lambda row: text(row, "machine"),
    "More GPUs are": lambda row: text(row, "sentence"),
    "Batch": lambda row: DASH if row["batch"] is None else f"{row['batch']:,}",
    "It is": lambda row: text(row, "choice"),
    "GPUs": lambda row: text(row, "gpus"),
    "Strategy": lambda row: text(row, "strategy"),
    "Precision": lambda row: text(row, "precision"),
    "Speed-up": lambda row: number(row, "speedup", 3),
    "Samples/s": lambda row: number(row, "samples_per_second", 4),
    "Cost of a million samples": lambda row: number(row, "cost_per_million_samples", 3),
}


def machines_page(report: MachinesReport, price: str | None, docs: str = "") -> str:
    """All data is text: escaped in the HTML."""
    files = report.said["files"]
    rows = [[text_of(row) for text_of in COLUMNS.values()] for row in report.said["machines"]]
    shown = [place for place in range(len(COLUMNS)) if any(row[place] not in ("", DASH) for row in rows)]
    titles = [list(COLUMNS)[place] for place in shown]
    options = "" if price is None else f" --price {shlex.quote(price)}"
    parts = {
        "headline": "".join(f"<span>{escape(line)}</span>" for line in report.headline),
        "files": escape(", ".join(short_names(files))),
        "style": style(),
        "machines": table(titles, [[row[place] for place in shown] for row in rows]),
        "warnings": warnings(report.warnings, report.said["warning_pages"], docs),
        "again": escape(f"breakeven-report {shlex.join(files)}{options} -o report.html"),
    }
    return filled("machines.html", parts)


def text(row: Row, name: str) -> str:
    return DASH if row[name] is None else str(row[name])


def number(row: Row, name: str, digits: int) -> str:
    """With its 95 % interval if it has one."""
    values = [row[f"{name}{end}"] for end in ("", "_low", "_high") if row.get(f"{name}{end}") is not None]
    words = [significant(value, digits) for value in values]
    return f"{words[0]} ({words[1]}–{words[2]})" if len(words) == 3 else words[0] if words else DASH
