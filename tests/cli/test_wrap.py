# SPDX-License-Identifier: Apache-2.0
"""What `breakeven wrap` measures, and the words of its command."""
import pathlib
import re
import sys

import program
import pytest
from wrapping import ENVIRONMENT, FAILED, PYTHON, STEP, USAGE, logs, report, script, wrap


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


def test_tqdm_is_asked_for_the_rate_of_each_print(tmp_path: pathlib.Path) -> None:
    """Unless the user chose otherwise."""
    words = ["--gpus", "1", "--batches", "8", "--step-seconds", STEP, "--", *script(tmp_path, "import os\nprint(os.environ['TQDM_SMOOTHING'])")]
    for chosen, smoothing in (({}, "1"), ({"TQDM_SMOOTHING": "0.5"}, "0.5")):
        wrap(tmp_path, "--launches", "1", *words, code=FAILED, **chosen)
        assert logs(tmp_path) == smoothing + "\n"


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
