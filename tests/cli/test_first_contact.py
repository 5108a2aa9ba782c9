# SPDX-License-Identifier: Apache-2.0
"""The first things that a stranger types: help in every form, typing errors, forgotten launchers, folders that cannot be
written. Each is answered by a sentence that says what to type, before anything is measured."""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import subprocess

import program
import pytest

USAGE, FILE = 1, 5
QUICK = ["run", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--warmup", "2", "--steps", "5", "--repeats", "1",
         "--timing", "steps", "--settle", "0"]
COMMANDS = ("run", "wrap", "report", "advise", "predict", "compare", "trace", "merge", "repair", "check", "verify", "topology",
            "collectives", "kernels", "matmul")
HAS_PACKAGE = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python")).exists()


@pytest.mark.parametrize("words", (["-h"], ["--help"], ["help"], ["help", "help"], ["help", "--help"], []), ids=str)
def test_help_names_every_command(words: list[str]) -> None:
    text = program.said(*words)
    assert all(re.search(rf"^  {command} ", text, re.MULTILINE) for command in COMMANDS), text


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "wrap" or HAS_PACKAGE])
def test_help_of_a_command(command: str) -> None:
    text = program.said(command, "--help")
    assert "--" in text and text == program.said("help", command) == program.said(command, "-h")
    usage, summary = text.split("\n\n")[:2]
    assert usage.startswith("usage: ") and f"breakeven {command}" in usage and re.fullmatch(r"(?s)[A-Z].*\.", summary), text


def test_the_version_has_a_short_form() -> None:
    assert program.said("-V") == program.said("--version") and program.said("-V").startswith("breakeven ")


def test_a_run_ends_with_the_number_of_its_warnings(tmp_path: pathlib.Path) -> None:
    file = str(tmp_path / "warned.h5")
    said = " ".join(program.run_well(2, *QUICK, "--output", file).stdout.split())
    count = len(json.loads(program.said("report", file, "--format", "json"))["warnings"])
    assert count > 1 and said.endswith(f"{count} warnings: breakeven report {file} --sections warnings"), said


@pytest.mark.parametrize("words, meant", (
    (["reprot"], "report"),
    (["help", "kernel"], "kernels"),
    (["comapre", "a.h5", "b.h5"], "compare"),
    (["report", "a.h5", "--sectons", "speed"], "--sections"),
    (["report", "a.h5", "--sections", "sped"], "speed"),
    ([*QUICK, "--modles", "8-16-4"], "--models"),
    (["run", "--backend", "host", "--models", "lareg"], "large"),
    ([*QUICK, "--strategies", "dpp"], "ddp"),
    ([*QUICK, "--strategies", "single,atuo"], "auto"),
    ([*QUICK, "--precisions", "bf61"], "bf16"),
    ([*QUICK, "--graph", "autp"], "auto"),
    (["kernels", "--backend", "hots"], "host"),
), ids=lambda value: " ".join(value[-2:]) if isinstance(value, list) else value)
def test_a_typing_error_gets_a_suggestion(words: list[str], meant: str) -> None:
    done = program.alone(*words)
    assert done.returncode == USAGE and f"Did you mean '{meant}'?" in done.stderr, done


@pytest.mark.parametrize("words", (["destroy"], ["x"], ["report", "a.h5", "--sections", "weather"]), ids=" ".join)
def test_what_resembles_nothing_gets_none(words: list[str]) -> None:
    done = program.alone(*words)
    assert done.returncode == USAGE and "Did you mean" not in done.stderr, done


def test_more_gpus_than_ranks_name_the_launch() -> None:
    done = program.alone(*QUICK, "--gpus", "4", "--output", "x.h5")
    words = " ".join([*QUICK, "--gpus", "4", "--output", "x.h5"])
    program.check_refusal(done, USAGE, f"--gpus 4 needs 4 ranks; this launch has 1. Run: mpirun -np 4 breakeven {words}")


