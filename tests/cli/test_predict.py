# SPDX-License-Identifier: Apache-2.0
"""breakeven predict on recorded files: what it says of more GPUs, what it says of held-out cases, and what it refuses.

The recorded answer about the four H200s is what the program says today, and docs/predict.md quotes it."""
import functools
import json
import pathlib
import subprocess

import program
import pytest

ROOT = pathlib.Path(__file__).parents[2]
MAP = "results/h200-2-2026-11-22/map.h5"
TOPOLOGY = "jobs/topologies/dgx-h200-superpod.ini"
QUESTION = (MAP, "--model", "xl", "--batch", "12288")
CURVE = (*QUESTION, "--gpus", "2..1024", "--topology", TOPOLOGY, "--price", "2.5")
KNOWN = (MAP, "--model", "xl", "--batch", "8192", "--gpus", "2..8")
FAILING = (*QUESTION, "--gpus", "8,1024", "--topology", TOPOLOGY, "--mtbf", "50000")


def predict(*options: str) -> subprocess.CompletedProcess:
    return program.alone("predict", *options, cwd=ROOT)


@functools.cache
def answer(*options: str) -> dict:
    return json.loads(program.said("predict", *options, "--format", "json", cwd=ROOT))


def test_curve() -> None:
    curve = answer(*CURVE)["curve"]
    assert [point["gpus"] for point in curve] == [2 ** i for i in range(11)], curve
    assert curve[0]["verdict"] == "base" and curve[1]["basis"] == "calibrated", curve[:2]
    assert all(point["cost_a_million"] == 2.5 * point["gpu_hours_a_million"] for point in curve)
    assert all(point["speedup"] <= point["gpus"] for point in curve), curve
    assert all(point["ideal"] == point["gpus"] for point in curve)


def test_levels_of_the_topology() -> None:
    assert [level["level"] for level in answer(*CURVE)["levels"]] == ["nvlink", "infiniband"]


def test_one_level_of_nvlink_is_the_best_case() -> None:
    without = answer(*QUESTION, "--gpus", "64")["curve"][-1]
    assert without["gpus"] == 64 and without["speedup"] > answer(*CURVE)["curve"][6]["speedup"]


def test_weak_scaling() -> None:
    weak = answer(*QUESTION, "--gpus", "64", "--topology", TOPOLOGY, "--scaling", "weak")["curve"][-1]
    assert weak["efficiency"] > answer(*CURVE)["curve"][6]["efficiency"] and weak["amdahl"] is None, weak


@pytest.mark.parametrize("number", ["step_seconds", "speedup"])
@pytest.mark.parametrize("question", [CURVE, KNOWN], ids=["predicted batch", "measured batch"])
def test_intervals_hold_their_centre(question: tuple, number: str) -> None:
    said = answer(*question)
    for point in said["curve"] + said["measured"]:
        assert 0 < point[f"{number}_low"] <= point[number] <= point[f"{number}_high"], point


def test_measured_points() -> None:
    assert answer(*CURVE)["measured"] == [], "batch 12288 was not measured"
    known = answer(*KNOWN)
    assert [point["gpus"] for point in known["measured"]] == [1, 2] and known["scaling"] == "strong", known["measured"]
    assert all(point["basis"] == "measured" for point in known["measured"])


def test_csv() -> None:
    csv = predict(*QUESTION, "--gpus", "2..8", "--format", "csv").stdout.splitlines()
    assert len(csv) == 5 and "speedup_low,speedup_high" in csv[0] and "step_seconds_high" in csv[0], csv


def test_goodput_falls_with_the_number_of_gpus() -> None:
    rows = answer(*FAILING, "--disk-bandwidth", "10GB/s", "--restart-seconds", "120")["goodput"]
    assert [row["gpus"] for row in rows] == [1, 8, 1024], rows
    assert all(0 < row["goodput"] <= 1.001 and row["failures"] >= 0 for row in rows), rows
    assert rows[0]["goodput"] > rows[2]["goodput"] and rows[2]["failures"] > rows[0]["failures"], rows
    assert abs(rows[0]["checkpoint_seconds"] - 12 * 54539264 / 10e9) < 1e-9, rows[0]


def test_a_checkpoint_interval_of_ones_own() -> None:
    fixed = answer(*FAILING, "--checkpoint-seconds", "60", "--checkpoint-interval", "100")["goodput"][-1]
    assert fixed["interval_seconds"] == 100 and fixed["goodput"] < 0.65, fixed
    assert fixed["daly"] < answer(*FAILING, "--checkpoint-seconds", "60")["goodput"][-1]["daly"]


@pytest.mark.parametrize("file, recorded", [
    ("h200-4-2026-11-21/scaling.h5", "predict.md"),
    ("h200-4-2026-11-22/scaling.h5", "predict.md"),
    ("h200-4-2026-11-22/held-out.h5", "predict-held-out.md"),
])
def test_held_out_gpus(file: str, recorded: str) -> None:
    path = (ROOT / "results" / file).parent / recorded
    said = program.said("predict", f"results/{file}", "--hold-out-gpus", "4", "--format", "markdown", cwd=ROOT)
    assert said == path.read_text(encoding="utf-8"), f"{path} is stale: {said}"
    sentence = next(line for line in said.splitlines() if line.startswith("- The predictions have"))
    page = (ROOT / "docs" / "predict.md").read_text(encoding="utf-8")
    assert sentence.removeprefix("- ") in page.replace("\n> ", " "), f"docs/predict.md has not: {sentence}"


@pytest.mark.parametrize("options, code, words", [
    ((), 1, "results file"),
    ((MAP,), 1, "--model"),
    ((MAP, "--model", "xl"), 1, "--batch"),
    ((*QUESTION, "--gpus", "8..4"), 1, "8..4096"),
    ((*QUESTION, "--gpus", "many"), 1, "8..4096"),
    ((*QUESTION, "--scaling", "some"), 1, "strong"),
    ((*QUESTION, "--topology", "no-such.ini"), 1, "no-such.ini"),
    ((*QUESTION, "--gpus", "12288", "--topology", TOPOLOGY), 1, "4096"),
    ((*QUESTION, "--mtbf", "1000"), 1, "--disk-bandwidth"),
    ((*QUESTION, "--mtbf", "-1"), 1, "--mtbf"),
    ((*QUESTION, "--mtbf", "9", "--disk-bandwidth", "9GB"), 1, "20GB/s"),
    ((*QUESTION, "--precisions", "fp32"), 5, "xl"),
    ((MAP, "--hold-out-gpus", "1"), 1, "from 2 on"),
    ((MAP, "--hold-out-gpus", "4"), 5, "4 GPUs"),
    (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5"),
])
def test_refusals(options: tuple, code: int, words: str) -> None:
    program.check_refusal(predict(*options), code, words)


def test_a_broken_topology_is_refused(tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("nodes = 8\n", encoding="utf-8")
    program.check_refusal(predict(*QUESTION, "--topology", str(bad)), 1, "level")
