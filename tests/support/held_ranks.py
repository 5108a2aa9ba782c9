# SPDX-License-Identifier: Apache-2.0
"""Stops a job in the middle of its runs, however fast the machine is, until the job is asked to end."""
import os
import pathlib
import re
import signal
import time

import h5py


def rank_processes(output: str) -> list[int]:
    """The program's processes with this results file, without the launcher."""
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
    """Opens and closes the file while the job runs."""
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
    """Stops the ranks that write folder/output once so many runs are finished."""
    wait_for(lambda: finished_runs(folder / output) >= runs, f"{runs} runs in {output}", seconds)
    pids = rank_processes(output)
    assert len(pids) == ranks, pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    # A later signal may otherwise be handled before the stop.
    wait_for(lambda: all(field_of(pid, "State").startswith("T") for pid in pids), "stopped ranks", seconds)
    return pids


def field_of(pid: int, name: str) -> str:
    """A field of /proc/PID/status."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return re.search(rf"^{name}:\s*(\S+)", status, re.MULTILINE)[1]


def has_pending(pid: int, number: signal.Signals) -> bool:
    return bool(int(field_of(pid, "ShdPnd"), 16) >> (number - 1) & 1)


def release_when_asked(pids: list[int], seconds: float = 60) -> None:
    """Continues the ranks once each has received USR1, the signal to end; also if it never comes."""
    try:
        wait_for(lambda: all(has_pending(pid, signal.SIGUSR1) for pid in pids), "USR1 sent to the ranks", seconds)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