def test_a_forgotten_launcher_is_named_and_its_command_works(tmp_path: pathlib.Path) -> None:
    """Before the runs, in the answer after them, and in every report; typed as it stands, the command compares."""
    output = tmp_path / "mine.h5"
    done = program.alone(*QUICK, "--output", str(output))
    missing = f"mpirun -np 2 breakeven {' '.join(QUICK)} --output {output}"
    assert done.returncode == 0 and done.stderr.startswith(
        f"breakeven: one rank measures one GPU. To compare, stop and run: {missing}\n"), done
    report = program.said("report", str(output))
    for text in (done.stdout, report):
        flat = " ".join(text.split())
        assert f"Nothing was compared with one GPU. One rank measures one GPU. To compare, run: {missing} --append" in flat, text
    line = shlex.split(f"{missing} --append".replace("mpirun", os.environ["BREAKEVEN_MPIRUN"])
                       .replace("breakeven run", f"{os.environ['BREAKEVEN']} run"))
    subprocess.run(line, check=True, capture_output=True, timeout=100)
    compared = program.said("report", str(output))
    assert "Nothing was compared" not in compared
    answer = " ".join(compared.split("\n\n")[1].split())
    assert answer.startswith("Processor cores, no answer about GPUs: "), compared


def test_one_gpu_on_purpose_gets_no_advice(tmp_path: pathlib.Path) -> None:
    done = program.alone(*QUICK, "--gpus", "1", "--output", str(tmp_path / "one.h5"))
    assert done.returncode == 0 and "mpirun" not in done.stderr, done
    report = " ".join(program.said("report", str(tmp_path / "one.h5")).split())
    assert "mpirun -np 2 breakeven run" in report and "--gpus" not in report.split("To compare, run: ")[1].split("--append")[0]


def test_kernels_leaves_large_squares_out_on_the_host() -> None:
    said = program.said("kernels", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--rounds", "1", "--format", "csv")
    shapes = {(row["m"], row["n"], row["k"]) for row in csv.DictReader(io.StringIO(said))}
    assert ("8", "16", "8") in shapes and all(int(side) <= 16 for shape in shapes for side in shape), shapes


@pytest.fixture()
def closed(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder in which nothing can be made: root may write to every folder but those of the kernel."""
    if os.geteuid() == 0:
        return pathlib.Path("/sys")
    tmp_path.chmod(0o500)
    return tmp_path


ANSWERS = ["report FILE", "advise FILE --model 8-16-4 --batch 8", "compare FILE FILE", "merge FILE", "repair FILE"]
MEASURES = [" ".join(QUICK), "kernels --backend host --models 8-16-4 --batches 8", "matmul --backend host --sizes 64"]


@pytest.fixture(scope="module")
def measured(folder: pathlib.Path) -> pathlib.Path:
    program.run_well(2, *QUICK, "--output", str(folder / "measured.h5"))
    return folder / "measured.h5"


@pytest.mark.parametrize("words", [*ANSWERS, *MEASURES])
def test_a_folder_without_permission_is_said_by_the_systems_words(measured: pathlib.Path, closed: pathlib.Path,
                                                                  words: str) -> None:
    target = [str(closed / "made.h5")] if words.startswith("repair") else ["--output", str(closed / "made.h5")]
    done = program.alone(*words.replace("FILE", str(measured)).split(), *target)
    assert done.returncode in (USAGE, FILE) and done.stdout == "", done
    assert re.search("Permission denied|Read-only file system|Operation not permitted", done.stderr), done
    assert str(closed) in done.stderr and not re.search(r"\.(cpp|h):\d+", done.stderr), done
    assert "run 1 of" not in done.stderr and "product 1 of" not in done.stderr and "case 1 of" not in done.stderr, done


@pytest.mark.parametrize("words", ["report FILE --output /dev/full", "compare FILE FILE --output /dev/full"])
def test_a_full_disk_is_said_by_the_systems_words(measured: pathlib.Path, words: str) -> None:
    done = program.alone(*words.replace("FILE", str(measured)).split())
    program.check_refusal(done, FILE, "cannot be written to /dev/full: No space left on device")


@pytest.mark.parametrize("words", ANSWERS[:4])
def test_a_missing_file_is_said_by_the_systems_words(tmp_path: pathlib.Path, words: str) -> None:
    line = words.replace("FILE", "/no/such.h5").split() + (["--output", str(tmp_path / "x.h5")] if words.startswith("merge") else [])
    program.check_refusal(program.alone(*line), FILE, "/no/such.h5: No such file or directory")
