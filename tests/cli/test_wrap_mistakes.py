# SPDX-License-Identifier: Apache-2.0
"""What a user of `breakeven wrap` may get wrong: another number, odd digits, too few steps, a failing launcher."""
import os
import pathlib
import re
import shlex
import sys

import pytest
from wrapping import FAILED, PYTHON, STEP, report, script, wrap

ONE = ["--gpus", "1", "--batches", "8", "--launches", "1"]


def test_another_number_than_the_time_is_doubted(tmp_path: pathlib.Path) -> None:
    slow = "import time\nfor step in range(120): print(f'step {step}: 0.0001 s lr', flush=True); time.sleep(0.03)\n"
    done = wrap(tmp_path, *ONE, "--settle", "0", "--step-seconds", STEP, "--", *script(tmp_path, slow))
    (said,) = done.stderr.splitlines()
    assert re.search(r"run 1 of 1: the printed steps add up to 0.012 s, and the program ran for [23]\.\d+ s after", said), said
    honest = slow.replace("0.0001 s lr", "0.03 s")
    assert wrap(tmp_path, "--output", "honest.h5", *ONE, "--settle", "0", "--step-seconds", STEP, "--", *script(tmp_path, honest)).stderr == ""


def test_numbers_that_nobody_can_read_end_the_campaign(tmp_path: pathlib.Path) -> None:
    """After two runs, each ended when it has printed one; a single odd case does not."""
    german = "import time\nprint('step 1: 34.302,7 s', flush=True)\ntime.sleep(60)"
    words = ["--gpus", "1,2", "--batches", "32,64", "--step-seconds", STEP]
    done = wrap(tmp_path, *words, "--", *script(tmp_path, german), code=FAILED)
    said = done.stderr.splitlines()
    assert len(said) == 3 and all("found '34.302,7', which is not a number above 0" in line for line in said[:2])
    assert "2 of 12 runs failed for this reason, so 10 were not started, and there is no" in said[2]
    odd = "import os\nif not os.path.exists('odd'): open('odd', 'w'); print('step 1: ? s'); exit()\n"
    good = odd + "for step in range(80): print(f'step {step}: 0.0001 s')\n"
    done = wrap(tmp_path, *words, "--", *script(tmp_path, good), code=FAILED)
    assert "11 of 12 runs measured" in done.stdout and "1 of 12 runs failed. To repeat only these" in done.stderr


def test_what_a_first_start_compiles_does_not_count(tmp_path: pathlib.Path) -> None:
    slow = ("import os, sys, time\nif not os.path.exists(sys.argv[1]): time.sleep(1.5); open(sys.argv[1], 'w')\n"
            "open('steps', 'a').write(sys.argv[2] + ' '); time.sleep(0.2 + 0.01 * int(sys.argv[2]))")
    words = ["--gpus", "1", "--batches", "8", "--launches", "2", "--total", "60", "--warmup", "5", "--"]
    command = [*script(tmp_path, slow)[:2], "compiled-{batch}", "{steps}"]
    assert wrap(tmp_path, "--dry-run", *words, *command).stdout.count("train.py") == 5
    wrap(tmp_path, *words, *command)
    assert (tmp_path / "steps").read_text().split() == ["5", "5", "65", "5", "65"]
    (case,) = report(tmp_path)["cases"]
    assert 0.008 < case["step_seconds"] < 0.014, "60 steps of 10 ms"


def test_a_recorder_with_few_steps_is_no_measured_run(tmp_path: pathlib.Path) -> None:
    few = ("import sys\nfrom breakeven_analysis import Recorder\n"
           "recorder = Recorder(model='net', parameters=1, batch=8, settle=0, warmup=2)\n"
           "for _ in range(2 + int(sys.argv[1])):\n    with recorder.step(): pass\nrecorder.close()\n")
    (tmp_path / "few.py").write_text(few)
    done = wrap(tmp_path, *ONE, "--axis", "made=19,20", "--", str(PYTHON), "few.py", "{made}", code=FAILED)
    assert "the Recorder has 19 measured steps of 20 at least" in done.stderr and "1 of 2 runs measured" in done.stdout


@pytest.mark.parametrize("ranks", (1, 2))
def test_the_cause_is_told_and_not_what_the_launcher_says(tmp_path: pathlib.Path, ranks: int) -> None:
    (tmp_path / "train.py").write_text("raise ValueError('no such optimizer')\n")
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "{gpus}"]
    done = wrap(tmp_path, "--gpus", str(ranks), "--batches", "8", "--launches", "1", "--step-seconds", STEP, "--", *launcher,
                sys.executable, "train.py", code=FAILED)
    assert "failed: exit code 1 (ValueError: no such optimizer). Log: " in done.stderr, done.stderr
