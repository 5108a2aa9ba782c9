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
LAUNCHES = "results/h200-2/map.h5"
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
    assert curve[0]["verdict"] == "base" and curve[1]["basis"] == "predicted, calibrated", curve[:2]
    assert all(point["cost_a_million"] == 2.5 * point["gpu_hours_a_million"] for point in curve)
    assert all(point["speedup"] <= point["gpus"] for point in curve), curve
    assert all(point["ideal"] == point["gpus"] for point in curve)


@pytest.mark.parametrize("gpus, memory, listed", [("8..64", "500MB", "8, 16, 32 and 64"), ("8,64", "1B", "8 and 64")])
def test_numbers_of_gpus_on_which_nothing_fits(gpus: str, memory: str, listed: str) -> None:
    text = " ".join(program.said("predict", *QUESTION, "--gpus", gpus, "--memory-limit", memory, cwd=ROOT).split())
    assert f"Not recommended: {listed} GPUs (memory)." in text


def test_levels_of_the_topology() -> None:
    assert [level["level"] for level in answer(*CURVE)["levels"]] == ["nvlink", "infiniband"]


def test_peer_memory_ends_with_the_host() -> None:
    question = ("results/h100-2/transports.h5", "--model", "xl", "--batch", "16384", "--gpus", "8,16", "--topology", TOPOLOGY)
    rows = [line.split("|")[1:3] for line in program.said("predict", *question, "--format", "markdown", cwd=ROOT).splitlines()
            if line.startswith(("| 8 | zero1", "| 16 | zero1"))]
    assert [" 8 ", " zero1, peer "] in rows and [" 16 ", " zero1 "] in rows, rows
    assert [" 16 ", " zero1, peer "] not in rows, rows


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
        if (number, point["gpus"]) == ("speedup", 1):
            assert (point["speedup"], point["speedup_low"], point["speedup_high"]) == (1, None, None), point
            continue
        assert 0 < point[f"{number}_low"] <= point[number] <= point[f"{number}_high"], point


def test_measured_points() -> None:
    assert answer(*CURVE)["measured"] == [], "batch 12288 was not measured"
    known = answer(*KNOWN)
    assert [point["gpus"] for point in known["measured"]] == [1, 2] and known["scaling"] == "strong", known["measured"]
    assert all(point["basis"] == "measured" for point in known["measured"])


@pytest.mark.parametrize("model, batch", [("xl", "2048"), ("xl", "512"), ("2048-2048-2048-2048-2048", "512")])
def test_within_what_was_measured_it_answers_as_advise(model: str, batch: str) -> None:
    """A measured case, a batch between measured ones, a model that was not measured."""
    question = (LAUNCHES, "--model", model, "--batch", batch)
    advised = json.loads(program.said("advise", *question, "--format", "json", cwd=ROOT))["configurations"]
    for point in answer(*question, "--gpus", "2")["curve"]:
        way = next(way for way in advised if way["gpus"] == point["gpus"])
        assert way["basis"] == point["basis"], (way, point)
        for key in ("strategy", "step_seconds", "step_seconds_low", "step_seconds_high", "speedup", "speedup_low", "speedup_high"):
            assert way[key] == point[key], (key, way, point)
    faster = next(way for way in advised if way["gpus"] == 2)
    said = answer(*question, "--gpus", "2")["answer"]
    assert said.startswith(f"Use {faster['strategy']} on 2 GPUs") == (faster["verdict"] == "pays"), said


def test_recommends_one_plan_first() -> None:
    scaling = ("results/h200-4-2026-11-22/scaling.h5", "--model", "xl", "--batch", "16384")
    found = answer(*scaling, "--gpus", "4..16")
    assert found["answer"].startswith("Use ") and found["answer"].count("Use ") == 1, found["answer"]
    assert "By prediction it pays: " in found["answer"] and "speed-up of 1.00" not in found["answer"], found["answer"]
    assert found["left_out"] == ""
    assert "(predicted, beyond the measured 1 to 4 GPUs). By prediction it pays: " in found["answer"], found["answer"]


def test_numbers_that_can_be_used_are_answered() -> None:
    scaling = ("results/h200-4-2026-11-22/scaling.h5", "--model", "xl", "--batch", "16384")
    found = answer(*scaling, "--gpus", "3..7")
    assert [point["gpus"] for point in found["curve"]] == [1, 4], found["curve"]
    assert found["left_out"] == "Left out of --gpus: batch 16,384 does not divide evenly over 3 and 6 GPUs (use 2, 4 or 8)."
    program.check_refusal(predict(*scaling, "--gpus", "3"), 1, "use 2 or 4")


