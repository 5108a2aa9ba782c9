# SPDX-License-Identifier: Apache-2.0
"""Training programs that fork and change their working folder lose no run."""

import subprocess
import sys
from pathlib import Path

import pytest
from loops import SETTINGS, SHORT, FakeTimer, label, numbers

from breakeven_analysis import Recorder, RecorderError

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
