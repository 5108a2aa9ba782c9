# SPDX-License-Identifier: Apache-2.0
"""The command `breakeven-report`. Exit codes as the program's: 0 written, 1 usage, 2 no program, 5 file."""

import argparse
import math
import sys
from pathlib import Path
from typing import NoReturn

from breakeven_analysis.page.data import page_data
from breakeven_analysis.page.document import page_of
from breakeven_analysis.program import ProgramError, find_program
from breakeven_analysis.reader import NotResultsError
from breakeven_analysis.report import read_report
from breakeven_analysis.results import open_results

USAGE, ENVIRONMENT, FILE = 1, 2, 5


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"breakeven-report: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    results: list[Path] = options.results
    if options.output is None and len(results) > 1:
        return refuse(USAGE, "a page of several files needs its name: -o PAGE.html")
    output: Path = options.output or results[0].with_suffix(".html")
    try:
        find_program()
    except ProgramError as error:
        return refuse(ENVIRONMENT, error)
    prices = () if options.price is None else ("--price", str(options.price))
    try:
        page = page_of(page_data(read_report(results, *prices), open_results(results)))
        output.write_text(page, encoding="utf-8")
    except (ProgramError, NotResultsError, OSError) as error:
        return refuse(FILE, error)
    print(output)
    return 0


def parser() -> argparse.ArgumentParser:
    arguments = Arguments(prog="breakeven-report", description="Writes the report of results files as one HTML page.")
    arguments.add_argument(
        "results", type=Path, nargs="+", metavar="RESULTS.h5", help="what breakeven run has measured, on one machine"
    )
    arguments.add_argument(
        "-o", "--output", type=Path, metavar="PAGE.html", help="where to write it; RESULTS.html without it"
    )
    arguments.add_argument("--price", type=price, metavar="X", help="of one GPU for an hour: adds what samples cost")
    return arguments


def price(text: str) -> float:
    value = float(text)
    if not (value > 0 and math.isfinite(value)):
        raise ValueError
    return value


def refuse(code: int, error: Exception | str) -> int:
    print(f"breakeven-report: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
