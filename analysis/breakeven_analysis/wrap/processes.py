# SPDX-License-Identifier: Apache-2.0
"""Runs a program and ends everything that it started, also what left its process group or ignores SIGTERM."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from breakeven_analysis.record.own_files import open_own

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
GRACE_SECONDS = 5.0
GIVE_UP_SECONDS = 30.0  # a process that waits for a dead file system cannot be killed
SHORTEST_PAUSE, SHARE_PAUSED = 0.5, 0.05  # between looks at the output: this share of the time so far
MOST_LOG_BYTES = 2**30  # a program that prints more would fill the disk
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Ended:
    code: int | None  # None: it was stopped
    seconds: float
    had_enough: bool = False  # it was stopped because it had printed enough
    log_bytes: int = 0  # that it had printed then, or when it ended
    was_suspended: bool = False  # this process, which times it

    @property
    def is_late(self) -> bool:
        return self.code is None and not self.had_enough

    @property
    def problem(self) -> str:
        """ "" for a program that ended well."""
        if self.had_enough:
            return ""
        if self.log_bytes > MOST_LOG_BYTES:
            return "it was stopped, because it had printed over 1 GiB"
        if self.code is None:
            return f"it was stopped after {self.seconds:.0f} s (--timeout)"
        if self.code < 0:
            known = {number.value: number.name for number in signal.Signals}
            return f"it was killed by {known.get(-self.code, f'signal {-self.code}')}"
        return f"exit code {self.code}" if self.code else ""


class Runner:
    """Orphans of this process's descendants become its children, so that none escapes. `grace` seconds lie between
    SIGTERM and SIGKILL."""

    def __init__(self, grace: float = GRACE_SECONDS) -> None:
        self.grace = grace
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.others = descendants()  # of whatever became this program
        self.suspensions = 0
        signal.signal(signal.SIGCONT, self.count_suspension)

    def count_suspension(self, *_: object) -> None:
        self.suspensions += 1

    def run(
        self,
        command: list[str],
        environment: dict[str, str],
        log: Path,
        timeout: float,
        has_enough: Callable[[float], bool] | None = None,
    ) -> Ended:
        """Output and errors go to the log. `has_enough` looks at the log, and knows the seconds that the program has
        run. Raises OSError if the command cannot be started."""
        began, suspensions = time.monotonic(), self.suspensions
        with open_own(log, "wb") as stream:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    start_new_session=True,
                    preexec_fn=end_with_parent,
                )
                had_enough = wait(process, began, timeout, log, has_enough)
                seconds, was_suspended = time.monotonic() - began, self.suspensions > suspensions
                return Ended(process.returncode, seconds, had_enough, log.stat().st_size, was_suspended)
            finally:
                self.stop_all()

    def stop_all(self) -> None:
        """Every descendant. New ones may appear meanwhile, so that it looks again until there is none."""
        began = time.monotonic()
        asked: set[int] = set()
        while True:
            left = descendants() - self.others
            waited = time.monotonic() - began
            if not left or waited > self.grace + GIVE_UP_SECONDS:
                return
            for process in left:
                if waited > self.grace:
                    send(process, signal.SIGKILL)
                elif process not in asked:
                    send(process, signal.SIGTERM)
                    send(process, signal.SIGCONT)  # a stopped process takes no signal
                    asked.add(process)
            reap(left)
            time.sleep(0.02)


def wait(
    process: "subprocess.Popen[bytes]",
    began: float,
    timeout: float,
    log: Path,
    has_enough: Callable[[float], bool] | None,
) -> bool:
    """Until the program ends, its time is up, it prints too much, or it has enough; says whether it was that."""
    while True:
        passed = time.monotonic() - began
        if passed >= timeout:
            return False
        pause = timeout if has_enough is None else max(SHORTEST_PAUSE, SHARE_PAUSED * passed)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(pause, timeout - passed))
            return False
        if has_enough is not None:
            if log.stat().st_size > MOST_LOG_BYTES:
                return False
            if has_enough(time.monotonic() - began):
                return True


def end_with_parent() -> None:
    """In the child: ends it where this program is killed in a way that it cannot answer."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def send(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def reap(processes: set[int]) -> None:
    """Reaps children that have ended."""
    for process in processes:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def descendants() -> set[int]:
    """The descendants of this process, by /proc."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            text = path.read_text(encoding="utf-8", errors="replace")
            parent = int(text.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    found: set[int] = set()
    open_ones = [os.getpid()]
    while open_ones:
        for child in children.get(open_ones.pop(), []):
            found.add(child)
            open_ones.append(child)
    return found
