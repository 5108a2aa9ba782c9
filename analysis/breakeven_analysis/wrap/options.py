# SPDX-License-Identifier: Apache-2.0
"""The words of a command line of `breakeven wrap`."""

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breakeven_analysis.errors import RecorderError, WrapError
from breakeven_analysis.limits import MOST_SAMPLES
from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.replacing import fault_of_name
from breakeven_analysis.record.secret_words import without_secrets
from breakeven_analysis.said import shell_line
from breakeven_analysis.wrap.parser import USAGE, make_parser
from breakeven_analysis.wrap.plan import KNOWN, STEPS, Axes, Case, check_command, make_cases
from breakeven_analysis.wrap.printed import PRINTED_RATES, PRINTED_SECONDS, PRINTED_STEP_RATES, Printed, compiled

RECORDER_HAS = ("model", "parameters", "framework", "transport", "data", "warmup", "settle")  # arguments of its own
PRINTED = {
    "step_seconds": PRINTED_SECONDS,
    "samples_per_second": PRINTED_RATES,
    "steps_per_second": PRINTED_STEP_RATES,
}  # options


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
