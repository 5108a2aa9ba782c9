# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap` of programs that fail, hang, do not end, or are interrupted: it names them, and loses nothing."""
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

import h5py
import program
import pytest
from wrapping import FAILED, FILE, INTERRUPTED, PYTHON, STEP, TRAINER, USAGE, lives, report, runs_by_launch, script, start, wrap


def test_a_failed_run_is_named_and_resume_repeats_it_alone(tmp_path: pathlib.Path) -> None:
    """Batch 64 fails in the first launch only; its runs of the second launch stay there."""
    fails = TRAINER + ("import os\nif batch == '64' and not os.path.exists(ranks):\n"
                       "    open(ranks, 'w'); print('out of \\x1b[2J memory'); sys.exit(7)\n")
    words = ["--gpus", "1,2", "--batches", "32,64", "--step-seconds", STEP, "--", *script(tmp_path, fails)]
    done = wrap(tmp_path, "--launches", "2", *words, code=FAILED)
    assert "6 of 8 runs measured" in done.stdout and "failed" not in done.stdout
    assert done.stderr.count("(launch 1 of 2, batch 64") == 2 and "2 of 8 runs failed. To repeat only these: " in done.stderr
    assert re.search(r"batch 64, 2 GPUs\): failed: exit code 7 \(out of \\x1b\[2J memory\).*\. Log: \S+$", done.stderr, re.MULTILINE)
    for log in re.findall(r"Log: (\S+)$", done.stderr, re.MULTILINE):
        assert "out of" in pathlib.Path(log).read_text() and "batch-64" in log
    assert runs_by_launch(tmp_path) == [2, 4]
    assert "Missing runs" in program.said("report", str(tmp_path / "mine.h5"))
    assert report(tmp_path)["runs"] | {"not_done": []} == {"planned": 8, "done": 6, "verified": 6, "left_out": 0, "not_done": []}
    program.check_refusal(wrap(tmp_path, *words, code=USAGE), USAGE, "exists. Pass --resume")
    dry = wrap(tmp_path, "--resume", "--dry-run", "--launches", "2", *words).stdout
    assert dry.count("train.py") == 2 == dry.count(" 64\n") and re.search(r"2 runs of 8; expected time: \d+ s", dry), dry
    done = wrap(tmp_path, "--resume", "--launches", "3", *words)
    assert done.stdout.count("run ") == 6 and "12 of 12 runs measured" in done.stdout
    assert runs_by_launch(tmp_path) == [4, 4, 4]
    assert report(tmp_path)["runs"]["verified"] == report(tmp_path)["runs"]["planned"] == 12
    assert "lacks nothing" in program.said("check", str(tmp_path / "mine.h5"))
    other = wrap(tmp_path, "--resume", *words, "other", code=FILE)
    program.check_refusal(other, FILE, "--resume continues the command and its labels")


def test_a_program_without_steps_is_named(tmp_path: pathlib.Path) -> None:
    """One program for each value of an axis."""
    programs = ["pass", "print('step 1: nan s')", "print('step 1: 0.0001 s')", "__import__('os').abort()"]
    done = wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--step-seconds", STEP, "--axis",
                "code=" + ",".join(programs), "--",
                sys.executable, "-c", "{code}", code=FAILED)
    for why in ("no steps recorded: no line of the output matches", "found 'nan', which is not a number above 0",
                "1 steps were printed, and 10 are warm-up: train longer", "it was killed by SIGABRT"):
        assert why in done.stderr, done.stderr
    assert not (tmp_path / "mine.h5").exists()


def test_a_program_without_a_recorder_learns_its_options(tmp_path: pathlib.Path) -> None:
    done = wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--", *script(tmp_path), code=FAILED)
    assert "made no Recorder" in done.stderr and "pass --step-seconds, --samples-per-second, --steps-per-second or --total" in done.stderr


# Prints steps until somebody ends it, and then takes its leave.
ENDLESS = """import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (open("left", "w").close(), sys.exit(1)))
for step in range(100000): print(f"step {step}: 0.005 s"); time.sleep(0.005)
"""


def test_a_program_is_ended_when_it_has_printed_enough(tmp_path: pathlib.Path) -> None:
    done = wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--settle", "0", "--timeout", "90", "--step-seconds",
                STEP, "--", *script(tmp_path, ENDLESS))
    assert "--timeout" not in done.stdout and (tmp_path / "left").exists()
    (case,) = report(tmp_path)["cases"]
    assert case["step_seconds"] == pytest.approx(0.005)
    assert 100 <= h5py.File(tmp_path / "mine.h5")["steps"][0] < 20_000


SLOW_TO_STOP = """
import signal, time
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(time.monotonic()))
while not stopped or time.monotonic() < stopped[0] + 2:
    time.sleep(0.01)
    print("step 0: 0.01 s", flush=True)
"""