def test_plans_that_are_not_recommended_are_marked() -> None:
    """No plan is the fastest that is inefficient or whose interval spans a factor of ten."""
    question = (*QUESTION, "--gpus", "2..4096", "--topology", TOPOLOGY)
    for options, floor in (((), 0.25), (("--min-efficiency", "60%"), 0.6), (("--min-efficiency", "0.6"), 0.6), (("--min-efficiency", "0"), 0)):
        found = answer(*question, *options)
        for row in found["curve"]:
            spans = row["gpus"] > 1 and row["speedup_high"] >= 10 * row["speedup_low"]
            expected = "uncertain" if spans else "inefficient" if row["efficiency"] < floor else "yes"
            assert row["recommended"] == expected, row
        recommended = [row for row in found["curve"] if row["recommended"] == "yes"]
        best = max(recommended, key=lambda row: row["samples_per_second"])
        plan = "one GPU in" if best["gpus"] == 1 else f"{best['strategy']} on {best['gpus']} GPUs"
        assert plan in found["answer"], found["answer"]
        named = [row["gpus"] for row in found["curve"] if f"{row['strategy']} on {row['gpus']} GPUs" in found["answer"]]
        assert len(named) <= 2 and set(named) <= {row["gpus"] for row in recommended}, found["answer"]
        if len(recommended) < len(found["curve"]):
            assert "Not recommended: " in found["answer"], found["answer"]


def test_amdahls_bound_is_none_where_its_formula_is_not_defined() -> None:
    slower = answer(MAP, "--model", "medium", "--batch", "64", "--gpus", "2..16")["curve"]
    assert any(point["speedup"] < 1 for point in slower), slower
    for point in slower + answer(*CURVE)["curve"]:
        bound = point["amdahl"]
        assert bound is None or 1 - 1e-9 <= point["speedup"] <= bound + 1e-9, point
        assert point["speedup"] >= 1 or bound is None, point


def test_one_sided_calls_are_mpis() -> None:
    calls = answer("results/h200-4-2026-11-22/scaling.h5", "--model", "xl", "--batch", "16384", "--gpus", "8")["calls"]
    assert {row["transport"] for row in calls if row["call"] == "one-sided"} == {"mpi, host memory"}, calls


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
    fixed = answer(*FAILING, "--checkpoint-seconds", "60", "--checkpoint-interval", "800")["goodput"][-1]
    assert fixed["interval_seconds"] == 800 and fixed["goodput"] < 0.8, fixed
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
    answer = next(line for line in said.splitlines() if line.startswith("- The predictions have"))
    figures = answer.removeprefix("- ").split(" On ")[0]  # the page says once how they are made
    page = (ROOT / "docs" / "predict.md").read_text(encoding="utf-8")
    assert f"| {figures} |" in page, f"docs/predict.md has not: {figures}"


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
    ((*QUESTION, "--mtbf", "0"), 1, "--mtbf must be a positive number of hours"),
    ((*QUESTION, "--mtbf", "1000", "--checkpoint-seconds", "0"), 1, "--checkpoint-seconds must be a positive number"),
    ((*QUESTION, "--min-efficiency", "25"), 1, "25% or 0.25"),
    ((*QUESTION, "--min-efficiency", "nan"), 1, "--min-efficiency"),
    ((*QUESTION, "--mtbf", "9", "--disk-bandwidth", "9GB"), 1, "20GB/s"),
    ((*QUESTION, "--precisions", "fp32"), 5, "--precisions fp32,bf16"),
    ((MAP, "--hold-out-gpus", "1"), 1, "from 2 on"),
    ((MAP, "--hold-out-gpus", "4"), 5, "4 GPUs"),
    (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5"),
])
def test_refusals(options: tuple, code: int, words: str) -> None:
    program.check_refusal(predict(*options), code, words)


def test_a_topology_may_begin_with_a_byte_order_mark(tmp_path: pathlib.Path) -> None:
    marked = tmp_path / "topology.ini"
    marked.write_bytes(b"\xef\xbb\xbf" + (ROOT / TOPOLOGY).read_bytes())
    question = (*QUESTION, "--gpus", "8")
    assert answer(*question, "--topology", marked)["curve"] == answer(*question, "--topology", TOPOLOGY)["curve"]


def test_a_broken_topology_is_refused(tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("nodes = 8\n", encoding="utf-8")
    program.check_refusal(predict(*QUESTION, "--topology", str(bad)), 1, "level")
