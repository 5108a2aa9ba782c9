# SPDX-License-Identifier: Apache-2.0
"""A recorder follows the link that its output is, and no link in its folder of parts."""

import os
import re
from pathlib import Path

import pytest
from loops import SETTINGS, SHORT, FakeTimer, label, train

from breakeven_analysis import Recorder, RecorderError
from breakeven_analysis.record import own_files
from breakeven_analysis.record.own_files import fault_of_folder, open_own

PRECIOUS = "all that I have\n"


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file of the user's, in a folder of its own."""
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "rank-0.json"
    path.write_text(PRECIOUS)
    return path


def test_an_output_that_is_a_link_stays_one(timer: FakeTimer, tmp_path: Path) -> None:
    link, file = tmp_path / "link.h5", tmp_path / "disk" / "file.h5"
    file.parent.mkdir()
    train(timer, file, lambda _: 0.01, **SHORT)
    link.symlink_to(file)
    train(timer, link, lambda _: 0.01, **SHORT, settle_tolerance=0.5)
    assert link.is_symlink() and len(list(tmp_path.iterdir())) == 2 and list(file.parent.iterdir()) == [file]
    assert label(file, "run").endswith("#1")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.symlink_to("nowhere"), "is a link to a file that does not exist"),
        (lambda path: path.symlink_to(path), "is a link to a file that does not exist"),
        (os.mkfifo, "is not a regular file"),
        (lambda path: path.symlink_to("/dev/null"), "is not a regular file"),
    ],
    ids=["nowhere", "loop", "fifo", "device"],
)
def test_no_regular_file_is_no_output(timer: FakeTimer, output: Path, make: object, sentence: str) -> None:
    make(output)
    with pytest.raises(RecorderError, match=sentence):
        Recorder(**SETTINGS, output=output)
    assert list(output.parent.iterdir()) == [output]


@pytest.mark.parametrize("place", ["mine.h5.parts", "mine.h5.parts/lock", "mine.h5.parts/left"])
def test_a_link_in_the_folder_of_parts_is_refused(timer: FakeTimer, output: Path, precious: Path, place: str) -> None:
    path = output.parent / place
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(precious if path.name == "lock" else precious.parent)
    with pytest.raises(RecorderError, match=re.escape(f"{place}' is ") + ".*: remove it"):
        Recorder(**SETTINGS, **SHORT, output=output)
    assert precious.read_text() == PRECIOUS and path.is_symlink()
    with pytest.raises(OSError):
        open_own(path, "w+")


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault_of_folder(tmp_path) == fault_of_folder(tmp_path / "none") == ""
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert fault_of_folder(tmp_path) == "", "here new files belong to the folder's owner, whoever makes them"
    monkeypatch.setattr(own_files, "is_own", lambda _: False)
    assert "belongs to another user" in fault_of_folder(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_a_folder_given_to_another_user_is_refused(timer: FakeTimer, output: Path) -> None:
    parts = output.parent / "mine.h5.parts"
    parts.mkdir()
    os.chown(parts, 12345, 12345)
    with pytest.raises(RecorderError, match="belongs to another user"):
        Recorder(**SETTINGS, output=output)
