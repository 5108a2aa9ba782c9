# SPDX-License-Identifier: Apache-2.0
"""A job of the program held in the middle of its runs, however fast the machine is, until it has been asked to stop."""
import os
import pathlib
import re
import signal
import time

import h5py


def rank_processes(output: str) -> list[int]:
    """The program's own processes by the name of their results file, without the launcher."""
    pids = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/breakeven") and output.encode() in words:
            pids.append(int(entry.parent.name))
    return pids


def finished_runs(file: pathlib.Path) -> int:
    """Opened and closed at once, as a look from outside while the job goes on."""
    try:
        with h5py.File(file, locking=False) as content:
            return int((content["status"][...] > 0).sum())
    except (OSError, KeyError):
        return 0


def wait_for(condition, what: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no {what} after {seconds} s"
        time.sleep(0.2)


def hold(ranks: int, output: str, folder: pathlib.Path, runs: int, seconds: float = 100) -> list[int]:
    """The ranks that write folder/output, standing still once so many runs are finished."""
    wait_for(lambda: finished_runs(folder / output) >= runs, f"{runs} runs in {output}", seconds)
    pids = rank_processes(output)
    assert len(pids) == ranks, pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    # Until then a signal that comes later may be handled before the stop.
    wait_for(lambda: all(field_of(pid, "State").startswith("T") for pid in pids), "ranks that stand still", seconds)
    return pids


def field_of(pid: int, name: str) -> str:
    """Of the system's account of a process."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return re.search(rf"^{name}:\s*(\S+)", status, re.MULTILINE)[1]


def has_pending(pid: int, number: signal.Signals) -> bool:
    return bool(int(field_of(pid, "ShdPnd"), 16) >> (number - 1) & 1)


def release_when_asked(pids: list[int], seconds: float = 60) -> None:
    """The ranks go on once each of them has been sent USR1, the signal to stop; and where it does not come, too."""
    try:
        wait_for(lambda: all(has_pending(pid, signal.SIGUSR1) for pid in pids), "USR1 sent to the ranks", seconds)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
