# SPDX-License-Identifier: Apache-2.0
"""Launches to which a test does harm at a chosen stage, and what is left of them when they have ended.

They train on the device that BREAKEVEN_TEST_DEVICE names: the host, or GPUs, whose memory must then be free again."""
import dataclasses
import functools
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import time

import program
from held_ranks import finished_runs

RANKS = 2
SHARED_MEMORY = pathlib.Path("/dev/shm")
ON_GPUS = os.environ.get("BREAKEVEN_TEST_DEVICE") == "cuda"
TIME_LIMIT = 15 if ON_GPUS else 6  # --timeout, in seconds; to start, MPI alone takes one on a busy machine, GPUs take several
GRACE = 8  # for the watchdog to compare ranks, and for the launcher to end
FREED_SECONDS = 10 if ON_GPUS else 3  # the driver frees a dead process's memory a little later
MOST_KEPT_MIB = 64  # of a GPU; a process that is still there keeps several times as much


@dataclasses.dataclass
class Ended:
    """How a harmed launch ended."""
    victim: int  # rank
    code: int
    seconds: float  # from the fault to the launcher's end
    stderr: str
    before: int  # finished runs in the file at the fault
    after: int
    left: list[str]  # processes, shared memory, folders and files that are still there

    @property
    def lost(self) -> int:
        return max(0, self.before - self.after)


