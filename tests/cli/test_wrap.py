# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap` measures programs of every kind, well-behaved or not, and loses nothing."""
import json
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

USAGE, ENVIRONMENT, FAILED, FILE, INTERRUPTED = 1, 2, 3, 5, 6
PYTHON = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python"))
if not PYTHON.exists():
    pytest.skip("the package of analysis/ is not installed here", allow_module_level=True)
STEP = r"step \d+: (\S+) s"
# A training program: prints steps that take 1 µs a sample, shared by the ranks, and what it was called with.
TRAINER = """import sys, time
ranks, batch, *rest = sys.argv[1:]
print("2026-01-01 00:00:00,123 called with", *map(repr, rest), flush=True)
for step in range(80): print(f"2026-01-01 00:00:{step % 60:02} INFO step {step}: {int(batch) / int(ranks) / 1e6:.9f} s, loss 0.5")
"""


def start(folder: pathlib.Path, *words: str) -> list[str]:
    return [os.environ["BREAKEVEN"], "wrap", "--output", str(folder / "mine.h5"), *words]


def wrap(folder: pathlib.Path, *words: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess:
    done = subprocess.run(start(folder, *words), capture_output=True, text=True, timeout=100, check=False, cwd=folder,
                          env={**os.environ, **environment})
    assert done.returncode == code, (done.args, done.returncode, done.stdout, done.stderr)
    return done


def script(folder: pathlib.Path, text: str = TRAINER) -> list[str]:
    (folder / "train.py").write_text(text)
    return [sys.executable, "train.py", "{gpus}", "{batch}"]


def report(folder: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(folder / "mine.h5"), "--format", "json"))


def logs(folder: pathlib.Path) -> str:
    return "".join(path.read_text() for path in sorted((folder / "mine.h5.wrap").glob("*.log")))


def runs_by_launch(folder: pathlib.Path) -> list[int]:
    with h5py.File(folder / "mine.h5") as file:
        launches = file["launch_index"][...][file["status"][...] > 0]
        return [int((launches == launch).sum()) for launch in range(len(file["launch"]))]


def lives(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---------------------------------------------------------------- what is measured


def test_printed_times_are_the_times_of_the_report(tmp_path: pathlib.Path) -> None:
    done = wrap(tmp_path, "--gpus", "1,2", "--batches", "32,64", "--step-seconds", STEP, "--model", "mine", "--", *script(tmp_path))
    assert len(re.findall(r"^run \d+ of 12 ", done.stdout, re.MULTILINE)) == 12 and "12 of 12 runs" in done.stdout
    answer = report(tmp_path)
    assert answer["runs"]["verified"] == answer["runs"]["planned"] == 12 and len(answer["launches"]) == 3
    for case in answer["cases"]:
        assert case["step_seconds"] == pytest.approx(case["batch"] / case["gpus"] / 1e6), case
        assert case["speedup"] == pytest.approx(case["gpus"]), case
    assert any(warning.startswith("Step times: ") and "printed" in warning for warning in answer["warnings"])
    assert "lacks nothing" in program.said("check", str(tmp_path / "mine.h5"))


def test_every_launch_has_each_case_once_in_an_order_of_its_own(tmp_path: pathlib.Path) -> None:
    words = ["--gpus", "1,2", "--batches", "32,64,128", "--launches", "4", "--step-seconds", STEP]
    said = wrap(tmp_path, *words, "--dry-run", "--", *script(tmp_path)).stdout
    assert "unknown before a first run" in said and not list(tmp_path.glob("mine.h5*")), "nothing was written"
    orders = [re.findall(r"train.py (\d) (\d+)$", part, re.MULTILINE) for part in said.split("launch ")[1:]]
    assert len(orders) == 4 and all(sorted(order) == sorted(orders[0]) and len(order) == 6 for order in orders)
    assert len({tuple(order) for order in orders}) > 1 and {order[0][0] for order in orders} == {"1", "2"}
    for order in orders:
        assert [batch for _, batch in order][::2] == [batch for _, batch in order][1::2], "compared cases are neighbours"
    other = wrap(tmp_path, *words, "--seed", "2", "--dry-run", "--", *script(tmp_path)).stdout
    assert other != said == wrap(tmp_path, *words, "--dry-run", "--", *script(tmp_path)).stdout


def test_weak_scaling_and_axes(tmp_path: pathlib.Path) -> None:
    wrap(tmp_path, "--gpus", "1,2", "--batches", "32", "--scaling", "weak", "--launches", "1", "--axis", "workers=0,4",
         "--precisions", "bf16", "--strategies", "ddp,fsdp", "--step-seconds", STEP, "--model", "net", "--",
         *script(tmp_path), "{batch_per_gpu}", "{workers}", "{strategy}", "{precision}")
    cases = report(tmp_path)["cases"]
    found = {(case["model"], case["gpus"], case["batch"], case["strategy"], case["precision"], case["scaling"]) for case in cases}
    assert found == {(f"net workers={workers}", gpus, 32 * gpus, strategy, "bf16", "weak") for workers in (0, 4)
                     for gpus, strategy in ((1, "single"), (2, "ddp"), (2, "fsdp"))}
    assert all(case["speedup"] == pytest.approx(2) for case in cases if case["gpus"] == 2), "against the same batch on a GPU"


def test_wall_time_leaves_out_the_start(tmp_path: pathlib.Path) -> None:
    slow = "import sys, time; time.sleep(1 + 0.01 * int(sys.argv[1]))"
    wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--total", "20", "--warmup", "5", "--",
         *script(tmp_path, slow)[:2], "{steps}")
    (case,) = report(tmp_path)["cases"]
    assert 0.0025 < case["step_seconds"] < 0.04, "20 steps of 10 ms; the starts differ by less than 0.15 s"
    assert any(re.match("Step times: .* wall time", warning) for warning in report(tmp_path)["warnings"])
    assert len(list((tmp_path / "mine.h5.wrap").glob("*.log"))) == 2, "a log for each of two lengths"


