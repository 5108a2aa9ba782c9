# SPDX-License-Identifier: Apache-2.0
"""The step times that `breakeven wrap` finds in a program's output."""

import math
import os
import re
import signal
from pathlib import Path

import numpy as np
import pytest

from breakeven_analysis.errors import WrapError
from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.part import STEP
from breakeven_analysis.wrap import printed as reading
from breakeven_analysis.wrap import processes
from breakeven_analysis.wrap import times as module
from breakeven_analysis.wrap.printed import (
    PRINTED_RATES,
    PRINTED_SECONDS,
    PRINTED_STEP_RATES,
    NoStepsError,
    Output,
    Printed,
    compiled,
)
from breakeven_analysis.wrap.processes import Runner
from breakeven_analysis.wrap.session import Durations
from breakeven_analysis.wrap.times import are_enough, part_of_difference, part_of_enough_steps, part_of_steps


@pytest.mark.parametrize(
    ("source", "pattern", "line"),
    [
        (PRINTED_SECONDS, r"step (\S+) s", "2026-01-01 00:00:01,5 [rank 0] step {:.4f} s (loss 0.25)\n"),
        (PRINTED_SECONDS, r"(?P<ms>[\d.]+) ms", "progress {0:.4f}\r it took {1:.3f} ms\r"),
        (PRINTED_RATES, r"([\d.e+-]+) samples/s", "{2:e} samples/s\n"),
        (PRINTED_RATES, r"([\d.e+-]+) samples/s|(?P<s>\S+) s", "{0} s\n"),
        (PRINTED_STEP_RATES, r"([\d.]+) it/s", "{3} it/s\n"),
    ],
)
def test_numbers_in_the_output_are_seconds(tmp_path: Path, source: str, pattern: str, line: str) -> None:
    log, seconds = tmp_path / "log", [0.5, 0.25, 0.125]
    log.write_text("".join(line.format(one, 1000 * one, 64 / one, 1 / one) for one in seconds))
    assert Printed(source, re.compile(pattern)).seconds(Output(log), 64, 1e6) == pytest.approx(seconds)


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-loop.md").read_text(encoding="utf-8")
OF_TQDM = re.search(r"tqdm.*`--steps-per-second '(.*)'`", PAGE)[1].replace("\\|", "|")


def test_the_pages_pattern_reads_bars_of_tqdm(tmp_path: Path) -> None:
    """As tqdm 4.67 writes them; set_postfix() writes a bar twice for a step."""
    bars = [
        "  0%|          | 0/500 [00:00<?, ?it/s]",
        "epoch 1:   1%|          | 5/500 [00:00<00:10, 48.00it/s]",
        "epoch 1:   1%|          | 5/500 [00:00<00:10, 50.00it/s, loss=0.3, lr=2/3]",
        "  2%|▏         | 6/500 [00:01<01:00,  1.25s/it]",
        "{'loss': 0.5, 'train_samples_per_second': 65.0}\n  2%|▏         | 7/500 [00:01<00:10, 40.00it/s]",
        "100%|██████████| 7/500 [00:01<00:10, 20.00it/s, loss=1/7]\n",
        "  1%|          | 5/500 [00:00<00:10, 80.00it/s]",
    ]
    (tmp_path / "log").write_text("\r".join(bars), encoding="utf-8")
    regex = compiled("--steps-per-second", OF_TQDM)
    printed = Printed(PRINTED_STEP_RATES, regex)
    assert printed.seconds(Output(tmp_path / "log"), 64, 1e6) == pytest.approx([0.02, 1.25, 0.05, *5 * [0.0125]])
    assert printed.seconds(Output(tmp_path / "log"), 64, 1e6, has_ended=False) == pytest.approx([0.02, 1.25, 0.05])


