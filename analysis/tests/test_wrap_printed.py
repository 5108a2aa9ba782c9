# SPDX-License-Identifier: Apache-2.0
"""What `breakeven wrap` makes of the numbers that a program prints: steps, by a counter, and doubts."""

import re
from pathlib import Path

import numpy as np
import pytest

from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.part import STEP
from breakeven_analysis.wrap import printed as module
from breakeven_analysis.wrap.printed import (
    PRINTED_RATES,
    PRINTED_SECONDS,
    PRINTED_STEP_RATES,
    NoStepsError,
    Output,
    Printed,
    UnreadableError,
)
from breakeven_analysis.wrap.times import are_enough, part_of_enough_steps, part_of_steps

COUNTED = Printed(PRINTED_SECONDS, re.compile(r"(?P<step>\S+): (\S+) s"))


def output_of(folder: Path, text: str) -> Output:
    (folder / "log").write_text(text)
    return Output(folder / "log")


def bar(seconds: list[float], pause: float = 0.1) -> str:
    """A progress bar that is written at most every `pause` seconds, with the rate since it was written last."""
    text, since, made = "", 0.0, 0
    for step, one in enumerate(seconds, 1):
        since, made = since + one, made + 1
        if since >= pause:
            text, since, made = f"{text}{step}/{len(seconds)} [{made / since:.6f}it/s]\r", 0.0, 0
    return text


def test_a_bar_counts_steps_and_not_prints(tmp_path: Path) -> None:
    """200 steps of 2 ms and 20 of 100 ms are 4 and 20 prints."""
    output = output_of(tmp_path, bar([*200 * [0.002], *20 * [0.1]]))
    printed = Printed(PRINTED_STEP_RATES, re.compile(r"(?P<step>\d+)/\d+ \[(\S+)it/s"))
    seconds = printed.seconds(output, 64, 10)
    assert np.mean(seconds) == pytest.approx(0.0109, rel=0.01) and len(seconds) == 220
    part = part_of_enough_steps(seconds, Protocol(10, settle=0), output.steps_a_print)
    assert part.numbers["steps_host_seconds"] == pytest.approx(2.38, rel=0.01), "all but the warm-up"
    assert part.numbers["warmup_seconds"] + part.numbers["first_step_seconds"] == pytest.approx(0.02)
    assert part.steps == pytest.approx(21, abs=2), "as many means as prints, about"


def test_warm_up_and_enough_count_steps(tmp_path: Path) -> None:
    output = output_of(tmp_path, "".join(f"{10 * step}: 0.25 s\n" for step in range(1, 12)))
    seconds = COUNTED.seconds(output, 64, 100)
    assert seconds == 110 * [0.25] and are_enough(seconds, Protocol(10, settle=0))
    assert not are_enough(seconds[1:], Protocol(10, settle=0))
    part = part_of_enough_steps(seconds, Protocol(10, settle=0), output.steps_a_print)
    assert part.steps == 10 == part.numbers["steps_apart"] and part.seconds[:, STEP].tolist() == 10 * [0.25]
    rest = part_of_steps(149 * [0.25], Protocol(0, settle=0), 50.0)
    assert rest.steps == 2 and rest.numbers["steps_apart"] == 74, "at most the last few are left out"


@pytest.mark.parametrize(
    ("counters", "steps"),
    [
        ([0, 1, 2], [1, 1, 1]),
        ([1, 2, 3], [1, 1, 1]),
        ([10, 20, 30], [10, 10, 10]),
        ([3, 20, 30], [3, 17, 10]),
        ([70_000, 70_010, 70_015], [10, 10, 5]),
        ([50, 100, 100, 40, 80], [50, 50, 40, 40]),
        (["1,000", "1_010"], [10, 10]),
    ],
    ids=["from 0", "from 1", "every 10th", "first", "continued", "epochs", "grouped"],
)
def test_a_print_stands_for_the_steps_since_the_last_one(tmp_path: Path, counters: list, steps: list[int]) -> None:
    output = output_of(tmp_path, "".join(f"{counter}: 1 s\n" for counter in counters))
    assert len(COUNTED.seconds(output, 64, 1e6)) == sum(steps) and output.steps == steps


