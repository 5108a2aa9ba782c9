# SPDX-License-Identifier: Apache-2.0
"""The options of `breakeven wrap`. Its --help, of which the manual page is made, needs neither numpy nor h5py."""

import argparse
import math
from collections.abc import Callable
from typing import Any, NoReturn

from breakeven_analysis.errors import WrapError
from breakeven_analysis.limits import MOST_PARAMETERS, MOST_SAMPLES, MOST_STEPS, MOST_WARMUP
from breakeven_analysis.said import Parser

USAGE = "breakeven wrap --gpus 1,2 --batches 64,256 --output FILE.h5 [OPTION...] -- COMMAND [WORD...]"
MOST_GPUS, MOST_LAUNCHES, MOST_SECONDS = 2**16, 10_000, 2**32 - 1


class WrapParser(Parser):
    def error(self, message: str) -> NoReturn:
        raise WrapError(f"{message}. Usage: {USAGE}")


def make_parser() -> WrapParser:
    parser = WrapParser(
        prog="breakeven wrap", usage=USAGE, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.description = """\
Starts a training program once for each case and each launch, in random order, and makes one results file. COMMAND may
contain {gpus}, {batch}, {batch_per_gpu}, {strategy}, {precision} and every NAME of --axis. See docs/own-loop.md."""
    add = parser.add_argument
    add(
        "--gpus", type=counts(MOST_GPUS), required=True, metavar="1,2,4", help="numbers of GPUs; without GPUs, of ranks"
    )
    samples = "samples a step over all GPUs (weak: on each)"
    add("--batches", type=counts(MOST_SAMPLES), required=True, metavar="64,256", help=samples)
    add("--output", required=True, metavar="FILE.h5", help="results file; logs go to FILE.h5.wrap")
    add(
        "--strategies",
        type=words,
        metavar="A,B",
        help="values of {strategy} on several GPUs ('ddp', or the Recorder's); one GPU has 'single'",
    )
    add("--precisions", type=words, metavar="A,B", help="values of {precision}")
    add("--axis", action="append", default=[], type=axis, metavar="NAME=A,B", help="values of {NAME}; may be repeated")
    add("--scaling", choices=("strong", "weak"), default="strong", help="what stays fixed: the batch, or each GPU's")
    add("--launches", type=whole(1, MOST_LAUNCHES), default=3, metavar="N", help="a launch runs every case once (3)")
    add("--seed", type=int, default=1, help="of the random order (1)")
    add("--timeout", type=seconds, default=3600.0, metavar="SECONDS", help="longest time of a run (3600)")
    add("--resume", action="store_true", help="measure what the file lacks")
    add("--dry-run", action="store_true", help="print the commands and the expected time")
    source = parser.add_argument_group("programs without a Recorder").add_mutually_exclusive_group()
    source.add_argument(
        "--step-seconds", metavar="REGEX", help="finds a step's seconds in the output; its group is the number"
    )
    source.add_argument("--samples-per-second", metavar="REGEX", help="the same for samples/s over all GPUs")
    source.add_argument("--steps-per-second", metavar="REGEX", help="the same for steps/s, as of a progress bar")
    source.add_argument(
        "--total", type=whole(1, MOST_STEPS), metavar="STEPS", help="step time from wall time; {steps} in COMMAND"
    )
    label = parser.add_argument_group("labels and warm-up of programs without a Recorder").add_argument
    label("--model", type=label_word, help="name of the model (the name of the script, else of the program)")
    label("--parameters", type=whole(1, MOST_PARAMETERS), metavar="N", help="parameters of the model")
    label("--framework", type=label_word, help="such as pytorch")
    label("--transport", type=label_word, help="such as nccl")
    label("--data", choices=("streamed", "resident"), help="whether each step loads its samples (streamed)")
    label("--warmup", type=whole(0, MOST_WARMUP), metavar="STEPS", help="first steps that do not count (10)")
    label("--settle", type=seconds, metavar="SECONDS", help="longest wait for steady steps (5)")
    return parser


def asks_for_help(line: list[str]) -> bool:
    return "--" not in line and bool({"--help", "-h"} & set(line))


# ---------------------------------------------------------------- words of options


def number(text: str, kind: Callable[[str], Any], least: float, most: float, allowed: str) -> Any:
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is not {allowed}")
    return value


def whole(least: int, most: int) -> Callable[[str], int]:
    return lambda text: int(number(text, int, least, most, f"a whole number from {least} to {most}"))


def seconds(text: str) -> float:
    return float(number(text.removesuffix("s"), float, 0, MOST_SECONDS, "a number of seconds"))


def label_word(text: str) -> str:
    if not (text.strip() and text.isprintable() and len(text) <= 100):
        raise argparse.ArgumentTypeError(f"{text!r} is not a text of 1 to 100 letters in one line")
    return text


def words(text: str) -> list[str]:
    """Different ones that fit into a label of the results file."""
    found = [word.strip() for word in text.split(",")]
    for word in found:
        if not (word and word.isprintable() and len(word) <= 60):
            raise argparse.ArgumentTypeError(f"'{text}' is not a list such as A,B of short words")
        if found.count(word) > 1:
            raise argparse.ArgumentTypeError(f"'{text}' has '{word}' twice")
    return found


def counts(most: int) -> Callable[[str], list[int]]:
    return lambda text: [whole(1, most)(word) for word in words(text)]


def axis(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not (equals and name.isascii() and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form NAME=A,B")
    return name, words(values)