def test_a_recorder_with_another_batch_is_refused(tmp_path: pathlib.Path) -> None:
    example = pathlib.Path(__file__).parents[2] / "examples" / "mpi4py_numpy.py"
    done = wrap(tmp_path, "--gpus", "1", "--batches", "32", "--launches", "1", "--", str(PYTHON), str(example), "--settle", "0",
                "--batch", "64", "--output", "{{batch}}", code=FAILED)
    assert "the Recorder has 1 ranks and batch 64, where the plan has 1 and 32" in done.stderr
    assert "results:" not in done.stdout and "1 of 1 runs failed, and there is no " in done.stderr
    assert not (tmp_path / "mine.h5").exists() and not list(tmp_path.glob("*{*")), "the program's own output is not written"


# ---------------------------------------------------------------- words of the command


def test_no_shell_sees_the_words(tmp_path: pathlib.Path) -> None:
    odd = ["$(touch made)", "; touch made", "`touch made`", "| touch made", "{0.__class__}", "${{HOME}}", "%s", "{}", "*", "\\"]
    wrap(tmp_path, "--gpus", "1", "--batches", "8", "--launches", "1", "--step-seconds", STEP, "--axis",
         "word=$(touch made);{gpus}", "--", *script(tmp_path), "{word}", *odd)
    called = ["$(touch made);{gpus}", *odd[:5], "${HOME}", *odd[6:]]
    assert "called with " + " ".join(map(repr, called)) in logs(tmp_path) and not (tmp_path / "made").exists()


WORDS = ["--gpus", "1,2", "--batches", "8", "--step-seconds", STEP]
TRAIN = ["--", "true", "{gpus}", "{batch}"]


@pytest.mark.parametrize("words, sentence", (
    ([*WORDS, *TRAIN, "{bacth}"], "{bacth} is no placeholder"),
    ([*WORDS, "--batches", "8,; rm", *TRAIN], "'; rm' is not a whole number"),
    (["--gpus", "1,3", "--batches", "8", *TRAIN, "{batch_per_gpu}"], "batch 8 does not divide by 3 GPUs"),
), ids=("placeholder", "number", "uneven"))
def test_a_wrong_word_is_one_sentence(tmp_path: pathlib.Path, words: list[str], sentence: str) -> None:
    program.check_refusal(wrap(tmp_path, *words, code=USAGE), USAGE, sentence)
    assert not list(tmp_path.iterdir())


def test_one_rank_of_several_does_not_wrap(tmp_path: pathlib.Path) -> None:
    done = wrap(tmp_path, *WORDS, *TRAIN, code=USAGE, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="1")
    program.check_refusal(done, USAGE, "Start wrap once")


@pytest.mark.parametrize("python", ("/no/such/python", "/bin/false-python"))
def test_without_the_package_a_sentence_says_how_to_get_it(tmp_path: pathlib.Path, python: str) -> None:
    bare = tmp_path / "python"
    bare.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S \"$@\"\n")
    bare.chmod(0o755)
    done = wrap(tmp_path, *WORDS, *TRAIN, code=ENVIRONMENT, BREAKEVEN_PYTHON=python if "no" in python else str(bare))
    program.check_refusal(done, ENVIRONMENT, "pip install ./analysis")


def test_the_working_folder_has_no_modules(tmp_path: pathlib.Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit(9)")
    assert "expected time" in wrap(tmp_path, *WORDS, "--dry-run", *TRAIN).stdout


# ---------------------------------------------------------------- programs that go wrong


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
