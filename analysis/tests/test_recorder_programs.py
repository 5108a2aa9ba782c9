# SPDX-License-Identifier: Apache-2.0
"""Training programs that fork, or change their working folder, lose no run; a lost one is told by the exit code."""

import subprocess
import sys
from pathlib import Path

import pytest
from loops import SETTINGS, SHORT, FakeTimer, label, numbers

from breakeven_analysis import Recorder, RecorderError
from breakeven_analysis.record import store

# Forks in the middle of the measured steps, `child` being what its child does.
FORKS = """
import os, sys
from breakeven_analysis import Recorder
recorder = Recorder(**{settings}, output="mine.h5")
made = 0
while not recorder.done:
    with recorder.step(), recorder.phase("forward"):
        made += 1
        if made == 4 and os.fork() == 0:
            {child}
            sys.exit(0)
        if made == 4:
            assert os.wait()[1] == 0, "the child failed"
recorder.close()
"""


@pytest.mark.parametrize(
    "child",
    [
        "pass",
        "recorder.close()",
        "recorder.__exit__(None, None, None)",
        "for _ in range(9): recorder.step().__enter__(); recorder.step().__exit__(None)",
        "recorder.phase('forward').__enter__(); recorder.phase('none').__exit__()",
        "assert recorder.done, 'a loop in a child ends'",
    ],
)
def test_a_forked_child_leaves_the_recording_to_its_parent(tmp_path: Path, child: str) -> None:
    program = FORKS.format(settings=SETTINGS | SHORT, child=child)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and len(done.stderr.splitlines()) == 1, done.stderr
    output = tmp_path / "mine.h5"
    assert label(output, "steps") == 5 and numbers(output, "steps_made") == 5 and label(output, "status") == 2
    assert list(tmp_path.iterdir()) == [output], "no part is left"


def test_a_program_may_change_its_working_folder(
    timer: FakeTimer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    recorder = Recorder(**SETTINGS, **SHORT, output="mine.h5")
    monkeypatch.chdir(tmp_path / "data")
    while not recorder.done:
        with recorder.step():
            timer.time += 0.01
    recorder.close()
    assert label(tmp_path / "mine.h5", "status") == 2 and not list((tmp_path / "data").iterdir())


def test_a_removed_working_folder_is_told(timer: FakeTimer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(RecorderError, match=r"output 'mine.h5': the working folder was removed"):
        Recorder(**SETTINGS, **SHORT, output="mine.h5")
    monkeypatch.setattr(sys, "argv", ["train.py"])
    recorder = Recorder(**SETTINGS, **SHORT, output=tmp_path / "mine.h5")
    while not recorder.done:
        with recorder.step():
            timer.time += 0.01
    recorder.close()
    assert label(tmp_path / "mine.h5", "git_revision") == ""


TRAINS = """
from pathlib import Path
from breakeven_analysis import Recorder
recorder = Recorder(**{settings}, output="mine.h5")
{first}
while not recorder.done:
    with recorder.step():
        pass
{ending}
print("trained")
"""


def trains(folder: Path, first: str, ending: str) -> subprocess.CompletedProcess:
    program = TRAINS.format(settings=SETTINGS | SHORT, first=first, ending=ending)
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("ending", "code"),
    [("recorder.close()", 1), ("recorder.__exit__(None, None, None)", 1), ("pass", 0)],
    ids=["close", "with", "end"],
)
def test_a_run_that_is_not_in_the_file_is_told(tmp_path: Path, ending: str, code: int) -> None:
    """Somebody replaces the results file during the training."""
    done = trains(tmp_path, 'Path("mine.h5").write_text("other")', ending)
    output = tmp_path / "mine.h5"
    assert (done.returncode, done.stdout) == (code, "" if code else "trained\n"), done.stderr
    last = done.stderr.splitlines()[-1]
    head = "breakeven_analysis.errors.RecorderError" if code else "breakeven"
    assert last.startswith(f"{head}: the run is not in {output}: ") and "Its parts are kept in" in last
    assert output.read_text() == "other" and len(list(output.with_name("mine.h5.parts").glob("*/rank-0.npz"))) == 1
    output.unlink()
    assert trains(tmp_path, "pass", "recorder.close()").returncode == 0
    assert label(output, "run", 1).endswith("#1"), "the one that was kept, and the new one"


def test_a_folder_that_cannot_be_written_at_the_end_is_told(
    timer: FakeTimer, output: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def alone(_: Path) -> None:
        raise OSError(28, "No space left on device")

    said = "the parts of the run cannot be joined: [Errno 28] No space left on device"
    for ends in ("close", "_close_and_say"):
        recorder = Recorder(**SETTINGS, **SHORT, output=output)
        while not recorder.done:
            with recorder.step():
                timer.time += 0.01
        with monkeypatch.context() as full:
            full.setattr(store, "alone", alone)
            if ends == "close":
                with pytest.raises(RecorderError, match=said.replace("[", r"\[")):
                    recorder.close()
            else:
                recorder._close_and_say()
                assert said in capsys.readouterr().err
