# SPDX-License-Identifier: Apache-2.0
"""breakeven advise on a recorded file: what it says, and what it refuses."""
import functools
import json
import pathlib

import program
import pytest

MAP = str(pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22" / "map.h5")
NEW = ("--model", "2000-3000-3000-500", "--batch", "512")
KNOWN = ("--model", "xl", "--batch", "1024")
LARGEST = ("--model", "xl", "--batch", "16384")
JOB = (*LARGEST, "--samples", "1e11")
SMALL = (MAP, "--model", "xl", "--batch", "8")


@functools.cache
def answer(*options: str) -> dict:
    return json.loads(program.said("advise", MAP, *options, "--format", "json"))


def costs(*options: str) -> dict:
    return {row["by"]: row for row in answer(*options)["costs"]}


def test_a_new_model_is_predicted_and_the_fastest_way_comes_first() -> None:
    new = answer(*NEW)
    ways = new["ways"]
    assert {way["basis"] for way in ways} == {"predicted, fitted"}, ways
    seconds = [way["step_seconds"] for way in ways]
    assert seconds == sorted(seconds) and seconds[0] > 0, seconds
    assert new["answer"].count(ways[0]["strategy"]) > 0
    assert "map" not in new


def test_a_measured_batch_is_answered_from_its_measurement() -> None:
    known = answer(*KNOWN)["ways"]
    assert {way["basis"] for way in known} == {"measured"}, known
    single = next(way for way in known if way["gpus"] == 1)
    assert single["verdict"] == "base" and abs(single["speedup"] - 1) < 1e-9


def test_a_batch_between_measured_ones_is_predicted() -> None:
    between = answer("--model", "xl", "--batch", "512")["ways"]
    assert {way["basis"] for way in between} == {"predicted, calibrated"}, between


def test_memory_limit() -> None:
    limited = answer(*KNOWN, "--memory-limit", "600MiB")["ways"]
    assert limited[0]["fits"] and not limited[-1]["fits"], limited


def test_what_does_not_fit_is_no_rival() -> None:
    """Without --memory-limit, the memory is that of the file's GPUs: 139.8 GiB."""
    found = answer("--model", "65536-65536-65536-65536", "--batch", "1024")
    assert not any(way["fits"] for way in found["ways"] if way["gpus"] == 1), found["ways"]
    assert found["ways"][0]["fits"] and found["ways"][0]["gpus"] == 2, found["ways"]
    assert found["ways"][0]["speedup"] is None and "do not fit into its memory" in found["answer"], found["answer"]
    larger = answer("--model", "131072-131072-131072-131072", "--batch", "1024")
    assert "no configuration fits into the 140 GiB of a GPU" in larger["answer"], larger["answer"]


def test_warns_beyond_what_was_measured() -> None:
    known = answer(*KNOWN)["warnings"]
    assert known and not any("beyond" in sentence for sentence in known), known
    beyond = answer("--model", "16384-16384-16384", "--batch", "100000")["warnings"]
    assert beyond[0].startswith("Batch 100,000 is beyond those measured (16 to 16,384)"), beyond
    assert beyond[1].startswith("A number of parameters of 536,903,680 is beyond"), beyond


def test_gpus() -> None:
    ways = answer(*KNOWN, "--gpus", "1")["ways"]
    assert ways and all(way["gpus"] == 1 for way in ways)


def test_map() -> None:
    """Sizes and batches within the measured ones, and each point what the question itself would be answered."""
    points = answer("--model", "1000-1000-500", "--batch", "64", "--map")["map"]
    assert {point["batch"] for point in points} == {2**power for power in range(4, 15)}
    assert 148_032 < min(point["parameters"] for point in points) < 200_000
    assert 200e6 < max(point["parameters"] for point in points) < 276_857_856
    for point in points[::211]:
        ways = answer("--model", point["model"], "--batch", str(point["batch"]))["ways"]
        way = next(way for way in ways if (way["strategy"], way["gpus"]) == (point["strategy"], point["gpus"]))
        assert way["basis"] == "predicted, fitted" and way["speedup"] == point["speedup"], (way, point)
        assert point["speedup_low"] < point["speedup"] < point["speedup_high"], point


def test_choices_by_held_out_predictions_beat_the_rule_of_two_numbers() -> None:
    ours, rule = answer(*NEW)["selectors"]
    assert ours["asked"] == rule["asked"] > 0
    assert ours["right"] > rule["right"] and ours["mean_regret"] < rule["mean_regret"], (ours, rule)


def test_costs_without_prices() -> None:
    plain = costs(*LARGEST)
    assert plain["time"]["verdict"] == "pays" and plain["gpu_hours"]["verdict"] == "does_not_pay", plain
    assert abs(plain["gpu_hours"]["gain"] - plain["time"]["gain"] / 2) < 1e-9
    assert plain["job_length"]["pays_from"] > 0 and plain["money"]["pays_from"] > 0
    assert "not known" in plain["energy"]["here"] and plain["energy"]["gain"] is None


def test_money_is_saved_at_twice_the_value_of_an_hour_that_is_needed() -> None:
    value = costs(*LARGEST)["money"]["pays_from_high"] * 2 * 2.5
    priced = costs(*LARGEST, "--price", "2.5", "--hour-value", str(value), "--samples", "1e12", "--jobs-per-month", "3",
                   "--hardware-cost", "800,1600", "--operating-cost", "700")
    assert priced["money"]["verdict"] == "pays", priced["money"]
    assert priced["job_length"]["verdict"] == "pays", priced["job_length"]
    assert priced["purchase"]["gain_low"] <= priced["purchase"]["gain"] <= priced["purchase"]["gain_high"]


@pytest.mark.parametrize("gpus, factor, words", [
    (1, 1.2, ["cheapest configuration", "one GPU"]),
    (2, 1.1, ["cheapest configuration", "2 GPUs"]),
    (2, 0.5, ["No configuration", "times as fast"]),
])
def test_deadline(gpus: int, factor: float, words: list[str]) -> None:
    """A deadline is a multiple of the time that the fastest way on so many GPUs takes."""
    jobs = answer(*JOB)["jobs"]
    fastest = {count: min(job["job_seconds"] for job in jobs if job["gpus"] == count) for count in (1, 2)}
    assert fastest[2] < fastest[1]
    said = answer(*JOB, "--deadline", f"{factor * fastest[gpus]}s")["deadline"]
    assert all(word in said for word in words), said


@pytest.mark.parametrize("options, code, words", [
    ((), 1, "results file"),
    ((MAP,), 1, "--model"),
    ((MAP, "--model", "xl"), 1, "--batch"),
    ((MAP, "--model", "no-model", "--batch", "8"), 1, "no-model"),
    ((*SMALL, "--precisions", "fp8"), 1, "bf16"),
    ((*SMALL, "--precisions", "fp32"), 5, "xl"),
    ((*SMALL, "--memory-limit", "much"), 1, "12GB"),
    ((*SMALL, "--deadline", "2h"), 1, "--samples"),
    ((*SMALL, "--samples", "9", "--deadline", "soon"), 1, "30min"),
    ((*SMALL, "--price", "-1"), 1, "--price"),
    ((*SMALL, "--samples", "nan"), 1, "--samples"),
    ((*SMALL, "--amortize", "0"), 1, "months"),
    ((*SMALL, "--hardware-cost", "800,1600"), 1, "--jobs-per-month"),
    ((*SMALL, "--samples", "9", "--hour-value", "9", "--jobs-per-month", "9", "--hardware-cost", "800"), 1, "800,1600"),
    (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5"),
])
def test_refusals(options: tuple, code: int, words: str) -> None:
    program.check_refusal(program.alone("advise", *options), code, words)