def test_steps_after_the_stop_do_not_count(tmp_path: pathlib.Path) -> None:
    """A program that trains on until its next checkpoint."""
    (tmp_path / "slow.py").write_text(SLOW_TO_STOP)
    wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--settle", "0", "--step-seconds", STEP, "--", str(PYTHON),
         str(tmp_path / "slow.py"))
    assert report(tmp_path)["runs"]["verified"] == 1


def test_a_time_out_keeps_the_steps_if_they_are_enough(tmp_path: pathlib.Path) -> None:
    hangs = "import sys, time\nfor step in range(int(sys.argv[1])): print('step %d: 0.0001 s' % step)\ntime.sleep(1000)"
    done = wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--settle", "0", "--timeout", "3", "--step-seconds", STEP,
                "--axis", "count=40,29", "--", sys.executable, "-c", hangs, "{count}", code=FAILED)
    assert re.search(r"count 40\): 0.1 ms a step.* stopped after 3 s \(--timeout\), and its steps are kept", done.stdout), done
    assert re.search(r"count 29\): failed: it was stopped after 3 s \(--timeout\): 29 steps.* 19 are left of 20", done.stderr), done
    assert "1 of 2 runs measured" in done.stdout and report(tmp_path)["runs"]["verified"] == 1


# Hangs, ignores every polite signal, and has children in sessions of their own, of which one has lost its parent.
STUBBORN = """import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
elif os.fork() == 0: os.setsid()
open(f"{os.getpid()}.pid", "w").close()
time.sleep(1000)
"""


def test_nothing_outlives_a_run(tmp_path: pathlib.Path) -> None:
    """One run comes to its time limit; the program that was there before wrap, and became its child, is left alone."""
    line = start(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--timeout", "1", "--step-seconds", STEP, "--",
                 *script(tmp_path, STUBBORN))
    shell = f"sleep 60 >&- 2>&- & echo $! >neighbour; exec {shlex.join(line)}"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=60, check=False)
    neighbour = int((tmp_path / "neighbour").read_text())
    try:
        assert done.returncode == FAILED and "stopped after 1 s (--timeout): no steps recorded" in done.stdout, done
        processes = [int(path.stem) for path in tmp_path.glob("*.pid")]
        assert len(processes) == 3 and not any(map(lives, processes)) and lives(neighbour)
    finally:
        os.kill(neighbour, signal.SIGKILL)


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGKILL), ids=lambda number: number.name)
def test_an_interrupted_wrap_resumes(tmp_path: pathlib.Path, number: signal.Signals) -> None:
    waits = TRAINER + ("import os\nif batch == '64' and not os.path.exists('go'):\n"
                       "    open(f'{os.getpid()}.pid', 'w').close(); time.sleep(1000)\n")
    words = ["--gpus", "1,2", "--batches", "32,64", "--launches", "1", "--seed", "3", "--step-seconds", STEP, "--",
             *script(tmp_path, waits)]
    process = subprocess.Popen(start(tmp_path, *words), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("*.pid")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    said, error = process.communicate(timeout=60)
    trained = int(next(tmp_path.glob("*.pid")).stem)
    until = time.monotonic() + 10
    while lives(trained) and time.monotonic() < until:
        time.sleep(0.02)
    assert not lives(trained)
    before = len(re.findall("^run ", said, re.MULTILINE))
    assert before in (0, 2), "this seed measures one batch after the other"
    (tmp_path / "go").touch()
    resume = [*start(tmp_path)[:2], "--resume", *start(tmp_path, *words)[2:]]
    if number != signal.SIGKILL:
        assert process.returncode == INTERRUPTED and f"{before} of 4 runs are measured" in error
        resume = [os.environ["BREAKEVEN"], *shlex.split(error.split("Continue with: ")[1])[1:]]
    done = subprocess.run(resume, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert len(re.findall("^run ", done.stdout, re.MULTILINE)) == 4 - before
    assert report(tmp_path)["runs"]["verified"] == 4 and "lacks nothing" in program.said("check", str(tmp_path / "mine.h5"))


def test_two_wraps_do_not_share_a_file(tmp_path: pathlib.Path) -> None:
    words = ["--gpus", "1", "--batches", "8", "--step-seconds", STEP, "--", "sleep", "1000"]
    first = subprocess.Popen(start(tmp_path, *words), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("mine.h5.wrap/*.log")):
        assert first.poll() is None
        time.sleep(0.02)
    program.check_refusal(wrap(tmp_path, *words, code=FILE), FILE, "is being written by another `breakeven wrap`")
    first.send_signal(signal.SIGINT)
    assert first.wait(30) == INTERRUPTED