class Job:
    def __init__(self, folder: pathlib.Path, *options: str, repeats: int = 4, steps: int = 100, time_limit: int = TIME_LIMIT,
                 environment: dict | None = None) -> None:
        device = device_options()
        self.there_before = set(SHARED_MEMORY.iterdir())  # job numbers come again
        self.gpu_mib = watched_gpu_mib()
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.output = self.folder / "results.h5"
        self.out, self.err = (open(self.folder / name, "w+", encoding="utf-8") for name in ("out", "err"))
        self.process = subprocess.Popen(
            program.command(RANKS, "run", *device, "--models", "64-32-8", "--batches", "16", "--warmup", "2",
                            "--steps", str(steps), "--repeats", str(repeats), "--strategies", "ddp", "--timeout",
                            str(time_limit), "--output", str(self.output), *options),
            stdout=self.out, stderr=self.err, text=True, env={**os.environ, **(environment or {})})
        self.known: set[int] = set()
        self.segments = ""  # pattern of the shared memory's names

    def said(self, words: str) -> bool:
        return any(words in (self.folder / name).read_text() for name in ("out", "err"))

    def ranks(self) -> list[int]:
        """The processes of the ranks, by rank. The launcher starts them in this order."""
        found = [pid for pid in children(self.process.pid) if runs_the_program(pid)]
        for pid in found:
            self.known.update([pid, *children(pid)])
            self.segments = self.segments or segments_of(pid)
        return sorted(found)

    def wait_until(self, condition, seconds: float = 240) -> bool:
        """Whether it came true before the launch ended."""
        deadline = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None:
                return False
            assert time.monotonic() < deadline, self.texts()
            time.sleep(0.02)
        return True

    def texts(self) -> str:
        return (self.folder / "out").read_text() + (self.folder / "err").read_text()

    def harm(self, number: signal.Signals, victim: int) -> Ended | None:
        """Sends the signal to one rank and waits for the end. None if the rank had ended already."""
        ranks = self.ranks()
        if len(ranks) != RANKS:
            return None
        before = finished_runs(self.output)
        self.ranks()
        try:
            os.kill(ranks[victim], number)
        except ProcessLookupError:
            return None
        return self.end(victim, before)

    def assert_ended_well(self) -> None:
        """The launch that the fault came too late for: it must not have failed by itself."""
        code = self.process.wait(timeout=60)
        assert code == 0, (code, self.texts())

    def end(self, victim: int, before: int) -> Ended:
        began = time.monotonic()
        try:
            code = self.process.wait(timeout=TIME_LIMIT + GRACE + 20)
        except subprocess.TimeoutExpired:
            for pid in [self.process.pid, *self.known]:
                kill_if_there(pid)
            code = None
        seconds = time.monotonic() - began
        stderr = (self.folder / "err").read_text()
        return Ended(victim, code, seconds, stderr, before, finished_runs(self.output), self.leftovers())

    def leftovers(self, seconds: float = FREED_SECONDS) -> list[str]:
        """What is still there so many seconds after the launcher has ended; normally nothing from the beginning."""
        deadline = time.monotonic() + seconds
        while (left := self.leftovers_now()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left

    def leftovers_now(self) -> list[str]:
        left = [f"process {pid}" for pid in self.known if runs_the_program(pid)]
        family = f"/pid.{self.process.pid}"
        left += [str(path) for path in pathlib.Path(tempfile.gettempdir()).glob("ompi.*/pid.*") if str(path).endswith(family)]
        left += [str(path) for path in SHARED_MEMORY.glob(self.segments or "none") if path not in self.there_before]
        left += [f"{after - before} MiB of GPU {gpu}" for gpu, (before, after) in
                 enumerate(zip(self.gpu_mib, watched_gpu_mib(), strict=True)) if after - before > MOST_KEPT_MIB]
        # A file that was being created stays: --resume may find runs in it.
        return left + [str(path) for path in self.folder.iterdir()
                       if path.name not in ("out", "err", "results.h5") and path.suffix != ".partial"]


@functools.cache
def device_options() -> list[str]:
    return program.device_options(RANKS)


def watched_gpu_mib() -> list[int]:
    """Of each GPU, if the launches train on GPUs."""
    return used_gpu_mib() if ON_GPUS else []


def used_gpu_mib() -> list[int]:
    words = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    if visible := os.environ.get("CUDA_VISIBLE_DEVICES"):
        words.append(f"--id={visible}")
    return [int(line) for line in subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()]


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def runs_the_program(pid: int) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/exe") == os.path.realpath(os.environ["BREAKEVEN"])
    except OSError:
        return False


def kill_if_there(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def segments_of(pid: int) -> str:
    """Open MPI names shared memory by the launch's number."""
    try:
        found = re.search(rb"PMIX_NAMESPACE=(\d+)", pathlib.Path(f"/proc/{pid}/environ").read_bytes())
    except OSError:
        return ""
    return f"vader_segment.*.{int(found[1]):x}.*" if found else ""


@dataclasses.dataclass(frozen=True)
class Stage:
    """Where a rank stops: at a call (stall.c), or at a random moment of so many seconds after the start."""
    call: str = ""
    skipped: int = 0
    after: bool = False
    rank: int | None = None  # None: any
    seconds: float = 0

    def environment(self, how: str, rank: int, library: pathlib.Path) -> dict[str, str]:
        if not self.call:
            return {}
        after = {"STALL_AFTER": "1"} if self.after else {}
        return {"LD_PRELOAD": str(library), "STALL_CALL": self.call, "STALL_SKIP": str(self.skipped), "STALL_HOW": how,
                "STALL_RANK": str(rank), **after}


STAGES = {
    "before MPI_Init": Stage("MPI_Init_thread"),
    "after MPI_Init": Stage("MPI_Init_thread", after=True),
    "any moment": Stage(seconds=4),
    "opening the file": Stage("MPI_File_open"),
    "measuring": Stage("pwrite", skipped=20),
    "closing the file": Stage("MPI_File_close"),
    "marking runs verified": Stage("MPI_File_open", skipped=1),
    "flushing the file": Stage("fsync", skipped=1, rank=0),
    "before MPI_Finalize": Stage("MPI_Finalize"),
    "after MPI_Finalize": Stage("MPI_Finalize", after=True),
}
SIGNALS = {"stopped": signal.SIGSTOP, "killed": signal.SIGKILL}


def harmed(folder: pathlib.Path, library: pathlib.Path, name: str, how: str, dice: random.Random) -> Ended:
    """One launch of which a rank was harmed at the stage."""
    stage = STAGES[name]
    for _ in range(20):  # on a busy machine, a launch may be too slow or too fast for the fault
        rank = dice.randrange(RANKS) if stage.rank is None else stage.rank
        job = Job(folder, environment=stage.environment(how, rank, library))
        if stage.call:
            if job.wait_until(lambda job=job: job.ranks() is not None and job.said("stalled")):
                return job.end(rank, finished_runs(job.output))
            job.assert_ended_well()
            continue
        job.wait_until(lambda job=job: len(job.ranks()) == RANKS)
        time.sleep(dice.uniform(0, stage.seconds))
        ended = job.harm(SIGNALS[how], rank)
        if ended is not None:
            return ended
        job.assert_ended_well()
    raise AssertionError(f"20 launches ended before they could be {how} at '{name}': {job.texts()}")
