# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap`: starts any training program once for each case, and makes one results file (docs/own-loop.md)."""

import sys

from breakeven_analysis.errors import WrapError
from breakeven_analysis.said import problems, warn
from breakeven_analysis.wrap.parser import asks_for_help, make_parser

__all__ = ["main"]
ENVIRONMENT, FILE = 2, 5  # exit codes


def main(line: list[str] | None = None) -> int:
    problems.clear()
    words = sys.argv[1:] if line is None else line
    try:
        if asks_for_help(words):
            make_parser().print_help()
            code = 0
        else:
            code = start(words)
    except SystemExit:  # --help before a command
        code = 0
    except WrapError as error:
        warn(str(error))
        code = error.code
    if any(problems) and code == 0:
        warn(f"standard output cannot be written: {next(filter(None, problems))}")
        code = FILE
    return code


def start(words: list[str]) -> int:
    try:
        from breakeven_analysis.wrap import command, options
    except ImportError as error:
        raise WrapError(f"{error}. Install what the package needs: pip install ./analysis", ENVIRONMENT) from error
    return command.measure(options.read_options(words))