def test_what_is_no_step_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for counter in ("1/10", "-1", "1.5", "nan"):
        with pytest.raises(UnreadableError, match=f"found '{counter}', which is not a"):
            COUNTED.seconds(output_of(tmp_path, f"{counter}: 1 s\n"), 64, 1e6)
    with pytest.raises(NoStepsError, match="counted over 10000000 steps"):
        COUNTED.seconds(output_of(tmp_path, f"{10**9}: 1 s\n{10**12}: 1 s\n"), 64, 1e6)
    with pytest.raises(NoStepsError, match=r"\(\?P<step>...\) steps\), or several ranks print"):
        COUNTED.seconds(output_of(tmp_path, "64: 1 s\n128: 1 s\n"), 64, 100)


@pytest.mark.parametrize(
    ("text", "number"),
    [("34,302.7", 34302.7), ("34_302.7", 34302.7), ("1,234,567", 1234567), ("34,302", 34302), ("1_000.", 1000)],
)
def test_digits_may_be_grouped(tmp_path: Path, text: str, number: float) -> None:
    printed = Printed(PRINTED_RATES, re.compile(r"(\S+) samples/s"))
    (seconds,) = printed.seconds(output_of(tmp_path, f"{text} samples/s\n"), 64, 1e6)
    assert seconds == pytest.approx(64 / number)


@pytest.mark.parametrize(
    "text", ["34.302,7", "0,125", "1,5", "34,30.2", "3430,2", "1,000_000", "1_0", ",123", "1,234.5,"]
)
def test_other_groups_say_what_to_write(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnreadableError, match=r"not a number above 0.*Numbers are like 34302\.7, 3\.4e4, 34,302\.7"):
        Printed(PRINTED_SECONDS, re.compile(r"(\S+) s")).seconds(output_of(tmp_path, f"{text} s\n"), 64, 1e6)


def test_steps_that_explain_too_little_are_in_doubt(tmp_path: Path) -> None:
    printed = Printed(PRINTED_SECONDS, re.compile(r"(\S+) s"))

    def doubt(wall_seconds: float, looks: bool = True) -> str:
        output = output_of(tmp_path, 100 * "0.1 s\n")
        if looks:
            printed.seconds(output, 64, 20, has_ended=False)
        printed.seconds(output, 64, wall_seconds)
        return output.doubt(wall_seconds)

    sentence = "the printed steps add up to 10 s, and the program ran for 20.5 s after the first of them: unless it"
    assert doubt(40.5).startswith(sentence), "starting up took at most 20 s"
    assert doubt(39.5) == doubt(1000, looks=False) == ""
    output = output_of(tmp_path, 10 * "0.01 s\n")
    printed.seconds(output, 64, 0.5, has_ended=False)
    assert output.doubt(2.4) == "" != output.doubt(2.6), f"ending takes less than {module.SHORTEST_TO_EXPLAIN} s"


def test_steps_of_a_short_program_that_explain_too_little_are_in_doubt(tmp_path: Path) -> None:
    printed = Printed(PRINTED_SECONDS, re.compile(r"(\S+) s"))

    def doubt(printed_seconds: float) -> str:
        output = output_of(tmp_path, f"{printed_seconds} s\n")
        for look in range(1, 100):
            printed.seconds(output, 64, 0.011 * look, has_ended=False)
            with output.log.open("a") as log:
                log.write(f"{printed_seconds} s\n")
        printed.seconds(output, 64, 1.4)
        return output.doubt(1.4)

    assert "the program ran for 1.08 s after the first of them" in doubt(1e-6)
    assert doubt(0.01) == ""


def test_a_step_of_no_time_is_not_a_step(tmp_path: Path) -> None:
    with pytest.raises(NoStepsError, match=r"found '1e-320', a step of"):
        Printed(PRINTED_SECONDS, re.compile(r"(\S+) s")).seconds(output_of(tmp_path, "1e-320 s\n"), 64, 1e6)
