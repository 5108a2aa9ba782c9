# SPDX-License-Identifier: Apache-2.0
"""A results file under test, and the programs that write and check it by a formula. CTest names them in the environment."""
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile

FORMULA_RUNS = os.environ["FORMULA_RUNS"]
UNGUARDED_RUNS = os.environ["UNGUARDED_RUNS"]
MPIRUN = shlex.split(os.environ["BREAKEVEN_MPIRUN"])
FILE_FAILURE = 5  # ExitCode::file
SECONDS = 250


def run(command, **options) -> subprocess.CompletedProcess:
    """Output and errors are one text. A command that hangs fails the test."""
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, **options)


def mpirun(ranks: int, *arguments, program=FORMULA_RUNS, flags=()) -> subprocess.CompletedProcess:
    return run([*MPIRUN, "-np", ranks, *flags, program, *arguments])


def check(*paths) -> str:
    """The output of formula_runs for these files, which must all follow their formula."""
    done = run([FORMULA_RUNS, "check", *paths])
    assert done.returncode == 0, done.stdout
    return done.stdout


def check_refused(done: subprocess.CompletedProcess, *words: str) -> None:
    """Checks that it failed with one line that contains the words."""
    assert done.returncode != 0, done.stdout
    lines = [line for line in done.stdout.splitlines() if words[0] in line]
    assert len(lines) == 1, done.stdout
    for word in words:
        assert word in lines[0]


def while_stopped(pids, look):
    """The result of `look` while the processes are stopped."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        return look()
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


class ResultsFile:
    def __init__(self, path: pathlib.Path):
        self.path = path

    def beside(self, name) -> "ResultsFile":
        """Another file in the same folder."""
        return ResultsFile(self.path.with_name(f"{self.path.name}.{name}"))

    def try_to_write(self, ranks: int, mode: str, *arguments) -> subprocess.CompletedProcess:
        return mpirun(ranks, mode, self.path, *arguments)

    def write(self, ranks: int, mode: str, seed: int, runs: int, steps: int) -> None:
        done = self.try_to_write(ranks, mode, seed, runs, steps)
        assert done.returncode == 0, done.stdout

    def start(self, ranks: int, mode: str, *arguments, stderr=subprocess.STDOUT) -> subprocess.Popen:
        command = [*MPIRUN, "-np", ranks, FORMULA_RUNS, mode, self.path, *arguments]
        own_folder = {**os.environ, "TMPDIR": tempfile.mkdtemp()}  # of Open MPI, beside another job
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=stderr, text=True, env=own_folder)

    def check(self) -> str:
        return check(self.path)

    def try_to_check(self) -> subprocess.CompletedProcess:
        return run([FORMULA_RUNS, "check", self.path])

    def check_fails(self, *words: str) -> None:
        check_refused(self.try_to_check(), *words)
