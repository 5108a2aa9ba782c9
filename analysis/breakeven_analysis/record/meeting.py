# SPDX-License-Identifier: Apache-2.0
"""How the ranks of a program agree without a communication library: each appends lines to a file of its own in a folder
that all see, and rank 0 answers in its file. Used between measured stretches, never within one."""

import contextlib
import fcntl
import json
import os
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.own_files import open_own
from breakeven_analysis.record.ranks import Rank

Message: TypeAlias = dict[str, Any]
PATIENCE_SECONDS = 600.0
SILENT_SECONDS = 10.0  # of waiting, until it is told
SHORTEST_WAIT, LONGEST_WAIT = 0.001, 0.05
GONE = "gone"  # key of what stands for the message of a rank that will send no more


class HeldFile:
    """A file that its process holds a lock on for as long as it lives."""

    def __init__(self, path: Path, lock: int = fcntl.LOCK_SH) -> None:
        self.path = path
        self.stream = self.open()
        fcntl.flock(self.stream, lock)

    def open(self) -> TextIO:
        while True:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                return open_own(self.path, "w+")  # network file systems lock what may be read and written
            except FileNotFoundError:
                continue  # another start of the program has removed the folder, which was empty

    def append(self, message: Message) -> None:
        """Where the disk is full, nothing is left of the file."""
        try:
            self.stream.write(json.dumps(message) + "\n")
            self.stream.flush()
            os.fsync(self.stream.fileno())
        except OSError:
            self.discard()
            raise

    def restart(self, message: Message) -> None:
        self.stream.seek(0)
        self.stream.truncate()
        self.append(message)

    def close(self) -> None:
        self.stream.close()

    def discard(self) -> None:
        with contextlib.suppress(OSError):  # its buffer cannot be written either
            self.stream.close()
        self.path.unlink(missing_ok=True)


def is_held(path: Path) -> bool:
    """Whether the process that made the file still runs."""
    try:
        with open_own(path, "r+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return False
    except OSError:
        return True


def lines_of(path: Path) -> list[Message]:
    """The complete lines. A file is opened anew each time, so that a network file system fetches it."""
    try:
        with open_own(path, "r") as stream:
            text = stream.read()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


class Meeting:
    """`token` names this start of the program, the same on all ranks and never used before."""

    def __init__(self, folder: Path, rank: Rank, sequence: int, patience: float = PATIENCE_SECONDS) -> None:
        self.rank = rank
        self.patience = patience
        self.nonce = secrets.token_hex(8)
        self.token = self.nonce
        self.turn = 0
        self.paths = [folder / f"{rank.start}-{sequence}.rank-{other}.mail" for other in range(rank.ranks)]
        if rank.ranks == 1:
            return
        self.own = HeldFile(self.paths[rank.rank])
        self.token = self.greet_all() if rank.rank == 0 else self.greet_first()

    # An earlier start may have left files of the same names. So a greeting counts only if it repeats the random number
    # of this start, and ranks read each other's numbers before anything else.

    def greet_all(self) -> str:
        self.own.append({"nonce": self.nonce})

        def greetings() -> list[str] | None:
            found = [(lines_of(path) or [{}])[0] for path in self.paths[1:]]
            if not all(one.get("to") == self.nonce for one in found):
                return None
            return [self.nonce, *(one["nonce"] for one in found)]

        nonces = self.wait_for(greetings, "the other ranks to start", lambda: None)
        self.own.append({"start": nonces})
        return self.nonce

    def greet_first(self) -> str:
        greeted = ""

        def start() -> str | None:
            nonlocal greeted
            lines = lines_of(self.paths[0])
            first = lines[0]["nonce"] if lines else ""
            if first and first != greeted:
                greeted = first
                self.own.restart({"nonce": self.nonce, "to": first})
            nonces = lines[1]["start"] if len(lines) > 1 else []
            return first if self.nonce in nonces else None

        return self.wait_for(start, "rank 0 to start", lambda: None)

    def gather(self, message: Message) -> list[Message]:
        """Every rank's message, on every rank. That of a rank that closed or died is {"gone": why}."""
        self.turn += 1
        if self.rank.ranks == 1:
            return [message]
        if self.rank.rank != 0:
            self.own.append(message)
            why = {GONE: "rank 0 ended"}
            return self.wait_for(self.answer_of_first, "rank 0", lambda: None if is_held(self.paths[0]) else [why])
        messages = [message, *(self.message_of(other) for other in range(1, self.rank.ranks))]
        self.own.append({"turn": self.turn, "all": messages})
        return messages

    def answer_of_first(self) -> list[Message] | None:
        for line in lines_of(self.paths[0]):
            if line.get("turn") == self.turn:
                return list(line["all"])
            if GONE in line:
                return [line]
        return None

    def message_of(self, other: int) -> Message:
        def line() -> Message | None:
            lines = lines_of(self.paths[other])[1:]
            if len(lines) >= self.turn:
                return lines[self.turn - 1]
            return lines[-1] if lines and GONE in lines[-1] else None

        gone = {GONE: f"rank {other} ended without closing its recorder"}
        return self.wait_for(line, f"rank {other}", lambda: None if is_held(self.paths[other]) else gone)

    def leave(self, why: str) -> None:
        """Tells the others that this rank sends no more messages."""
        if self.rank.ranks > 1 and not self.own.stream.closed:
            self.own.append({GONE: why})
            self.own.close()

    def abandon(self) -> None:
        """Of a rank that cannot begin. The others find that it ended."""
        if self.rank.ranks > 1:
            self.own.discard()

    def remove(self) -> None:
        for path in self.paths if self.rank.ranks > 1 else []:
            path.unlink(missing_ok=True)

    def wait_for(self, look: Callable[[], Any], whom: str, otherwise: Callable[[], Any]) -> Any:
        """What `look` finds; once a second `otherwise` may find that nobody is left to wait for."""
        began = asked = time.monotonic()
        is_told = False
        pause = SHORTEST_WAIT
        while True:
            found = look()
            if found is not None:
                return found
            now = time.monotonic()
            if now - asked >= 1:
                asked = now
                found = look() or otherwise()  # it may have sent its last words meanwhile
                if found is not None:
                    return found
            if now - began > SILENT_SECONDS and not is_told:
                is_told = True
                print(
                    f"breakeven: rank {self.rank.rank} of {self.rank.ranks} waits for {whom}. All ranks must make a "
                    "Recorder, and the same steps",
                    file=sys.stderr,
                )
            if now - began > self.patience:
                raise RecorderError(
                    f"Rank {self.rank.rank} of {self.rank.ranks} waited {self.patience:.0f} s for {whom}. All ranks "
                    f"must make a Recorder with the same output, in a folder that all of them see: "
                    f"{self.paths[0].parent}"
                )
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_WAIT)
