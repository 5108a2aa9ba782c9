# SPDX-License-Identifier: Apache-2.0
"""Parts that somebody made, or that no disk can hold: one sentence, and nothing is repeated as often as they say."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loops import SETTINGS, SHORT, FakeTimer, label, numbers, train

from breakeven_analysis.record.part import PartsFolder
from breakeven_analysis.record.recorder import Recorder

SECONDS = 20


@pytest.fixture
def left(timer: FakeTimer, output: Path) -> Path:
    """The folder of a start that ended before its first measured step."""
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    folder = recorder._folder.path
    text = (folder / "rank-0.json").read_text()
    with pytest.raises(RuntimeError, match="Nothing was recorded"):
        recorder.close()
    folder.mkdir(parents=True)
    (folder / "rank-0.json").write_text(text)
    return folder


def change(folder: Path, table: str, **numbers: Any) -> None:
    path = folder / "rank-0.json"
    description = json.loads(path.read_text())
    description[table] |= numbers
    path.write_text(json.dumps(description) + "\n")


@pytest.mark.parametrize(
    ("table", "wrong", "sentence"),
    [
        ("planned", {"steps": 4_000_000_000}, "a run of 4000000000 steps, none of them recorded, would add"),
        ("planned", {"steps": 10_000_000}, "a run of 10000000 steps, none of them recorded, would add"),
        ("planned", {"steps": -1}, "steps is -1, and must be a whole number from 0 on"),
        ("planned", {"warmup": 0.5}, "warmup is 0.5, and must be"),
        ("case", {"gpus": 300_000_000}, "it is of 300000000 ranks, and has the descriptions of 1"),
        ("case", {"gpus": 0}, "it is of 0 ranks"),
    ],
)
def test_numbers_of_left_parts_are_checked(
    timer: FakeTimer,
    output: Path,
    left: Path,
    capsys: pytest.CaptureFixture,
    table: str,
    wrong: dict[str, Any],
    sentence: str,
) -> None:
    change(left, table, **wrong)
    began = time.monotonic()
    train(timer, output, lambda _: 0.01, **SHORT)
    said = capsys.readouterr().err
    assert f"{left} is damaged" in said and sentence in said and time.monotonic() - began < SECONDS, said
    assert label(output, "status", 0) == 2 and len(numbers(output, "seconds")) == 5


def test_a_run_that_was_planned_is_kept(timer: FakeTimer, output: Path, left: Path) -> None:
    train(timer, output, lambda _: 0.01, **SHORT)
    assert label(output, "status", 0) == 0 and label(output, "status", 1) == 2 and label(output, "steps", 0) == 5


@pytest.mark.parametrize("name", ["more", "rank-0.npz", "rank-1.json"])
def test_a_folder_among_left_parts_stops_nobody(timer: FakeTimer, output: Path, left: Path, name: str) -> None:
    (left / name).mkdir()
    train(timer, output, lambda _: 0.01, **SHORT)
    assert label(output, "status") == 2 and (left / name).is_dir(), "it is not the recorder's"
    train(timer, output, lambda _: 0.01, **SHORT)


def test_a_small_part_becomes_no_large_array(left: Path, output: Path, timer: FakeTimer, capsys: Any) -> None:
    np.savez_compressed(left / "rank-0.npz", seconds=np.zeros((10**6, 9)))
    train(timer, output, lambda _: 0.01, **SHORT)
    assert "rank-0.npz is larger than its file" in capsys.readouterr().err


def test_what_left_parts_say_commands_no_terminal(
    timer: FakeTimer, output: Path, left: Path, capsys: pytest.CaptureFixture
) -> None:
    change(left, "case", model="\x1b[31m")
    train(timer, output, lambda _: 0.01, **SHORT)
    said = capsys.readouterr().err
    assert r"\x1b[31m at batch 64" in said and "\x1b" not in said, said


# ---------------------------------------------------------------- a full disk

FULL = """
import os, resource, sys
from breakeven_analysis import Recorder
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
Recorder(model="toy", parameters=1, batch=64, output=sys.argv[1])
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_disk_is_told_before_training(output: Path, ranks: int) -> None:
    environment = {**os.environ, "RANK": "0", "WORLD_SIZE": str(ranks), "LOCAL_RANK": "0"}
    words = [sys.executable, "-c", FULL, str(output)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
    last = done.stderr.splitlines()[-1]
    parts = output.with_name("mine.h5.parts")
    assert done.returncode == 1, done.stderr
    assert last.endswith(f"RecorderError: The folder '{parts}' cannot be written: File too large")
    assert not list(output.parent.iterdir())


def test_a_full_disk_later_on_leaves_no_files_either(
    timer: FakeTimer, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def describe(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PartsFolder, "describe", describe)
    with pytest.raises(RuntimeError, match=r"mine\.h5\.parts' cannot be written: No space left on device"):
        Recorder(**SETTINGS, **SHORT, output=output)
    assert not list(output.parent.iterdir())
