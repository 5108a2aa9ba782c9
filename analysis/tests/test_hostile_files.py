# SPDX-License-Identifier: Apache-2.0
"""Files that somebody made to crash, hang or exhaust a reader: one sentence, within seconds and little memory."""

import importlib.util
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import RESULTS
from loops import SETTINGS, FakeTimer

from breakeven_analysis import DamagedError, NotResultsError, Recorder, RecorderError, open_results
from breakeven_analysis.apart import lower, read_apart
from breakeven_analysis.record.layout import create_file
from breakeven_analysis.record.replacing import check_results

SECONDS = 100


def crafted() -> Any:
    """The crafted files of the program's tests."""
    path = Path(__file__).parents[2] / "tests" / "support" / "hostile_files.py"
    spec = importlib.util.spec_from_file_location("hostile_files", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOSTILE = crafted()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    path = Path(shutil.copyfile(RESULTS / "h200-2" / "frameworks.h5", tmp_path / "odd.h5"))
    with h5py.File(path, "r+") as file:
        HOSTILE.without_label_checksums(file)
    return path


def refusal_of(path: Path) -> str:
    """One sentence, or "" for a file that was opened."""
    began = time.monotonic()
    try:
        open_results(path).load()
        said = ""
    except NotResultsError as error:
        said = str(error)
        assert "odd.h5" in said and "\n" not in said
    assert time.monotonic() - began < SECONDS
    return said


@pytest.mark.parametrize(("change", "words"), HOSTILE.CHANGES)
def test_it_is_refused_or_opened(copy: Path, change: Callable[[h5py.File], None], words: str) -> None:
    with h5py.File(copy, "r+") as file:
        change(file)
    said = refusal_of(copy)
    assert ("link" in said) == ("link" in words) and ("another file" in said) == ("another file" in words)
    assert said if "larger than" in words or "phase" in words else True


def test_virtual_cells_open_no_other_file(copy: Path) -> None:
    other = copy.with_name("other.h5")
    os.mkfifo(other)
    with h5py.File(copy, "r+") as file:
        layout = h5py.VirtualLayout(file["power_watts"].shape, "f8")
        layout[...] = h5py.VirtualSource(str(other), "x", file["power_watts"].shape)
        del file["power_watts"]
        file.create_virtual_dataset("power_watts", layout)
    assert "the cells of power_watts are in another file" in refusal_of(copy)
    with pytest.raises(NotResultsError, match="the cells of power_watts are in another file"):
        check_results(copy)  # before a recorder adds a run


def test_a_zeroed_heap_does_not_hang(copy: Path) -> None:
    HOSTILE.zero_heap(copy)
    assert refusal_of(copy)


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "odd.h5")
    assert "is not a file" in refusal_of(tmp_path / "odd.h5")


def loop() -> None:
    while True:
        pass


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def test_a_reader_that_loops_or_crashes_is_one_sentence(copy: Path) -> None:
    began = time.monotonic()
    for read in (crash, loop):
        with pytest.raises(DamagedError, match=r"odd\.h5' is damaged: HDF5 crashed, or did not finish"):
            read_apart(copy, read)
    assert time.monotonic() - began < SECONDS


def test_a_reader_that_allocates_is_one_sentence(copy: Path) -> None:
    with pytest.raises(DamagedError, match=r"odd\.h5' is damaged"):
        read_apart(copy, lambda: np.ones(2**31))


def test_what_a_reader_changes_stays_apart(copy: Path) -> None:
    seen: list[int] = []
    read_apart(copy, lambda: seen.append(1))
    assert not seen


def test_a_lower_limit_of_the_shell_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root may raise a hard limit."""
    limits = {resource.RLIMIT_CPU: (4, 4), resource.RLIMIT_AS: (resource.RLIM_INFINITY, resource.RLIM_INFINITY)}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    lower(resource.RLIMIT_CPU, 9, 10)
    lower(resource.RLIMIT_AS, 100, 200)
    assert limits == {resource.RLIMIT_CPU: (4, 4), resource.RLIMIT_AS: (100, 200)}


CLOSED = """
import sys
from pathlib import Path
from breakeven_analysis import NotResultsError, open_results
from breakeven_analysis.record.replacing import check_results
try:
    open_results(sys.argv[1]).load()
    check_results(Path(sys.argv[1]))
except NotResultsError as error:
    Path(sys.argv[2]).write_text(str(error))
else:
    Path(sys.argv[2]).write_text("whole")
"""


@pytest.mark.parametrize("closed", [">&- 2>&-", "<&- >&- 2>&-", "2>&-", "<&- 2>&-"])
def test_a_whole_file_is_whole_without_standard_output(tmp_path: Path, closed: str) -> None:
    path = tmp_path / "mine.h5"
    create_file(str(path))
    words = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", CLOSED, str(path), str(tmp_path / "said")]
    subprocess.run(words, check=True, timeout=60)
    assert (tmp_path / "said").read_text() == "whole"


def test_no_name_in_a_file_commands_the_terminal(copy: Path, tmp_path: Path, timer: FakeTimer) -> None:
    with h5py.File(copy, "r+") as file:
        file["\x1b]0;pwn\x07\x1b[31m"] = h5py.SoftLink("/nowhere")
    said = refusal_of(copy)
    assert r"\x1b]0;pwn\x07\x1b[31m is a link" in said and said.isprintable(), said
    with pytest.raises(RecorderError) as raised:
        Recorder(**SETTINGS, output=copy)
    assert "is a link" in str(raised.value) and str(raised.value).isprintable()
    with pytest.raises(NotResultsError) as refused:
        open_results(Path(shutil.copyfile(copy, tmp_path / "\x1b[31m.h5")))
    assert str(refused.value).isprintable()
