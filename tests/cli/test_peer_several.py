# SPDX-License-Identifier: Apache-2.0
"""The comparison with PyTorch on several GPUs, without PyTorch: its numbers from recorded lines, its loop with a stand-in
for the peer and two ranks of our own host device, and the losses that may not pass."""
import math
import os
import pathlib
import shlex
import subprocess
import sys

import h5py
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = ROOT / "tests" / "support" / "stand_in_peer.py"
sys.path.insert(0, str(ROOT / "results"))
from side_by_side import record, several_cases, table  # noqa: E402
from side_by_side.breakeven_side import BreakevenSide, read_launch  # noqa: E402
from side_by_side.cases import Case, Protocol, parse_workloads  # noqa: E402
from side_by_side.comparison import Comparison  # noqa: E402

SEVERAL = {"one": False, "gpus": [2, 4], "modes": ["ddp", "fsdp"], "strategies": ["ddp", "tensor"],
           "transports": ["nccl", "peer"]}


def line(number, side, variant, microseconds, gpus=2, **more):
    """One recorded measurement. The median is wrong on purpose: the mean counts."""
    mean = None if microseconds is None else microseconds * 1e-6
    return {"round": number, "side": side, "model": "medium", "batch": 16, "precision": "bf16", "variant": variant,
            "gpus": gpus, "parameters": 258432, "seconds": {"0.5": 1.0}, "mean_seconds": mean, "gpu_name": "a GPU",
            "gpu_uuid": "GPU-1", "gpu_uuids": ["GPU-1", "GPU-2"][:gpus], "versions": {}} | more


def two_rounds(**more):
    """PyTorch 100 and 120, then 80 and 90; ours single 60, tensor over peer 20, then 30."""
    for number, times in enumerate(((100, 80, 60, 50, 20), (120, 90, 60, 50, 30))):
        for (side, variant), microseconds in zip((("pytorch", "ddp"), ("pytorch", "fsdp"), ("breakeven", "single"),
                                                  ("breakeven", "ddp nccl"), ("breakeven", "tensor peer")), times):
            yield line(number, side, variant, microseconds, **more.get(variant.replace(" ", "_"), {}))


def recorded(*measurements):
    return {"format": record.FORMAT, "command": "a command", "started": "2000-01-01T00:00:00Z", "protocol": {},
            "workloads": [{"model": "medium", "batch": 16, "precision": "bf16", "modes": ["eager"]}],
            "gemm": ["auto"], "several": SEVERAL, "measurements": list(measurements)}


def test_a_row_compares_the_fastest_of_each_side():
    text = table.markdown(Comparison(recorded(*two_rounds())))
    row = ("| medium, 16, bf16 | 2 | tensor, peer | 25.0 (20.0–30.0) | 60.0 (60.0–60.0) | 110 (100–120) | 85.0 (80.0–90.0) "
           "| 3.50 (3.00–4.00) | 2.50 (2.00–3.00) | – |")  # 80/20, 90/30; 60/20, 60/30
    assert row in text, text
    assert "| medium, 16, bf16 | 4 | not measured |" in text and "Every step" not in text, text
    assert "| medium, 16, bf16 | 2 | 50.0 (50.0–50.0) | not measured | not measured | 25.0 (20.0–30.0) |" in text, text


def test_the_peers_speed_up_is_over_its_own_single_gpu():
    one = [line(number, "pytorch", "eager", 0, gpus=1, seconds={"0.5": 160e-6}) for number in (0, 1)]
    made = recorded(*two_rounds(), *one) | {"several": SEVERAL | {"one": True}}
    assert "| 2.50 (2.00–3.00) | 1.89 (1.78–2.00) |" in table.markdown(Comparison(made))  # 160/80, 160/90


@pytest.mark.parametrize("more", [{"mean_seconds": None}, {"mean_seconds": math.nan}, {"refused": "it failed"}])
def test_what_is_unknown_has_no_ratio(more):
    text = table.markdown(Comparison(recorded(*two_rounds(tensor_peer=more, ddp_nccl=more))))
    assert "| medium, 16, bf16 | 2 | not measured | not measured | 60.0" in text, text
    assert ("- breakeven medium b16 bf16 tensor peer on 2 GPUs: it failed" in text) == ("refused" in more), text


def test_other_gpus_are_not_compared():
    other = line(0, "breakeven", "single", 60, gpu_uuids=["GPU-1", "GPU-3"])
    with pytest.raises(ValueError, match="GPU-1 GPU-2 in .* and GPU-1 GPU-3 in"):
        record.check_same_work(recorded(line(0, "pytorch", "ddp", 100), other))
    swapped = line(0, "breakeven", "ddp nccl", 60, gpu_uuids=["GPU-2", "GPU-1"])
    record.check_same_work(recorded(line(0, "pytorch", "ddp", 100), swapped, line(0, "pytorch", "ddp", 9, gpus=1)))


