# SPDX-License-Identifier: Apache-2.0
"""The command `breakeven-report`. Exit codes as of the program: 0 written, 1 usage, 2 no program, 5 file."""

import argparse
import math
import os
import stat
import sys
from pathlib import Path
from typing import NoReturn

from breakeven_analysis.answers import read_report
from breakeven_analysis.beside import mode_of_new_files, publish
from breakeven_analysis.errors import NotResultsError
from breakeven_analysis.machines import MachinesReport
from breakeven_analysis.page.data import page_data
from breakeven_analysis.page.document import page_of
from breakeven_analysis.page.machines import machines_page
from breakeven_analysis.page.remedies import docs_address
from breakeven_analysis.program import ENVIRONMENT, ProgramError, find_program
from breakeven_analysis.results import open_results
from breakeven_analysis.said import Parser, problems, say, warn

USAGE, FILE = 1, 5


class Arguments(Parser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"breakeven-report: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    problems.clear()
    try:
        options = parser().parse_args(arguments)
    except SystemExit as ended:
        if ended.code:
            raise
        return code_of_output()  # --help
    results: list[Path] = options.results
    if options.output is None and len(results) > 1:
        return refuse(USAGE, "several files make one page: name it with -o PAGE.html")
    output: Path = options.output or results[0].with_suffix(".html")
    if any(output.exists() and file.exists() and output.samefile(file) for file in results):
        return refuse(USAGE, f"-o '{output}' would overwrite the results file itself")
    try:
        find_program()
    except ProgramError as error:
        return refuse(ENVIRONMENT, error)
    prices = () if options.price is None else ("--price", options.price)
    try:
        report = read_report(results, *prices)
        if isinstance(report, MachinesReport):
            page = machines_page(report, options.price, docs_address(output))
        else:
            page = page_of(page_data(report, open_results(results)), docs_address(output))
    except (ProgramError, NotResultsError, OSError) as error:
        return refuse(FILE, error)
    try:
        write_page(page, output)
    except OSError as error:
        return refuse(FILE, f"'{output}' cannot be written: {error.strerror}")
    say(str(output))
    return code_of_output()


def code_of_output() -> int:
    if any(problems):
        return refuse(FILE, f"standard output cannot be written: {problems[0]}")
    return FILE if problems else 0


def write_page(page: str, output: Path) -> None:
    """A page that the disk cannot hold leaves the file as it was. Links, pipes and devices stay what they are."""
    text = page.encode(errors="backslashreplace")  # names of files that are not UTF-8
    if output.exists():
        os.close(os.open(output, os.O_WRONLY))  # a file without the right to write stays
    is_special = output.is_symlink() or (output.exists() and not output.is_file())
    if is_special or (output.exists() and not os.access(output.absolute().parent, os.W_OK)):
        output.write_bytes(text)
        return
    mode = stat.S_IMODE(output.stat().st_mode) if output.exists() else mode_of_new_files()
    publish(text, output, mode)


def parser() -> argparse.ArgumentParser:
    arguments = Arguments(prog="breakeven-report", description="Writes the report of results files as one HTML page.")
    arguments.add_argument(
        "results",
        type=Path,
        nargs="+",
        metavar="RESULTS.h5",
        help="results files of `breakeven run`; those of several machines give a table of machines",
    )
    arguments.add_argument(
        "-o", "--output", type=Path, metavar="PAGE.html", help="the page to write (default: RESULTS.html)"
    )
    arguments.add_argument(
        "--price",
        type=price,
        metavar="X",
        help="price of one GPU-hour, or of each machine's as NAME=X,NAME=X; adds the cost of samples",
    )
    return arguments


def price(text: str) -> str:
    """As the program takes it."""
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        if bool(name) != bool(equals) or (not name and "," in text):
            raise ValueError
        if not (float(number) > 0 and math.isfinite(float(number))):
            raise ValueError
    return text


def refuse(code: int, error: Exception | str) -> int:
    warn(str(error), "breakeven-report")
    return code


if __name__ == "__main__":
    sys.exit(main())
