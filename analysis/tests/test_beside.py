# SPDX-License-Identifier: Apache-2.0
"""What a killed process was writing is removed by the next one, and nothing else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loops import SHORT, FakeTimer, label, train

from breakeven_analysis.beside import publish

# Writes the file, and does `then` when all but its name is there.
WRITES = """
import os, sys, time
from pathlib import Path
from breakeven_analysis.beside import publish
os.fsync = lambda _: {then}
publish(b"new", Path(sys.argv[1]), 0o644)
"""


def writer(output: Path, then: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", WRITES.format(then=then), str(output)])


def partials(output: Path) -> list[Path]:
    return sorted(path for path in output.parent.iterdir() if path.name.endswith(".partial"))


@pytest.mark.parametrize("name", ["mine.h5", "[a]*.h5", "\udce9" * 200 + ".h5", "n" * 252 + ".h5"])
def test_the_next_one_removes_what_a_killed_one_left(tmp_path: Path, name: str) -> None:
    output = tmp_path / name
    killed = writer(output, "os.kill(os.getpid(), 9)")
    assert killed.wait(60) == -signal.SIGKILL and len(partials(output)) == 1 and not output.exists()
    publish(b"next", output, 0o644)
    assert list(tmp_path.iterdir()) == [output] and output.read_bytes() == b"next"


def test_what_a_living_process_writes_stays(tmp_path: Path) -> None:
    output = tmp_path / "mine.h5"
    living = writer(output, "open(sys.argv[1] + '.here', 'w').close() or time.sleep(1000)")
    while not (tmp_path / "mine.h5.here").exists():
        time.sleep(0.01)
    publish(b"next", output, 0o644)
    assert len(partials(output)) == 1 and living.poll() is None
    living.kill()
    living.wait()
    publish(b"next", output, 0o644)
    assert not partials(output)


def test_a_recorder_removes_what_the_program_left_and_no_file_of_its_user(timer: FakeTimer, output: Path) -> None:
    left = output.with_name("mine.h5.breakeven-Ab12Cd.partial")
    own = [
        output.with_name(f"mine.h5.{name}.partial") for name in ("backup", "Ab12Cd", "breakeven-", "breakeven-of-me")
    ]
    own += [output.with_name(name) for name in ("yours.h5.breakeven-Ab12Cd.partial", "mine.h5.breakeven-Ab12Cd.part")]
    for path in (left, *own):
        path.touch()
    os.mkfifo(output.with_name("mine.h5.breakeven-Fifo12.partial"))  # nobody waits for its other end
    train(timer, output, lambda _: 0.01, **SHORT)
    assert label(output, "status") == 2 and not left.exists() and set(own) <= set(output.parent.iterdir())


def test_writers_at_once_lose_no_file(tmp_path: Path) -> None:
    output = tmp_path / "mine.h5"
    many = "for _ in range(300): publish(b'new', Path(sys.argv[1]), 0o644)"
    program = f"import sys\nfrom pathlib import Path\nfrom breakeven_analysis.beside import publish\n{many}"
    writers = [subprocess.Popen([sys.executable, "-c", program, str(output)]) for _ in range(3)]
    assert [one.wait(120) for one in writers] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == [output]