@pytest.mark.parametrize("text", ["nan", "0", "-1", "inf", "one", "1,5", "", "\udcff"])
def test_what_is_no_duration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "log").write_bytes(f"step 1 s\nstep {text} s\n".encode(errors="surrogateescape"))
    with pytest.raises(NoStepsError, match="which is not a number above 0"):
        Printed(PRINTED_SECONDS, re.compile("step (.*) s")).seconds(Output(tmp_path / "log"), 64, 1e6)


def protocol(warmup: int = 0, settle: float = 0.0) -> Protocol:
    return Protocol(warmup, 1, settle, 0.005, 0)


def test_warm_up_settling_and_measured_steps_are_told_apart() -> None:
    slow, steady = [0.5, 0.25, 0.25], [0.125 + 0.0625 * (step < 2) for step in range(40)]
    part = part_of_steps([*slow, *steady], protocol(3, 5))
    numbers = part.numbers
    assert numbers["first_step_seconds"] == 0.5 and numbers["warmup_seconds"] == 0.5
    assert numbers["settle_end"] == 1 and numbers["settle_steps"] == 6, "windows of two steps: 0.375 s, 0.25 s, 0.25 s"
    assert numbers["settle_seconds"] == 0.875 and part.steps == 34 == numbers["steps_made"]
    assert part.seconds[:, STEP].tolist() == part.host_seconds.tolist() == 34 * [0.125]
    assert numbers["steps_device_seconds"] == numbers["steps_host_seconds"] == 34 * 0.125


def test_settling_takes_at_most_half_of_the_steps() -> None:
    part = part_of_steps([0.125 * 1.1**step for step in range(20)], protocol(0, 100))
    assert part.numbers["settle_end"] == 2 and part.steps >= 4
    assert part.numbers["settle_seconds"] <= float(part.seconds[:, STEP].sum())
    assert part_of_steps([0.1, 0.2], protocol()).numbers["settle_end"] == 0


def test_of_very_many_steps_means_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECORDED", 4)
    part = part_of_steps([float(step + 1) for step in range(9)], protocol())
    assert part.numbers["steps_apart"] == 3 and part.seconds[:, STEP].tolist() == [2, 5, 8]
    assert part.numbers["steps_host_seconds"] == 45


def test_enough_are_as_many_as_a_recorder_measures() -> None:
    settled = [0.125] * 4  # two windows
    assert are_enough([9.0, *settled, *100 * [0.01]], Protocol(1)) and not are_enough(
        [*settled, *99 * [0.01]], Protocol(0)
    )
    assert not are_enough(10_000 * [1e-5], Protocol(0, settle=0)), "0.1 s"
    drifting = [0.1 * 1.02**step for step in range(300)]
    limit = next(step for step in range(300) if sum(drifting[:step]) >= 2 * 5)
    assert not are_enough(drifting[: limit - 1], Protocol(0, steps=2)) and are_enough(
        drifting[:limit], Protocol(0, steps=2)
    )


def test_a_clock_that_is_set_changes_no_duration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hours = iter([1e9, -1e9, 3600.0, *100 * [0.0]])
    monkeypatch.setattr("time.time", hours.__next__)
    looks: list[float] = []
    ended = Runner(0).run(
        ["sleep", "60"], {}, tmp_path / "log", 50, lambda seconds: looks.append(seconds) or len(looks) > 1
    )
    assert ended.had_enough and ended.problem == "" and 0 < looks[0] < looks[1] <= ended.seconds < 50


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGRTMIN + 6])
def test_every_signal_has_a_name(tmp_path: Path, number: int) -> None:
    ended = Runner(0).run(["sh", "-c", f"kill -{number} $$"], dict(os.environ), tmp_path / "log", 50)
    assert ended.problem == ("it was killed by SIGKILL" if number == signal.SIGKILL else "it was killed by signal 40")


def test_a_pause_of_this_process_is_noticed(tmp_path: Path) -> None:
    runner, words = Runner(0), ["sh", "-c", f"kill -CONT {os.getpid()}; sleep 0.1"]
    assert runner.run(words, dict(os.environ), tmp_path / "log", 50).was_suspended
    assert not runner.run(["true"], dict(os.environ), tmp_path / "log", 50).was_suspended


