# SPDX-License-Identifier: Apache-2.0
"""The answers for programs of which `breakeven wrap` knows neither size nor precision, and for batches that failed."""
import pathlib

import program
from wrapping import FAILED, STEP, TRAINER, script, wrap


def test_models_of_unknown_size_have_no_break_even_by_size(tmp_path: pathlib.Path) -> None:
    wrap(tmp_path, "--gpus", "1,2", "--batches", "64", "--axis", "opt=adam,sgd", "--strategies", "ddp", "--launches", "1",
         "--step-seconds", STEP, "--", *script(tmp_path), "{opt}")
    report = " ".join(program.said("report", str(tmp_path / "mine.h5")).split())
    assert "Break-even" not in report and report.count("Speed: one") == 2, report
    advice = program.said("advise", str(tmp_path / "mine.h5"), "--model", "train.py opt=sgd", "--batch", "64")
    assert "ddp on 2 GPUs is the fastest" in " ".join(advice.split()) and "in unknown" not in advice, advice


def test_a_batch_that_failed_is_named(tmp_path: pathlib.Path) -> None:
    fails = TRAINER + "if batch == '256': sys.exit(7)\n"
    wrap(tmp_path, "--gpus", "1,2", "--batches", "64,256", "--strategies", "ddp", "--launches", "1", "--step-seconds", STEP,
         "--", *script(tmp_path, fails), code=FAILED)
    file = str(tmp_path / "mine.h5")
    report = " ".join(program.said("report", file).split())
    assert "Planned, but without a measured run: train.py batch 256" in report, report
    program.check_refusal(program.alone("advise", file, "--model", "train.py", "--batch", "256"), 5,
                          f"all runs of train.py at batch 256 in '{file}' failed")
    program.check_refusal(program.alone("advise", file, "--model", "train.py", "--batch", "512"), 5, "measured batches (64)")
