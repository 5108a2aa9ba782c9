# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C under mpirun on a terminal, at every stage: one line that says what to type, and a file that this finishes, or none.

mpirun gives its ranks one second from SIGTERM on, so that what they say at once is all that a reader gets."""
import dataclasses
import os
import pathlib
import pty
import random
import re
import select
import shlex
import signal
import subprocess
import time

import program
import pytest
from held_ranks import finished_runs, rank_processes

INTERRUPTED = 6
BY_LAUNCHER = 1  # mpirun's code for its own SIGINT
# Other tests want ranks killed at once.
USERS_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "OMPI_MCA_odls_base_sigkill_timeout"}
# On one GPU, so that two ranks that share a core do not wait for each other.
PLAN = ["run", "--backend", "host", "--models", "64-32-8", "--batches", "16", "--warmup", "2", "--steps", "16000",
        "--repeats", "5", "--gpus", "1"]


@dataclasses.dataclass
class Pressed:
    code: int
    text: str

    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if line.startswith("breakeven: ")]


def read_until(terminal: int, condition, seconds: float) -> str:
    """What is printed until the condition on it holds."""
    text, end = "", time.monotonic() + seconds
    while not condition(text) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # nobody writes any more
                break
            if not part:
                break
            text += part.decode(errors="replace")
    return text


def press(command: list[str], condition, seconds: float = 60) -> Pressed:
    """Starts the command on a terminal of its own, and presses Ctrl-C when the condition on its text holds."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, USERS_ENVIRONMENT)
    text = read_until(terminal, condition, seconds)
    os.write(terminal, b"\x03")
    text += read_until(terminal, lambda _: False, seconds)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    return Pressed(code, text)


def typed(line: str) -> list[str]:
    """The printed command with the launcher and the program under test."""
    return shlex.split(line.replace("mpirun", os.environ["BREAKEVEN_MPIRUN"], 1)
                       .replace("breakeven r", f"{os.environ['BREAKEVEN']} r", 1))  # run or report


def check(pressed: Pressed, output: pathlib.Path) -> None:
    """One line; what it says to type is a command that the program accepts, with what is left of the file."""
    lines = pressed.lines()
    assert pressed.code in (BY_LAUNCHER, INTERRUPTED) and len(lines) == 1, pressed
    assert lines[0].startswith("breakeven: stopping. "), lines
    assert "is measured again" not in pressed.text, pressed.text
    command = lines[0].split(", run: ")[1]
    if "holds all runs" in lines[0]:
        assert subprocess.run(typed(command), capture_output=True, timeout=100, check=False).returncode == 0, lines
        return
    if output.exists():
        assert command.endswith(" --resume"), lines
    if "Nothing was measured" in lines[0]:
        assert not output.exists() and "--resume" not in command, lines
    done = subprocess.run(typed(command), capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0 and finished_runs(output) > 0, (command, done)


def start(output: pathlib.Path) -> list[str]:
    return program.command(2, *PLAN, "--output", str(output))


def catches_sigterm(pid: int) -> bool:
    caught = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8"), re.MULTILINE)
    return bool(int(caught[1], 16) >> (signal.SIGTERM - 1) & 1)


def ranks_are_there(output: pathlib.Path):
    """Before that, they cannot answer."""
    def are_there(_: str) -> bool:
        ranks = rank_processes(str(output))
        return len(ranks) == 2 and all(catches_sigterm(pid) for pid in ranks)
    return are_there


STAGES = {
    "starting": ranks_are_there,
    "measuring the machine": lambda _: lambda text: "measuring the machine" in text,
    "before the first run": lambda output: lambda _: output.exists(),
    "in the runs": lambda output: lambda _: finished_runs(output) > 3,
}


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_says_how_to_go_on(tmp_path: pathlib.Path, stage: str) -> None:
    output = tmp_path / "mine.h5"
    check(press(start(output), STAGES[stage](output)), output)


def test_ctrl_c_at_any_moment(tmp_path: pathlib.Path) -> None:
    dice = random.Random(5)
    for trial in range(int(os.environ.get("BREAKEVEN_TRIALS", "1")) * 2):
        output = tmp_path / f"{trial}.h5"
        press_at = dice.uniform(0, 5)
        began: list[float] = []

        def is_time(_: str, output=output, press_at=press_at, began=began) -> bool:
            if not began and ranks_are_there(output)(""):
                began.append(time.monotonic() + press_at)
            return bool(began) and time.monotonic() > began[0]

        pressed = press(start(output), is_time)
        if pressed.code != 0:  # else it had ended before
            check(pressed, output)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_process_is_interrupted_before_the_runs(tmp_path: pathlib.Path, number: signal.Signals) -> None:
    output = tmp_path / "mine.h5"
    job = subprocess.Popen([os.environ["BREAKEVEN"], *PLAN, "--settle", "0", "--output", str(output)], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    said = ""
    while "measuring the machine" not in said:
        said += job.stderr.readline()
    job.send_signal(number)
    _, error = job.communicate(timeout=60)
    lines = re.findall(r"^breakeven: .*", error, re.MULTILINE)
    assert job.returncode == INTERRUPTED and len(lines) == 1 and not output.exists(), (job.returncode, error)
    again = " ".join([*PLAN, "--settle", "0", "--output", str(output)])
    assert lines[0] == f"breakeven: stopping. Nothing was measured. To start again, run: breakeven {again}", lines
