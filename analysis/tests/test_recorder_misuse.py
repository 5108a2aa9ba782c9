# SPDX-License-Identifier: Apache-2.0
"""What is used wrongly is one sentence, and a loop that ends early says what is kept."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from loops import SETTINGS, SHORT, STEP, FakeTimer, label, numbers, train

from breakeven_analysis import Recorder, RecorderError, read_report
from breakeven_analysis.record.part import PartsFolder


def test_wrong_use_is_a_sentence(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    with pytest.raises(RecorderError, match="outside of a step"), recorder.phase("forward"):
        pass
    with recorder.step(samples=64):
        with pytest.raises(RecorderError, match="within a step"), recorder.step():
            pass
        with pytest.raises(RecorderError, match="no phase 'sleep'"), recorder.phase("sleep"):
            pass
        with recorder.phase("forward"), pytest.raises(RecorderError, match="within phase"), recorder.phase("backward"):
            pass
    with pytest.raises(RecorderError, match=r"40 samples and the one before had 64.*drop_last=True"):
        recorder.step(samples=40)
    with pytest.raises(RecorderError, match="Nothing was recorded"):
        recorder.close()
    with pytest.raises(RecorderError, match=r"after close\(\)"), recorder.step():
        pass


@pytest.mark.parametrize("wrong", [np.zeros(64), None, "hello"])
def test_a_loss_that_is_no_number_is_told_in_the_first_step(timer: FakeTimer, output: Path, wrong: object) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    told = pytest.raises(RecorderError, match="must return one number, or a tensor of one")
    with told, recorder.step(loss=lambda: wrong):
        timer.time += 0.25
    with pytest.raises(RecorderError, match=r"must be a function: loss=lambda: loss\.item"):
        recorder.step(loss=0.5)
    with pytest.raises(RecorderError, match="Nothing was recorded"):
        recorder.close()


def test_words_that_are_no_utf_8(timer: FakeTimer, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "orig_argv", ["train.py", "\udce9"])  # the byte 0xe9
    train(timer, output, lambda _: 0.01, **SHORT)
    assert r"'\udce9'" in str(label(output, "command_line", 0))


def test_a_part_that_cannot_be_written_is_told(timer: FakeTimer, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PartsFolder, "write", write)
    with pytest.raises(RecorderError, match=r"the part of rank 0 cannot be written: .* No space left on device"):
        train(timer, output, lambda _: 0.01, **SHORT)
    assert label(output, "status", 0) == 0, "planned"


@pytest.mark.parametrize(
    "text", ['{"cass": {}}\n', "[" * 100_000 + "\n", '{"case": {"gpus": 1}, "start": 1}\n', "\xff\n"]
)
def test_damaged_parts_stop_no_later_start(
    timer: FakeTimer, output: Path, capsys: pytest.CaptureFixture, text: str
) -> None:
    folder = output.with_name(output.name + ".parts") / "token"
    folder.mkdir(parents=True)
    (folder / "rank-0.json").write_text(text, encoding="latin-1")
    train(timer, output, lambda _: 0.01, **SHORT)
    assert f"{folder} is damaged" in capsys.readouterr().err and len(numbers(output, "seconds"))


def test_a_loss_that_fails_at_the_end_leaves_the_times(timer: FakeTimer, output: Path) -> None:
    losses = iter([1.0])
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    with pytest.raises(StopIteration):
        for _ in range(7):
            with recorder.step(loss=lambda: next(losses)):
                timer.time += 0.25
    recorder.close()
    assert numbers(output, "seconds")[:, STEP].tolist() == 5 * [0.25]


def test_a_step_without_with_is_told(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    recorder.step()
    with pytest.raises(RecorderError, match="step\\(\\) was called without `with`"):
        recorder.step()
    with pytest.raises(RecorderError, match="Nothing was recorded"):
        recorder.close()


def test_phases_that_are_marked_no_more_are_told(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for _ in range(3):
        with recorder.step(), recorder.phase("forward"):
            timer.time += 0.25
    told = pytest.raises(RecorderError, match="must be called in every step, the warm-up included")
    with told, recorder.step():
        timer.time += 0.25
    recorder.close()
    assert numbers(output, "seconds")[:, STEP].tolist() == [0.25], "what was whole is kept"


def test_samples_that_are_not_the_batch_are_refused(timer: FakeTimer, output: Path) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for wrong in (0, 1.5, "64", 2**31):
        with pytest.raises(RecorderError, match=r"samples is .* and must be a whole number from 1 to 2147483647"):
            recorder.step(samples=wrong)
    with pytest.raises(RecorderError, match="The ranks train on 32 samples a step, and batch is 64"):
        for _ in range(5):
            with recorder.step(samples=32):
                timer.time += 0.01
    with pytest.raises(RecorderError, match="Nothing was recorded"):
        recorder.close()


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"batch": 0}, "batch is 0 and must be the samples of a step, a whole number from 1 to 2147483647"),
        ({"batch": "64"}, "batch is '64' and must be the samples of a step, a whole number"),
        ({"batch": 64.5}, "batch is 64.5 and must be"),
        (
            {"batch": 2**32 - 1},
            "batch is 4294967295 and must be the samples of a step, a whole number from 1 to 2147483647",
        ),
        ({"batch": True}, "batch is True and must be"),
        ({"parameters": "124M"}, "parameters is '124M' and must be a whole number from 0 to"),
        (
            {"parameters": 2**64},
            "parameters is 18446744073709551616 and must be a whole number from 0 to 184467440737095516",
        ),
        ({"steps": "100"}, "steps is '100' and must be a whole number from 1 to 2147483647"),
        ({"steps": 2**31}, "steps is 2147483648 and must be a whole number from 1 to 2147483647"),
        ({"warmup": 2**32}, "warmup is 4294967296 and must be a whole number from 0 to 4294967295"),
        ({"settle": "5s"}, "settle is '5s' and must be a number of seconds"),
        ({"settle_tolerance": 0}, "settle_tolerance is 0 and must be a number above 0"),
        ({"steps": 0}, "steps is 0"),
        ({"warmup": -1}, "warmup is -1"),
        ({"settle": float("nan")}, "settle is nan"),
        ({"model": "a\nb"}, "model is"),
        ({"strategy": ""}, "strategy is ''"),
        ({"scaling": "both"}, "must be 'strong' or 'weak'"),
    ],
)
def test_wrong_settings_are_sentences(timer: FakeTimer, output: Path, setting: dict, sentence: str) -> None:
    with pytest.raises(RecorderError, match=re.escape(sentence)):
        Recorder(**{**SETTINGS, "output": output, **setting})
    assert not list(output.parent.iterdir())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("out.txt", "out.txt' does not end in .h5, .hdf5 or .nc"),
        ("mine", "mine' does not end in"),
        ("no/such/mine.h5", "no/such' does not exist"),
        (".", "does not end in"),
    ],
)
def test_wrong_names_of_the_file_are_sentences(timer: FakeTimer, tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(RecorderError, match=re.escape(sentence)):
        Recorder(**SETTINGS, output=tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_program_reads_the_largest_numbers(timer: FakeTimer, output: Path) -> None:
    train(timer, output, lambda _: 0.01, batch=2**31 - 1, parameters=2**64 - 1, **SHORT)
    assert read_report(output).cases["batch"].tolist() == [2**31 - 1]


def test_numbers_may_be_numpys(timer: FakeTimer, output: Path) -> None:
    train(timer, output, lambda _: 0.01, batch=np.int64(64), parameters=np.uint32(7), **SHORT)
    assert label(output, "batch") == 64 and label(output, "parameters") == 7


def test_a_loop_that_ends_early_says_so(timer: FakeTimer, output: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(RecorderError, match="the loop ended, in warm-up, before the first measured step"):
        train(timer, output, lambda _: 0.01, most=8)
    assert capsys.readouterr().err == "" and not output.exists() and not list(output.parent.iterdir()), (
        "no part is left"
    )
    train(timer, output, lambda _: 0.01, most=5, **SHORT)
    assert "after 3 of 5 measured steps, which are kept" in capsys.readouterr().err
    assert label(output, "steps") == 3 and numbers(output, "steps_made") == 3


@pytest.mark.parametrize(
    ("ending", "code", "last"),
    [
        ("recorder.close()", 1, "RecorderError: the loop ended, in warm-up"),
        ("recorder.__exit__(None, None, None)", 1, "RecorderError: the loop ended, in warm-up"),
        ("recorder.__exit__(KeyError, None, None); raise KeyError('own')", 1, "KeyError: 'own'"),
        (
            "recorder.step().__exit__(KeyError); recorder.close()",
            1,
            "RecorderError: a step ended with an exception, in warm-up",
        ),
        ("pass", 0, "breakeven: the loop ended, in warm-up, before the first measured step"),
    ],
)
def test_a_program_that_recorded_nothing_does_not_end_well(output: Path, ending: str, code: int, last: str) -> None:
    """Without close() Python lets nobody change its exit code."""
    program = (
        f"from breakeven_analysis import Recorder\nrecorder = Recorder(**{SETTINGS}, output={str(output)!r})\n{ending}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == code and done.stderr.count("\n") < 12, done.stderr
    assert last in done.stderr.splitlines()[-1] and (
        "KeyError" in last or done.stderr.count("Nothing was recorded") == 1
    )
    assert not list(output.parent.iterdir())


def test_an_exception_in_a_step_ends_the_recording(
    timer: FakeTimer, output: Path, capsys: pytest.CaptureFixture
) -> None:
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for step in range(5):
        failure = pytest.raises(ZeroDivisionError) if step == 4 else contextlib.nullcontext()
        with failure, recorder.step():
            timer.time += 0.5
            timer.time += 0 / (step - 4)
    recorder.close()
    assert "a step ended with an exception, after 2 of 5 measured steps" in capsys.readouterr().err
    assert numbers(output, "seconds")[:, STEP].tolist() == [0.5, 0.5]
