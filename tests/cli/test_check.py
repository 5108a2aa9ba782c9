# SPDX-License-Identifier: Apache-2.0
"""`breakeven check` names whatever a file lacks to be a results file; what the examples write lacks nothing."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

import h5py
import numpy as np
import program
import pytest

FILE, USAGE = 5, 1
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "results-file.md").read_text(encoding="utf-8")
WRITER = (EXAMPLES / "minimal.py").read_text(encoding="utf-8")
TABLE = {name: (kind, meaning) for name, kind, meaning in
         re.findall(r"^\| `(\w+)` \| ?(\w*) \|[^|]*\| ([^|]*) \|$", PAGE.split("<!-- schema -->")[1], re.MULTILINE)}


@pytest.fixture(scope="module")
def written(folder: pathlib.Path) -> pathlib.Path:
    subprocess.run([sys.executable, "-c", WRITER], cwd=folder, check=True, timeout=60)
    return folder / "mine.h5"


@pytest.fixture()
def changed(written: pathlib.Path, tmp_path: pathlib.Path) -> Callable:
    def change(edit: Callable[[h5py.File], object]) -> list[str]:
        """The lines of `check` after the edit of a copy."""
        copy = tmp_path / "copy.h5"
        shutil.copyfile(written, copy)
        with h5py.File(copy, "r+") as file:
            edit(file)
        done = program.alone("check", str(copy))
        assert done.returncode == FILE, done
        return (done.stdout + done.stderr).splitlines()
    return change


def test_the_example_in_python_lacks_nothing(written: pathlib.Path) -> None:
    said = program.said("check", str(written))
    assert said == f"{written} is a results file: it lacks nothing, and its checksums of 2 runs are right.\n"
    assert "ddp" in program.said("report", str(written)) and "2.00" in program.said("report", str(written))
    xarray = pytest.importorskip("xarray")
    steps = xarray.load_dataset(written).seconds.sel(phase="step", rank=0)
    assert steps.mean("step").values == pytest.approx([0.01, 0.005])


def test_every_variable_that_is_left_out_is_named(written: pathlib.Path, changed: Callable) -> None:
    with h5py.File(written) as file:
        names = list(file)
    assert len(names) > 60 and set(names) < set(TABLE)

    def cut(file: h5py.File) -> None:
        for name in names:
            del file[name]
    lines = changed(cut)
    assert [line.split(" is missing; it should be ")[0] for line in lines] == [name for name in TABLE if name in names]
    for line in lines:
        kind, meaning = TABLE[line.split()[0]]
        assert f"should be {(kind or 'float64').replace('bool', 'int8')} of " in line and line.endswith(f": {meaning}"), line


def replaced(name: str, *shape: int, dtype: object = "f8") -> Callable[[h5py.File], None]:
    def edit(file: h5py.File) -> None:
        scales = [[scale.name for scale in dimension.values()] for dimension in file[name].dims]
        del file[name]
        file.create_dataset(name, shape, dtype)
        for axis, found in enumerate(scales):
            for scale in found if axis < len(shape) else []:
                file[name].dims[axis].attach_scale(file[scale])
    return edit


def link(file: h5py.File) -> None:
    del file["loss"]
    file["loss"] = h5py.ExternalLink("/etc/passwd", "x")


def assign(name: str, place: object, value: object) -> Callable[[h5py.File], None]:
    return lambda file: file[name].__setitem__(place, value)


@pytest.mark.parametrize("edit, words", (
    (lambda file: file.attrs.__delitem__("Conventions"), "the attribute Conventions is ''; it should be the text 'breakeven-"),
    (lambda file: file.attrs.__setitem__("Conventions", "breakeven-results-1"),
     "Conventions is 'breakeven-results-1', text of variable length; it should be the text 'breakeven-results-1', of fixed length "
     "(h5py: np.bytes_)"),
    (lambda file: file.attrs.__setitem__("Conventions", "CF-1.8"), "Conventions is 'CF-1.8', text of variable length; it should be"),
    (replaced("loss", 2, 2, 20, dtype="f4"), "loss has another type; it should be float64 of (run, rank, step)"),
    (replaced("model", 2, dtype="S9"), "model has another type; it should be text of variable length of (run)"),
    (replaced("loss", 2, 2), "loss has 2 dimensions; it should be float64 of (run, rank, step)"),
    (replaced("loss", 2, 3, 20), "loss has 3 places along axis 1, where the coordinate rank has 2; it should be"),
    (link, "loss is a link, not a variable"),
    (lambda file: file["loss"].dims[2].detach_scale(file["step"]), "loss has no dimension scale step attached to axis 2"),
    (lambda file: (file.__delitem__("peer"), file.create_group("peer")), "peer cannot be read as a variable"),
    (assign("seconds", (1, 0, 3, 9), 0.5), "the numbers of rank 0 do not have the checksum"),
    (assign("checksum", (0, 0), 1), "the numbers of rank 0 do not have the checksum"),
    (assign("phase", 0, "data"), "the coordinate phase does not hold what this program expects"),
    (assign("settings", 0, "seed 1"), "settings of launch 0 is 'seed 1'; it should be a JSON object"),
    (assign("versions", 0, "{bad"), "versions of launch 0 is '{bad'; it should be a JSON object"),
    (assign("launch_index", 1, 7), "launch_index of run 1 is '7'; it should be a whole number from 0 to 0, the place of a launch"),
    (assign("gpus", 1, 9), "gpus of run 1 is '9'; it should be a whole number from 1 to 2, the places along rank"),
    (assign("gpus", slice(None), 0), "gpus of run 0 and of 1 more is '0'; it should be a whole number from 1 to 2, "),
    (assign("steps", 1, 21), "steps of run 1 is '21'; it should be a whole number from 0 to 20, the places along step"),
    (assign("ranks", 0, 3), "ranks of launch 0 is '3'; it should be a whole number from 1 to 2, the places along rank and peer"),
    (assign("status", 1, 9), "status of run 1 is '9'; it should be 0 (planned), 1 (complete) or 2 (read back and verified)"),
    (assign("started", 0, "yesterday"), "started of launch 0 is 'yesterday'; it should be a time of ISO 8601, such as 2026-01-02T03:04:05Z"),
    (assign("started", 0, "2026-13-02T03:04:05Z"), "started of launch 0 is '2026-13-02T03:04:05Z'; it should be a time"),
    (assign("batch", slice(None), 0), "batch of run 0 and of 1 more is '0'; it should be a whole number of samples from 1 to 2147483647"),
    (assign("model", 1, ""), "model of run 1 is ''; it should be a word of your own"),
    (assign("strategy", 1, ""), "strategy of run 1 is ''; it should be a word of your own that is not empty"),
    (assign("precision", 1, ""), "precision of run 1 is ''; it should be a word of your own"),
    (assign("scaling", 0, "sideways"), "scaling of run 0 is 'sideways'; it should be one of strong, weak"),
    (assign("instrument", 0, "steps"), "instrument of run 0 is 'steps'; it should be one of total, phases"),
    (assign("backend", 0, "rocm"), "backend of launch 0 is 'rocm'; it should be one of cuda, host"),
), ids=lambda value: value if isinstance(value, str) else "")
def test_a_lack_is_one_line(changed: Callable, edit: Callable, words: str) -> None:
    lines = changed(edit)
    assert len([line for line in lines if words in line]) == 1 and len(lines) <= 6, lines


def test_all_wrong_labels_are_named_at_once(changed: Callable) -> None:
    def edit(file: h5py.File) -> None:
        for name, value in {"gpus": 0, "status": 9, "model": ""}.items():
            file[name][0] = value
        file["settings"][0], file["started"][0] = "{bad", ""
        file["checksum"][1, 0] = 1
    lines = changed(edit)
    assert len(lines) == 6, lines
    for words in ("gpus of run 0 is '0'", "status of run 0 is '9'", "model of run 0 is ''", "settings of launch 0 is '{bad'",
                  "started of launch 0 is ''", "run 1 (#1) is damaged: the numbers of rank 0"):
        assert len([line for line in lines if words in line]) == 1, (words, lines)


@pytest.mark.parametrize("time", ("2026-01-02T03:04", "2026-01-02T03:04:05.123+01:00", "2026-01-02T03:04:05,5-0230"))
def test_forms_of_a_time(written: pathlib.Path, tmp_path: pathlib.Path, time: str) -> None:
    copy = tmp_path / "copy.h5"
    shutil.copyfile(written, copy)
    with h5py.File(copy, "r+") as file:
        file["started"][0] = time
    assert "lacks nothing" in program.said("check", str(copy))


def test_creation_order_is_asked_for(tmp_path: pathlib.Path) -> None:
    code = WRITER.replace(", track_order=True", "")
    assert code != WRITER
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    done = program.alone("check", str(tmp_path / "mine.h5"))
    assert done.returncode == FILE and "track_order=True" in done.stdout and done.stdout.count("\n") == 1, done


def test_the_example_in_c_plus_plus_lacks_nothing(tmp_path: pathlib.Path) -> None:
    """By the commands in its first lines."""
    (tmp_path / "examples").symlink_to(EXAMPLES)
    commands = re.findall(r"^//   (.*)$", (EXAMPLES / "minimal.cpp").read_text(), re.MULTILINE)
    assert len(commands) == 2
    said = ""
    for command in commands:
        command = command.replace("breakeven ", f"{os.environ['BREAKEVEN']} ")
        said += subprocess.run(command, shell=True, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=100).stdout
    assert "it lacks nothing" in said and "threads on 2" in said, said


def test_other_files_are_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "text.h5").write_text("no HDF5")
    program.check_refusal(program.alone("check", str(tmp_path / "text.h5")), FILE, "is not an HDF5 file")
    program.check_refusal(program.alone("check", str(tmp_path / "none.h5")), FILE, "No such file or directory")
    program.check_refusal(program.alone("check"), USAGE, "check needs a file")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["data"] = np.zeros(3)
    done = program.alone("check", str(tmp_path / "other.h5"))
    assert done.returncode == FILE and done.stdout.count("is missing; it should be") > 60