def test_durations_that_nobody_can_read_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "durations.jsonl"
    path.write_bytes(b'{"case"\n\xff\n[1]\n{"case": "a", "seconds": "x"}\n{"case": "a", "seconds": 2}\n')
    assert Durations(path).by_case == {"a": [2.0]}


def test_too_few_steps_are_refused() -> None:
    with pytest.raises(NoStepsError, match="10 steps were printed, and 10 are warm-up: train longer"):
        part_of_steps(10 * [0.1], protocol(10))


def test_the_difference_of_two_runs_is_the_time_of_their_steps() -> None:
    part = part_of_difference(3.5, 5.5, 16)
    assert part.seconds[:, STEP].tolist() == [0.125] and part.numbers["steps_apart"] == 16
    assert np.isnan(part.loss).all() and part.numbers["steps_host_seconds"] == 2
    for long in (3.5, 3.0, 3.8, math.nan):
        with pytest.raises(NoStepsError, match="use more steps"):
            part_of_difference(3.5, long, 16)


def test_steps_cannot_take_longer_than_the_program(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("iter 70000 took 0.004 s\n" * 3)
    printed = Printed(PRINTED_SECONDS, re.compile(r"took (\S+) s"))
    assert printed.seconds(Output(tmp_path / "log"), 64, 0.1) == pytest.approx(3 * [0.004])
    for pattern, wall_seconds in ((r"iter (\S+)", 1.0), (r"took (\S+) s", 0.01)):
        with pytest.raises(NoStepsError, match="another number or unit"):
            Printed(PRINTED_SECONDS, re.compile(pattern)).seconds(Output(tmp_path / "log"), 64, wall_seconds)


def test_each_look_reads_what_is_new(tmp_path: Path) -> None:
    log, printed = tmp_path / "log", Printed(PRINTED_SECONDS, re.compile(r"took (\S+) s"))
    output = Output(log)
    with log.open("w") as stream:
        for text, seconds in (("took 1 s\ntook ", [1]), ("2 s\rtook 3 s", [1, 2]), ("\n", [1, 2, 3])):
            stream.write(text)
            stream.flush()
            assert printed.seconds(output, 64, 1e6, has_ended=False) == seconds
        output.end = stream.tell()
        stream.write("took 4 s\n")  # after it was stopped
    assert printed.seconds(output, 64, 1e6) == [1, 2, 3]


def test_a_line_that_was_wrong_stays_wrong(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("took 1 s\ntook one s\ntook 2 s\n")
    output = Output(tmp_path / "log")
    for _ in range(2):
        with pytest.raises(NoStepsError, match="found 'one'"):
            Printed(PRINTED_SECONDS, re.compile(r"took (\S+) s")).seconds(output, 64, 1e6)


def test_a_regex_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_MATCH_SECONDS", 0.2)
    (tmp_path / "log").write_text("x" * 40 + "\n")
    with pytest.raises(WrapError, match=r"takes over 0\.2 s for a line: simplify it"):
        Printed(PRINTED_SECONDS, re.compile("(x+x+)+y")).seconds(Output(tmp_path / "log"), 64, 1e6)


def test_a_program_that_fills_the_disk_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_LOG_BYTES", 1000)
    end = Runner(0.1).run(["yes"], dict(os.environ), tmp_path / "log", 60, lambda _: False)
    assert end.code is None and end.problem == "it was stopped, because it had printed over 1 GiB" and end.seconds < 30


def test_few_measured_steps_are_refused() -> None:
    assert part_of_enough_steps(30 * [0.1], protocol(10)).numbers["steps_made"] == 20
    with pytest.raises(NoStepsError, match="19 are left of 20 at least: train longer"):
        part_of_enough_steps(29 * [0.1], protocol(10))
