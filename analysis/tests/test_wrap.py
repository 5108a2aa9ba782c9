# SPDX-License-Identifier: Apache-2.0
"""What `breakeven wrap` is asked for: words, cases, order and GPUs."""

from pathlib import Path
from typing import Any

import pytest

from breakeven_analysis.errors import WrapError
from breakeven_analysis.wrap import main
from breakeven_analysis.wrap.gpus import describe_devices, environment_for, visible_gpus
from breakeven_analysis.wrap.options import parse
from breakeven_analysis.wrap.plan import Case, fill, make_cases, order_of
from breakeven_analysis.wrap.resume import check_command_of

WORDS = ["--output", "mine.h5", "--gpus", "1,2", "--batches", "8", "--step-seconds", "step (.+) s"]
TRAIN = ["--", "true", "{gpus}", "{batch}"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In an empty folder, on a host without GPUs, without a launcher."""
    monkeypatch.chdir(tmp_path)
    for name in ("RANK", "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (WORDS, "the command to measure is missing; it stands behind '--'"),
        ([*WORDS, *TRAIN, "{bacth}"], "{bacth} is no placeholder: there are {gpus}, {batch}, {batch_per_gpu}"),
        ([*WORDS, *TRAIN, "{bacth}"], "Did you mean {batch}?"),
        ([*WORDS, *TRAIN, "{strategy}"], "{strategy} has a value only with --strategies"),
        ([*WORDS, *TRAIN, "{steps}"], "{steps} has a value only with --total STEPS"),
        ([*WORDS, "--gpus", "1,3", *TRAIN, "{batch_per_gpu}"], "batch 8 does not divide by 3 GPUs"),
        ([*WORDS, "--batches", "8,x", *TRAIN], "'x' is not a whole number from 1 to 2147483647"),
        ([*WORDS, "--batches", "2147483648", *TRAIN], "'2147483648' is not a whole number from 1 to 2147483647"),
        ([*WORDS, "--scaling", "weak", "--batches", "2147483647", *TRAIN], "2 GPUs would have 4294967294 samples"),
        ([*WORDS, "--gpus", "1,1", *TRAIN], "'1,1' has '1' twice"),
        ([*WORDS, "--gpus", "0,1", *TRAIN], "'0' is not a whole number from 1 to"),
        ([*WORDS, "--gpus", "1,16", *TRAIN], "batch 8 has less than one sample for each of 16 GPUs"),
        ([*WORDS, "--gpus", "99999", "--batches", "99999", *TRAIN], "'99999' is not a whole number from 1 to 65536"),
        ([*WORDS, "--launches", "4000000000", *TRAIN], "'4000000000' is not a whole number from 1 to 10000"),
        ([*WORDS, "--step-seconds", "step", *TRAIN], "has 0 groups and needs one, around the number"),
        ([*WORDS, "--step-seconds", "(.+) (.+)", *TRAIN], "has 2 groups and needs one, around the number"),
        ([*WORDS[:6], "--steps-per-second", "(?P<step>.+)", *TRAIN], "has 1 groups and needs one"),
        ([*WORDS, "--step-seconds", "(", *TRAIN], "is not a regular expression"),
        ([*WORDS, "--step-seconds", "(a{9999999999})", *TRAIN], "is not a regular expression"),
        ([*WORDS, "--total", "5", *TRAIN], "not allowed with argument"),
        ([*WORDS[:6], "--total", "5", *TRAIN], "--total needs {steps} in the command"),
        ([*WORDS[:6], "--warmup", "5", *TRAIN], "A Recorder has its own argument 'warmup'"),
        ([*WORDS, "--axis", "x=1,2", *TRAIN], "the command does not contain {x}"),
        ([*WORDS, "--axis", "gpus=1,2", *TRAIN], "--axis gpus: this name has its values already"),
        ([*WORDS, "--model", "", *TRAIN], "'' is not a text of 1 to 100 letters in one line"),
        ([*WORDS, "--axis", "x", *TRAIN], "'x' is not of the form NAME=A,B"),
        ([*WORDS, "--", "true", "{batch}"], "the command does not contain {gpus}"),
        ([*WORDS, "--batches", "8,16", "--", "true", "{gpus}"], "neither {batch} nor {batch_per_gpu}"),
        ([*WORDS, "--", "no-such-program", "{gpus}"], "'no-such-program' is no program"),
        ([*WORDS, "--output", "no/such/folder.h5", *TRAIN], "the folder 'no/such' does not exist"),
        ([*WORDS, "--output", "mine.txt", *TRAIN], "--output 'mine.txt' does not end in .h5, .hdf5 or .nc"),
        ([*WORDS, "--timeout", "nan", *TRAIN], "'nan' is not a number of seconds"),
        ([*WORDS, "--strategies", "a\x1bb", *TRAIN], r"'a\x1bb' is not a list such as A,B of short words"),
        ([*WORDS, "--bogus", *TRAIN], "unrecognized arguments: --bogus"),
    ],
)
def test_a_wrong_word_is_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and sentence in said.err, said
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize("own", [[], ["--dry-run"]])
def test_a_removed_folder_is_one_sentence(own: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    gone = Path.cwd() / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main([*WORDS, *own, *TRAIN]) == 5
    assert capsys.readouterr().err == "breakeven wrap: the current folder was removed. Change to another one\n"


def test_help_says_what_runs_are_called(capsys: pytest.CaptureFixture) -> None:
    assert main(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "on several GPUs ('ddp', or the Recorder's); one GPU has 'single'" in said
    assert "name of the model (the name of the script, else of the program)" in said


def test_large_models_have_their_parameters() -> None:
    words = [*WORDS, "--parameters", "70000000000", *TRAIN]
    assert parse(words).given["parameters"] == 70_000_000_000


def test_placeholders_are_replaced_once_and_nothing_else_is() -> None:
    words = Case(2, 64, "ddp", "bf16", (("x", "{batch}; $(y)"),)).words
    command = ["{gpus}:{batch_per_gpu}", "{x}", "{{gpus}}", '{"a": {"b": 1}}', "{0.__class__}", "{gpus!r}", "{}", "{{"]
    expected = ["2:32", "{batch}; $(y)", "{gpus}", '{"a": {"b": 1}}', "{0.__class__}", "{gpus!r}", "{}", "{{"]
    assert fill(command, words) == expected
    assert "batch_per_gpu" not in Case(3, 64).words


def test_one_gpu_has_one_strategy_and_weak_batches_grow() -> None:
    cases = make_cases([1, 2], [8], "weak", {"strategy": ["ddp", "fsdp"], "precision": ["bf16"], "model": ["a", "b"]})
    assert [(case.gpus, case.batch, case.strategy) for case in cases if case.labels == {"model": "a"}] == [
        (1, 8, "single"),
        (2, 16, "ddp"),
        (2, 16, "fsdp"),
    ]
    assert len(cases) == 6 and all(case.suffix == "" and case.precision == "bf16" for case in cases)


@pytest.mark.parametrize("scaling", ["strong", "weak"])
def test_compared_cases_are_neighbours_in_random_order(scaling: str) -> None:
    cases = make_cases([1, 2, 4], [8, 16, 32], scaling, {"workers": ["0", "4"]})
    orders = [order_of(cases, scaling, 1, launch) for launch in range(20)]
    for order in orders:
        assert sorted(map(str, order)) == sorted(map(str, cases))
        for first in range(0, 18, 3):
            group = order[first : first + 3]
            assert len({(one.batch // (one.gpus if scaling == "weak" else 1), one.axes) for one in group}) == 1
    assert len({tuple(map(str, order)) for order in orders}) == 20
    assert {order[0].gpus for order in orders} == {1, 2, 4} and orders[3] == order_of(cases, scaling, 1, 3)


# ---------------------------------------------------------------- GPUs

GPUS = [
    {
        "index": str(index),
        "uuid": f"GPU-{index}f",
        "name": "H",
        "memory.total": "2",
        "pci.bus_id": "0",
        "compute_cap": "9.0",
    }
    for index in range(4)
]


def test_a_run_sees_the_first_gpus() -> None:
    visible = visible_gpus(GPUS, {})
    assert environment_for(2, visible, {}) == {"CUDA_VISIBLE_DEVICES": "0,1", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    assert environment_for(8, visible, {}) == environment_for(1, [], {}) == {}, "other hosts have them, or none has"


@pytest.mark.parametrize(
    ("value", "first", "uuids"),
    [
        ("3, 1,0", "3,1", ["GPU-3f", "GPU-1f"]),
        ("GPU-2f,GPU-0", "GPU-2f,GPU-0", ["GPU-2f", "GPU-0f"]),
        ("GPU-2", None, ["GPU-2f", "GPU-2f"]),
        ("1,-1,2", None, ["GPU-1f", "GPU-1f"]),
        ("MIG-5a,MIG-6b", "MIG-5a,MIG-6b", ["MIG-5a", "MIG-6b"]),
    ],
)
def test_a_run_sees_the_first_of_the_users_gpus(value: str, first: str | None, uuids: list[str]) -> None:
    environment = {"CUDA_VISIBLE_DEVICES": value}
    visible = visible_gpus(GPUS, environment)
    assert environment_for(2, visible, environment) == ({"CUDA_VISIBLE_DEVICES": first} if first else {})
    devices = describe_devices(2, GPUS, visible)
    assert [device["gpu_uuid"] for device in devices] == uuids and {device["backend"] for device in devices} == {"cuda"}


def test_devices_are_the_visible_ones() -> None:
    (device,) = describe_devices(1, GPUS, visible_gpus(GPUS, {}))
    assert device["gpu_uuid"] == "GPU-0f" and device["memory_bytes"] == 2**21 and device["compute_capability"] == 90
    assert visible_gpus(GPUS, {"CUDA_VISIBLE_DEVICES": ""}) == []
    assert {device["backend"] for device in describe_devices(2, GPUS, [])} == {"host"}


def test_a_file_of_the_command_help_is_of_another_command(capsys: pytest.CaptureFixture) -> None:
    options = parse([*WORDS, *TRAIN])
    with pytest.raises(WrapError, match="--resume continues the command"):
        check_command_of("breakeven wrap --help", options)
    assert capsys.readouterr().out == ""
