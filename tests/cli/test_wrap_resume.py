# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap --resume`: a file may grow by cases and launches, as often as its user likes, of the same command."""
import os
import pathlib
import shlex
import signal
import subprocess
import time

import h5py
import program
from wrapping import FAILED, FILE, INTERRUPTED, STEP, TRAINER, runs_by_launch, script, start, wrap


def words(launches: int, batches: str, gpus: str = "1,2", *own: str) -> list[str]:
    return ["--gpus", gpus, "--launches", str(launches), "--batches", batches, "--step-seconds", STEP, *own]


def test_a_file_grows_by_cases_and_launches_again_and_again(tmp_path: pathlib.Path) -> None:
    command = ["--", *script(tmp_path), "a ; b"]  # of several commands in a launch each is told apart
    wrap(tmp_path, *words(1, "64", "1"), *command)
    for batches, gpus, launches, runs in (("64,128", "1", 1, [2]), ("64,128", "1,2", 2, [4, 4]), ("32,64,128", "1,2", 2, [6, 6])):
        for _ in range(2):  # the second time nothing is lacking
            wrap(tmp_path, "--resume", *words(launches, batches, gpus, "--timeout", str(100 + len(runs))), *command)
            assert runs_by_launch(tmp_path) == runs
    with h5py.File(tmp_path / "mine.h5") as file:
        assert [line.decode().count("breakeven wrap") for line in file["command_line"][...]] == [4, 2]
    for other in ([*command, "c"], ["--model", "net", *command], ["--warmup", "5", *command]):
        done = wrap(tmp_path, "--resume", *words(2, "64", "1,2"), *other, code=FILE)
        program.check_refusal(done, FILE, "--resume continues the command and its labels")


def test_failed_runs_are_completed_with_another_time_limit(tmp_path: pathlib.Path) -> None:
    fails = TRAINER + "import os\nif batch == '64' and not os.path.exists('go'): sys.exit(7)\n"
    command = ["--", *script(tmp_path, fails)]
    wrap(tmp_path, *words(1, "32,64", "1"), *command, code=FAILED)
    (tmp_path / "go").touch()
    for limit in ("50", "60"):
        done = wrap(tmp_path, "--resume", *words(1, "32,64", "1", "--timeout", limit), *command)
        assert "2 of 2 runs measured" in done.stdout


def test_an_interrupted_extension_continues(tmp_path: pathlib.Path) -> None:
    waits = TRAINER + "import os\nif batch == '128' and not os.path.exists('go'): open('waits', 'w').close(); time.sleep(1000)\n"
    command = ["--", *script(tmp_path, waits)]
    wrap(tmp_path, *words(1, "32", "1"), *command)
    line = start(tmp_path, "--resume", *words(1, "32,64,128", "1", "--seed", "3"), *command)
    process = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "waits").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == INTERRUPTED
    (tmp_path / "go").touch()
    for _ in range(2):
        resume = [os.environ["BREAKEVEN"], *shlex.split(error.split("Continue with: ")[1])[1:]]
        done = subprocess.run(resume, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
        assert "3 of 3 runs measured" in done.stdout


def test_a_moved_file_is_continued(tmp_path: pathlib.Path) -> None:
    """The folder that its command line names is gone."""
    (tmp_path / "old").mkdir()
    command = ["--", *script(tmp_path)]
    wrap(tmp_path, "--output", "old/mine.h5", *words(1, "32", "1"), *command)
    (tmp_path / "old" / "mine.h5").rename(tmp_path / "mine.h5")
    (tmp_path / "old" / "mine.h5.wrap").rename(tmp_path / "mine.h5.wrap")
    (tmp_path / "old").rmdir()
    wrap(tmp_path, "--resume", *words(2, "32", "1"), *command)
    assert runs_by_launch(tmp_path) == [1, 1]
