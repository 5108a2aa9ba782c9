# SPDX-License-Identifier: Apache-2.0
"""What a results file has already, for --resume, and whether the same command measured it."""

import contextlib
import io
import shlex
from typing import Any, TypeAlias

import h5py

from breakeven_analysis.errors import NotResultsError, WrapError
from breakeven_analysis.record.launches import each_of, text_at, value_at
from breakeven_analysis.record.replacing import check_results
from breakeven_analysis.said import warn
from breakeven_analysis.wrap.hidden_words import HiddenWords
from breakeven_analysis.wrap.options import Options, parse
from breakeven_analysis.wrap.plan import Case

Launches: TypeAlias = dict[str, set[Case]]  # by their start, the cases that the file has
FILE = 5  # exit code


def launches_in(options: Options) -> Launches:
    """The launches in the file of --resume; none without a file."""
    path = options.output
    if not path.exists():
        return {}
    if not options.resume:
        raise WrapError(f"--output '{path}' exists. Pass --resume to measure what it lacks, or another name")
    try:
        check_results(path)
    except NotResultsError as error:
        raise WrapError(str(error), FILE) from error
    with h5py.File(path, "r") as file:
        starts = [text_at(file, "started", launch) for launch in range(len(file["launch"]))]
        for launch in range(len(starts)):
            for line in each_of(text_at(file, "command_line", launch)) or [""]:
                check_command_of(line, options)
        check_hidden_words(options)
        done: Launches = {start: set() for start in sorted(starts)}
        for run in range(len(file["run"])):
            done[starts[int(file["launch_index"][run])]] |= {
                case for case in options.cases if is_run_of(file, run, case)
            }
    return done


def check_command_of(line: str, options: Options) -> None:
    try:
        words = shlex.split(line)
        with contextlib.redirect_stdout(io.StringIO()):  # --help
            same = words[:2] == ["breakeven", "wrap"] and parse(words[2:]).identity() == options.identity()
    except (ValueError, WrapError, SystemExit):
        same = False
    if not same:
        raise other_command(options, f"by: {line}")


def other_command(options: Options, measured_by: str) -> WrapError:
    return WrapError(
        f"--resume continues the command and its labels as they are in '{options.output}', which was measured "
        f"{measured_by}. Use the same, or another --output",
        FILE,
    )


def check_hidden_words(options: Options) -> None:
    hidden = HiddenWords(options)
    if hidden.words and hidden.are_kept() is None:
        warn(
            f"note: words of the command are hidden in '{options.output}', and '{hidden.path}', by which they would be "
            "compared, is missing or damaged"
        )
    elif hidden.words and not hidden.are_kept():
        raise other_command(options, "with other words where its command has ***")


def is_run_of(file: h5py.File, run: int, case: Case) -> bool:
    if int(file["status"][run]) == 0:
        return False
    expected: dict[str, Any] = {"gpus": case.gpus, "batch": case.batch, **case.labels}
    expected |= {"strategy": case.strategy} if case.strategy else {}
    expected |= {"precision": case.precision} if case.precision else {}
    if case.gpus == 1:
        expected.pop("collective", None)
    if "model" in expected:
        expected["model"] += case.suffix
    return all(value_at(file, name, run) == value for name, value in expected.items()) and text_at(
        file, "model", run
    ).endswith(case.suffix)
