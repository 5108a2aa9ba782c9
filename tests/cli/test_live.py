# SPDX-License-Identifier: Apache-2.0
"""The status of `run`: lines that are replaced on a terminal, plain lines in a log."""
import fcntl
import os
import pathlib
import pty
import re
import struct
import termios

import program
import pytest

RANKS, RUNS, COLUMNS, ROWS = 2, 12, 48, 30
OPTIONS = ["run", "--backend", "host", "--models", "37-31-5", "--batches", "24", "--gpus", "all", "--strategies",
           "single,ddp", "--warmup", "3", "--steps", "20", "--repeats", str(RUNS // 4), "--samples", "240"]
ESCAPES = re.compile(r"\x1b\[[0-9]*[A-Z]")


def on_terminal(command: list[str]) -> str:
    """The output on a terminal of COLUMNS by ROWS, which is the command's standard error alone or all three streams."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execvp(command[0], command)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux raises this when the other end is closed
            break
        if not piece:
            break
        text += piece
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    shown = text.decode()
    assert os.waitstatus_to_exitcode(status) == 0, shown
    return shown


class Screen:
    """The lines that a terminal without a height limit shows."""

    def __init__(self) -> None:
        self.lines, self.row, self.column, self.widest = [""], 0, 0, 0

    def feed(self, text: str) -> None:
        while text:
            escape = ESCAPES.match(text)
            if escape:
                self.escape(escape.group())
                text = text[escape.end():]
            else:
                self.put(text[0])
                text = text[1:]

    def escape(self, sequence: str) -> None:
        if sequence.endswith("A"):
            self.row -= int(sequence[2:-1])
            assert self.row >= 0, "above the first line"
        elif sequence == "\x1b[J":
            self.lines = [*self.lines[:self.row], self.lines[self.row][:self.column]]
        else:
            raise AssertionError(f"a control sequence that no line needs: {sequence!r}")

    def put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            while len(self.lines) <= self.row:
                self.lines.append("")
        else:
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1
            self.widest = max(self.widest, self.column)


@pytest.fixture(scope="module")
def shown(folder: pathlib.Path) -> str:
    return on_terminal(program.command(RANKS, *OPTIONS, "--output", str(folder / "terminal.h5")))


def test_every_run_is_shown(shown: str) -> None:
    for run in range(1, RUNS + 1):
        assert f"run {run} of {RUNS}" in shown, (run, shown)


def test_a_line_has_step_time_exchange_and_time_left(shown: str) -> None:
    assert shown.index("measuring the machine") < shown.index("run 1 of") < shown.index("first run of this case"), shown
    assert re.search(r"per step \(last \d runs\)", shown), shown
    assert re.search(r"exchange [0-9.]+ %", shown), shown
    assert re.search(r"run 12 of 12, [0-9.]+ s left", shown), shown


def test_lines_are_cut_to_the_terminal_and_replaced(shown: str) -> None:
    assert "…" in shown, "the labels are longer than the terminal is wide"
    screen = Screen()
    screen.feed(shown)
    assert screen.widest <= COLUMNS, screen.widest
    left = [line.rstrip() for line in screen.lines if line.strip()]
    assert left[0].startswith("expected time: ") and left[1].endswith("4 cases"), left
    assert left[2].startswith(f"{RUNS} runs in ") and left[3].startswith("results: "), left
    assert left[4].startswith("Processor cores, no answer about GPUs: "), left  # the verdict, in lines of its own


def test_a_log_has_plain_lines(tmp_path: pathlib.Path) -> None:
    done = program.run_well(RANKS, *OPTIONS, "--output", str(tmp_path / "log.h5"))
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", done.stderr), done.stderr
    lines = done.stderr.splitlines()
    assert lines.pop(0).startswith("expected time: "), lines
    assert lines[0] == "measuring the machine before the first run: links, roofline, communication", lines
    assert lines[1].startswith(f"run 1 of {RUNS}: 37-31-5 b24"), lines
    assert lines[-1].startswith(f"{RUNS} runs in "), lines
    assert len(lines) < RUNS, lines  # one in ten seconds


def test_redirected_errors_are_a_log(tmp_path: pathlib.Path) -> None:
    """Even if the job was started from a terminal."""
    command = program.command(RANKS, *OPTIONS, "--output", str(tmp_path / "redirected.h5"))
    log = tmp_path / "stderr"
    on_terminal(["sh", "-c", 'log=$1; shift; exec "$@" 2> "$log"', "sh", str(log), *command])
    text = log.read_text(encoding="utf-8")
    assert f"run 1 of {RUNS}" in text and "\x1b" not in text, text


def test_make_run_prints_few_lines_beside_the_answer(tmp_path: pathlib.Path) -> None:
    """A line for each of its stages, and these of jobs/measure."""
    root = pathlib.Path(__file__).parents[2]
    stages = len(re.findall(r"^\t@\$\(STAGE\)", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    suite = tmp_path / "small.ini"
    words = [*OPTIONS[3:], "--settle", "0"]  # --models and what follows
    suite.write_text("".join(f"{name[2:]} = {value}\n" for name, value in zip(words[::2], words[1::2], strict=True)))
    launch = program.command(RANKS)
    shown = on_terminal(["env", f"RESULTS={tmp_path}/mine", root / "jobs" / "measure", suite, os.environ["BREAKEVEN"],
                         *launch[:launch.index(os.environ["BREAKEVEN"])]])
    screen = Screen()
    screen.feed(shown)
    last = [at for at, line in enumerate(screen.lines) if "All sections: " in line][-1]
    said = "\n".join(screen.lines)
    assert "no answer about GPUs" in said and "no answer about GPUs" not in "\n".join(screen.lines[:last + 1]), shown
    assert stages > 3 and stages + last + 1 <= 25, (stages, screen.lines[:last + 1])
