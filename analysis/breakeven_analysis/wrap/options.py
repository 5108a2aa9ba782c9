# SPDX-License-Identifier: Apache-2.0
"""The words of a command line of `breakeven wrap`."""

import argparse
import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from breakeven_analysis.errors import RecorderError, WrapError
from breakeven_analysis.record.case import MOST_PARAMETERS, MOST_SAMPLES, MOST_STEPS, MOST_WARMUP, Protocol
from breakeven_analysis.record.replacing import fault_of_name
from breakeven_analysis.record.secret_words import without_secrets
from breakeven_analysis.said import Parser, shell_line
from breakeven_analysis.wrap.plan import KNOWN, STEPS, Axes, Case, check_command, make_cases
from breakeven_analysis.wrap.printed import PRINTED_RATES, PRINTED_SECONDS, PRINTED_STEP_RATES, Printed, compiled

USAGE = "breakeven wrap --gpus 1,2 --batches 64,256 --output FILE.h5 [OPTION...] -- COMMAND [WORD...]"
NAME = "breakeven wrap"
RECORDER_HAS = ("model", "parameters", "framework", "transport", "data", "warmup", "settle")  # arguments of its own
PRINTED = {
    "step_seconds": PRINTED_SECONDS,
    "samples_per_second": PRINTED_RATES,
    "steps_per_second": PRINTED_STEP_RATES,
}  # options
MOST_GPUS, MOST_LAUNCHES, MOST_SECONDS = 2**16, 10_000, 2**32 - 1


@dataclass
class Options:
    gpus: list[int]
    batches: list[int]
    output: Path
    command: list[str]
    words: list[str]  # all of the command line
    scaling: str
    launches: int
    seed: int
    timeout: float
    resume: bool
    dry_run: bool
    printed: Printed | None
    total: int | None  # steps by which two runs differ
    given: dict[str, Any]  # those of RECORDER_HAS that were given
    axes: Axes = field(default_factory=dict)

    @property
    def is_recorded(self) -> bool:
        """The program has a Recorder."""
        return self.printed is None and self.total is None

    @property
    def cases(self) -> list[Case]:
        return make_cases(self.gpus, self.batches, self.scaling, self.axes)

    @property
    def protocol(self) -> Protocol:
        try:
            return Protocol(**{name: self.given[name] for name in ("warmup", "settle") if name in self.given})
        except RecorderError as error:
            raise WrapError(f"--{error}") from error

    def identity(self) -> tuple[Any, ...]:
        """What all runs of a file have in common. A file may have more launches, cases and time than before."""
        shown = [without_secrets(words) for words in self.words_to_compare()]
        return shown, self.scaling, self.printed, self.total, sorted(self.given), sorted(self.axes)

    def words_to_compare(self) -> list[list[str]]:
        return [self.command, *([str(value)] for value in self.given.values())]

    def words_with_hidden(self) -> list[list[str]]:
        """Those of the identity, if the results file does not show all of them."""
        words = self.words_to_compare()
        return words if words != [without_secrets(one) for one in words] else []

    def command_to_store(self) -> str:
        left_out = ("--resume", "--dry-run")
        separator = self.words.index("--")
        own = [word for word in self.words[:separator] if word not in left_out]
        line = shlex.join(["breakeven", "wrap", *self.own_to_store(own), *without_secrets(self.words[separator:])])
        return line.encode("utf-8", "replace").decode()

    def own_to_store(self, own: list[str]) -> list[str]:
        """A regular expression stays as it is: --resume compares it."""
        flags = tuple(map(flag, PRINTED))
        pairs = zip(own, ["", *own[:-1]], without_secrets(own), strict=True)
        return [word if before in flags or word.partition("=")[0] in flags else shown for word, before, shown in pairs]

    def command_to_resume(self) -> str:
        return shell_line(["breakeven", "wrap", "--resume", *(word for word in self.words if word != "--resume")])


class WrapParser(Parser):
    def error(self, message: str) -> NoReturn:
        raise WrapError(f"{message}. Usage: {USAGE}")


def make_parser() -> WrapParser:
    parser = WrapParser(
        prog=NAME, usage=USAGE, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
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
        "--total", type=whole(1, MOST_STEPS), metavar="STEPS", help="wall time of so many steps, by {steps} in COMMAND"
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


def read_options(line: list[str]) -> Options:
    """Raises WrapError for words that make no sense."""
    options = parse(line)
    check(options)
    return options


def parse(line: list[str]) -> Options:
    """What is wrong with a word by itself raises WrapError."""
    own, command = split(line)
    parsed = vars(make_parser().parse_args(own))
    axes: Axes = {}
    for name, values in [("strategy", parsed["strategies"]), ("precision", parsed["precisions"])]:
        if values:
            axes[name] = values
    for name, values in parsed["axis"]:
        if name in (*KNOWN, STEPS) or name in axes:
            raise WrapError(f"--axis {name}: this name has its values already. Choose another one")
        axes[name] = values
    return Options(
        gpus=parsed["gpus"],
        batches=parsed["batches"],
        output=Path(parsed["output"]),
        command=command,
        words=line,
        scaling=parsed["scaling"],
        launches=parsed["launches"],
        seed=parsed["seed"],
        timeout=parsed["timeout"],
        resume=parsed["resume"],
        dry_run=parsed["dry_run"],
        printed=printed_of(parsed),
        total=parsed["total"],
        given={name: parsed[name] for name in RECORDER_HAS if parsed[name] is not None},
        axes=axes,
    )


def split(line: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in line and {"--help", "-h"} & set(line):
        return line, []
    if "--" not in line or not line[line.index("--") + 1 :]:
        raise WrapError(f"the command to measure is missing; it stands behind '--'. Usage: {USAGE}")
    place = line.index("--")
    return line[:place], line[place + 1 :]


def printed_of(parsed: dict[str, Any]) -> Printed | None:
    for option, source in PRINTED.items():
        if parsed[option] is not None:
            return Printed(source, compiled(flag(option), parsed[option]))
    return None


def flag(option: str) -> str:
    return "--" + option.replace("_", "-")


def check(options: Options) -> None:
    if options.is_recorded and options.given:
        name = next(iter(options.given))
        raise WrapError(
            f"--{name} is for programs without a Recorder, with {', '.join(map(flag, PRINTED))} or --total. A Recorder "
            f"has its own argument '{name}'"
        )
    if fault := fault_of_name(options.output):
        raise WrapError(f"--output {fault}")
    assert options.protocol is not None
    for case in options.cases:
        if case.batch > MOST_SAMPLES:
            raise WrapError(f"{case.gpus} GPUs would have {case.batch} samples a step, above {MOST_SAMPLES}")
        if case.batch < case.gpus:
            raise WrapError(f"batch {case.batch} has less than one sample for each of {case.gpus} GPUs")
    check_command(options.command, options.cases, options.axes, options.total is not None)


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