def test_plan_keeps_a_launch_together():
    plan = list(several_cases.plan_several(parse_workloads(["medium:16,32:fp32"]), SEVERAL, 2, 1))
    ours = [cases for number, cases in plan if number == 0 and cases[0].side == "breakeven"]
    assert [len(cases) for cases in ours] == [20, 20], ours  # two batches, fp32 and tf32x3, single and 2 x 2
    assert all(len({case.gpus for case in cases}) == 1 for cases in ours)
    every = [case for number, cases in plan for case in cases if number == 1]
    assert len(every) == len(set(every)) == 4 * (10 + 2)


@pytest.mark.parametrize("text", ["", "0", "2,2", "1.5", "all", "1,,2"])
def test_numbers_of_gpus_that_are_none(text):
    with pytest.raises(ValueError, match="whole numbers"):
        several_cases.parse_gpus(text)


@pytest.mark.parametrize("found", [[1.0, 1.03], [1.0, math.nan], [math.inf, 1.0]])
def test_losses_of_another_training_are_found(found):
    several_cases.check_losses([1.0, 1.01], [1.0, 1.0], "bf16")
    with pytest.raises(RuntimeError, match="the loss is not that of one GPU"):
        several_cases.check_losses(found, [1.0, 1.0], "bf16")
    with pytest.raises(RuntimeError, match="in step 2"):
        several_cases.check_losses([1.0, 1.01], [1.0, 1.0], "fp32")


def compare(*arguments):
    command = [sys.executable, ROOT / "results" / "compare-with-pytorch", "--program", os.environ["BREAKEVEN"],
               "--mpirun", os.environ["BREAKEVEN_MPIRUN"], "--backend", "host", "--python", STAND_IN, "--no-plot",
               "--warmup", 2, "--settle", 0, "--steps", 6, "--rounds", 1, *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def output(folder):
    path = folder / "comparison"
    done = compare("--gpus", "2", "--workloads", "33-17-5:12,24:bf16", "--strategies", "tensor", "--transports",
                   "mpi,nonesuch", "--rank-modes", "ddp,ddp-graph,fsdp", "--output", path)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return path


def test_every_case_is_measured_or_has_a_reason(output):
    made = record.load(output.with_suffix(".json"))
    reasons = {one["variant"]: one.get("refused") for one in made["measurements"]
               if one["batch"] == 24}
    measured = {variant for variant, reason in reasons.items() if reason is None}
    assert measured == {"ddp", "fsdp", "single", "tensor mpi"}, reasons
    assert reasons["ddp-graph"] == "RuntimeError: no compiler" and "'nonesuch' is not one of" in reasons["tensor nonesuch"]
    assert made["command"].startswith("results/compare-with-pytorch") and made["several"]["gpus"] == [2]
    ours = next(one for one in made["measurements"] if one["variant"] == "tensor mpi" and "refused" not in one)
    assert ours["git_revision"] and ours["mean_seconds"] > 0 and ours["gpus"] == 2, ours


def test_the_table_is_made_again_from_the_file(output, tmp_path):
    text = output.with_suffix(".md").read_text(encoding="utf-8")
    assert "| 750,000 (750,000–750,000) | not measured | 500,000 (500,000–500,000) |" in text, text
    command = [sys.executable, ROOT / "results" / "compare-with-pytorch", "--from", output.with_suffix(".json"),
               "--no-plot", "--output", tmp_path / "again"]
    subprocess.run(command, check=True, timeout=50)
    assert (tmp_path / "again.md").read_text(encoding="utf-8") == text


def test_a_strategy_with_other_losses_is_refused(tmp_path):
    path = tmp_path / "run.h5"
    options = ("--backend host --gpus 2 --strategies single,ddp --transports mpi --cases 33-17-5:12 --precisions fp32 "
               "--timing steps --settle 0 --warmup 2 --steps 6 --repeats 1 --output")
    launcher = shlex.split(os.environ["BREAKEVEN_MPIRUN"])
    subprocess.run([*launcher, "-np", "2", os.environ["BREAKEVEN"], "run", *options.split(), path], check=True, timeout=100,
                   capture_output=True)
    case = Case("breakeven", "33-17-5", 12, "fp32", "ddp mpi", 2)
    with h5py.File(path, "r+") as file:
        assert "refused" not in read_launch(file, [case])[case]
        ddp = [name.decode() for name in file["strategy"][:]].index("ddp")
        file["loss"][ddp, 1, 3] *= 1.001
        assert "the loss is not that of one GPU" in read_launch(file, [case])[case]["refused"]
        missing = Case("breakeven", "33-17-5", 12, "fp32", "zero1 mpi", 2)
        assert "left this case" in read_launch(file, [missing])[missing]["refused"]


def test_each_case_of_a_launch_has_its_time():
    cases = [Case("breakeven", "33-17-5", batch, "fp32", "ddp mpi", 2) for batch in (12, 24, 36)]
    found = BreakevenSide("program", [], ["sh", "-c", "sleep 20"], Protocol("host", 2, 0, 6, 0.1)).measure(cases)
    assert [one for _, one in found] == [{"refused": "not done within 0.3 s"}] * 3
