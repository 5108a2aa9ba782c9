# SPDX-License-Identifier: Apache-2.0
"""breakeven advise on a recorded file: what it says, and what it refuses."""
import functools
import json
import pathlib

import program
import pytest

LAUNCHES = str(pathlib.Path(__file__).parents[2] / "results" / "h200-2" / "map.h5")  # three, on two machines
SEED = str(pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22" / "seed.h5")  # batches 8 to 128
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
    ways = new["configurations"]
    assert {way["basis"] for way in ways} == {"predicted, fitted"}, ways
    seconds = [way["step_seconds"] for way in ways]
    assert seconds == sorted(seconds) and seconds[0] > 0, seconds
    assert new["answer"].count(ways[0]["strategy"]) > 0
    assert "map" not in new


def test_a_measured_batch_is_answered_from_its_measurement() -> None:
    known = answer(*KNOWN)["configurations"]
    assert {way["basis"] for way in known} == {"measured"}, known
    single = next(way for way in known if way["gpus"] == 1)
    assert single["verdict"] == "base" and abs(single["speedup"] - 1) < 1e-9


def test_a_batch_between_measured_ones_is_predicted() -> None:
    between = answer("--model", "xl", "--batch", "512")["configurations"]
    assert {way["basis"] for way in between} == {"predicted, calibrated"}, between


@pytest.mark.parametrize("batch", [3000, 6000, 12000])
def test_between_two_measured_batches_of_one_verdict_the_interval_is_no_wider_than_held_out(batch: int) -> None:
    """Slower at 2,048 and 4,096, faster at 8,192 and 16,384, with intervals of 1 %. Held-out batches lie twice as far."""
    found = json.loads(program.said("advise", LAUNCHES, "--model", "large", "--batch", str(batch), "--format", "json"))
    zero1 = next(way for way in found["configurations"] if way["strategy"] == "zero1")
    assert zero1["basis"] == "predicted, calibrated", zero1
    if batch != 6000:  # the break-even lies there
        assert zero1["verdict"] == ("does not pay" if batch < 6000 else "pays"), zero1
    held_out = next(row for row in found["coverage"] if row["held_out"] == "batch")["median_half_width"]
    assert zero1["speedup_high"] / zero1["speedup_low"] < (1 + held_out) ** 2, (zero1, held_out)


def test_near_a_measured_batch_the_interval_is_nearly_the_measurements() -> None:
    widths = {}
    for batch in (2048, 2050, 3000):
        ways = json.loads(program.said("advise", LAUNCHES, "--model", "large", "--batch", str(batch), "--format", "json"))["configurations"]
        zero1 = next(way for way in ways if way["strategy"] == "zero1")
        widths[batch] = zero1["speedup_high"] / zero1["speedup_low"] - 1
    assert widths[2048] <= widths[2050] < widths[3000] / 3, widths


def test_far_beyond_the_measured_batches_nothing_is_decided() -> None:
    """As far as the largest batch lies beyond the one before, held-out cases test a prediction; further, none does."""
    far = json.loads(program.said("advise", SEED, "--model", "large", "--batch", "100000", "--format", "json"))
    assert "By prediction it is undecided, extrapolated: " in far["answer"] and "no verdict" in far["answer"], far["answer"]
    ddp = next(way for way in far["configurations"] if way["strategy"] == "ddp")
    assert ddp["verdict"] == "undecided, extrapolated" and ddp["speedup_low"] > 1.02, ddp
    assert {row["verdict"] for row in far["costs"]} <= {"undecided", "not_measured"}, far["costs"]
    rows = {row["at"]: row["verdict"] for row in far["turning_points"] if row["direction"] == "batch"}
    assert all(rows[batch] == "undecided" for batch in rows if batch > 128) and rows[64] == "does_not_pay", rows


def test_memory_limit() -> None:
    limited = answer(*KNOWN, "--memory-limit", "1GB")["configurations"]
    assert limited[0]["fits"] and not limited[-1]["fits"], limited


def test_memory_is_the_reports_and_holds_the_samples() -> None:
    """The larger of predicted and measured; a batch that was not measured holds the same data set."""
    report = json.loads(program.said("report", MAP, "--format", "json"))
    measured = {row["strategy"]: max(row["predicted_memory_bytes"], row["peak_memory_bytes"]) for row in report["cases"]
                if row["model"] == "xl" and row["batch"] == 1024 and row["timing"] == "total"}
    ways = {way["strategy"]: way for way in answer(*KNOWN)["configurations"]}
    assert {name: way["memory_bytes"] for name, way in ways.items()} == {name: measured[name] for name in ways}
    between = {way["strategy"]: way["memory_bytes"] for way in answer("--model", "xl", "--batch", "1032")["configurations"]}
    assert all(abs(between[name] / measured[name] - 1) < 0.01 for name in between), (between, measured)


def test_what_does_not_fit_is_no_rival() -> None:
    """Without --memory-limit, the memory is that of the file's GPUs: 139.8 GiB."""
    found = answer("--model", "65536-65536-65536-65536", "--batch", "1024")
    assert not any(way["fits"] for way in found["configurations"] if way["gpus"] == 1), found["configurations"]
    assert found["configurations"][0]["fits"] and found["configurations"][0]["gpus"] == 2, found["configurations"]
    assert found["configurations"][0]["speedup"] is None and "do not fit into its memory" in found["answer"], found["answer"]
    larger = answer("--model", "131072-131072-131072-131072", "--batch", "1024")
    assert larger["answer"].startswith("No configuration fits into the 140 GiB of a GPU."), larger["answer"]
    assert "(needs " in larger["answer"], larger["answer"]


def test_warns_beyond_what_was_measured() -> None:
    known = answer(*KNOWN)["warnings"]
    assert known and not any("beyond" in sentence for sentence in known), known
    beyond = answer("--model", "16384-16384-16384", "--batch", "100000")["warnings"]
    assert beyond[0].startswith("Batch 100,000 is beyond those measured (16 to 16,384)"), beyond
    assert beyond[1].startswith("A number of parameters of 536,903,680 is beyond"), beyond


def test_says_beyond_what_was_measured_in_the_sentence_itself() -> None:
    larger = answer("--model", "xl", "--batch", "32768")
    assert "(predicted, beyond the measured batches 16 to 16,384). By prediction it pays: " in larger["answer"], larger["answer"]
    beyond = {(row["direction"], row["configuration"]): row["basis"] for row in larger["break_evens"]}
    assert beyond["batch", "the fastest"] == "measured" and "beyond the measured batches" in beyond["hidden_widths", "the fastest"], beyond
    rows = [row for row in larger["turning_points"] if row["direction"] == "batch" and row["at"] > 16384]
    assert {row["basis"] for row in rows} == {"extrapolated"}, rows
    within = answer(*NEW)
    assert "beyond" not in within["answer"] and "By prediction it " in within["answer"], within["answer"]


def test_gpus() -> None:
    ways = answer(*KNOWN, "--gpus", "1")["configurations"]
    assert ways and all(way["gpus"] == 1 for way in ways)


def test_one_comparison_has_one_verdict() -> None:
    """Of three launches the interval of xl at batch 1024 alone would pay; corrected for all comparisons, it is undecided."""
    found = json.loads(program.said("advise", LAUNCHES, *KNOWN, "--format", "json"))
    best = found["configurations"][0]
    assert best["speedup_low"] > 1.02 and best["verdict"].startswith("undecided"), best
    verdicts = {row["by"]: row["verdict"] for row in found["costs"]}
    assert verdicts["time"] == "undecided" and "pays" not in verdicts.values(), verdicts
    answer = found["answer"]
    assert "Corrected for all comparisons of the model" in answer and answer.count("--append") == 1, answer


@pytest.mark.parametrize("model, batch", [("xl", "1024"), ("large", "4096"), ("2048-2048-2048-2048-2048", "512")])
def test_bands_agree_with_their_rows(model: str, batch: str) -> None:
    found = json.loads(program.said("advise", LAUNCHES, "--model", model, "--batch", batch, "--format", "json"))
    for band in found["break_evens"]:
        if band["configuration"] != "the fastest" or band["basis"] == "measured":
            continue
        rows = [row for row in found["turning_points"] if row["direction"] == band["direction"]]
        if band["above"] in ("pays", "does_not_pay") and band["high"] is not None:
            assert {row["verdict"] for row in rows if row["at"] >= band["high"]} == {band["above"]}, (band, rows)
        if band["below"] in ("pays", "does_not_pay") and band["low"] is not None:
            assert {row["verdict"] for row in rows if row["at"] <= band["low"]} == {band["below"]}, (band, rows)
        decided = {row["verdict"] for row in rows} - {"undecided", "same"}
        for verdict, word in (("pays", "faster"), ("does_not_pay", "slower")):
            assert (verdict in decided) == (word in band["sentence"]), (band, rows)


def test_purchase_and_job_length_have_the_speedups_interval() -> None:
    prices = ("--hardware-cost", "40000,75000", "--samples", "1e10", "--hour-value", "50", "--jobs-per-month", "20")
    text = program.said("advise", LAUNCHES, "--model", "2048-2048-2048-2048-2048", "--batch", "512", *prices)
    said = " ".join(text.split())
    assert "Buying the machine with 2 GPUs does not pay" in said.split("Read before")[0], said
    assert "At the other end" not in said and "articles' formula" not in said, said
    found = json.loads(program.said("advise", LAUNCHES, "--model", "2048-2048-2048-2048-2048", "--batch", "512", *prices,
                                    "--format", "json"))
    gains = {row["by"]: row for row in found["costs"]}
    for end in ("gain", "gain_low", "gain_high"):
        assert abs(gains["job_length"][end] / gains["time"][end] - 1) < 0.01, gains
    assert gains["job_length"]["verdict"] == gains["time"]["verdict"] == gains["purchase"]["verdict"], gains


def test_map() -> None:
    """Sizes and batches within the measured ones, and each point what the question itself would be answered."""
    points = answer("--model", "1000-1000-500", "--batch", "64", "--map")["map"]
    assert {point["batch"] for point in points} == {2**power for power in range(4, 15)}
    assert 148_032 < min(point["parameters"] for point in points) < 200_000
    assert 200e6 < max(point["parameters"] for point in points) < 276_857_856
    for point in points[::211]:
        ways = answer("--model", point["model"], "--batch", str(point["batch"]))["configurations"]
        way = next(way for way in ways if (way["strategy"], way["gpus"]) == (point["strategy"], point["gpus"]))
        assert way["basis"] == "predicted, fitted" and way["speedup"] == point["speedup"], (way, point)
        assert point["speedup_low"] < point["speedup"] < point["speedup_high"], point


def test_choices_by_held_out_predictions_beat_the_rules_of_two_numbers() -> None:
    rows = answer(*NEW)["selectors"]
    for held_out in ("model", "batch"):
        scores = {row["selector"]: row for row in rows if row["held_out"] == held_out}
        assert len(scores) == 6 and len({row["asked"] for row in scores.values()}) == 1, scores
        for rule in ("the articles' rule", "ddp from batch 5,000 on", "one strategy from one batch on, both fitted"):
            assert scores["advise"]["right"] > scores[rule]["right"], (held_out, rule)
            assert scores["advise"]["mean_regret"] < scores[rule]["mean_regret"], (held_out, rule)


@pytest.mark.parametrize("model", ["medium", "large", "xl"])
def test_break_evens_of_a_measured_model_are_the_reports(model: str) -> None:
    report = json.loads(program.said("report", MAP, "--format", "json"))
    measured = {row["configuration"]: row["sentence"] for row in report["break_evens"]
                if row["along"] == "batch" and row["of"].split(",")[0] == model}
    said = [row for row in answer("--model", model, "--batch", "512")["break_evens"] if row["direction"] == "batch"]
    assert len(said) >= 5 and all(row["basis"] == "measured" for row in said), said
    for row in said:
        configuration = row["configuration"].removesuffix(" in bf16").replace(" GPUs", "")
        assert row["sentence"] == measured["the fastest on 2" if configuration == "the fastest" else configuration], row


def test_measured_speedups_are_the_reports() -> None:
    report = json.loads(program.said("report", MAP, "--format", "json"))
    cases = {row["strategy"]: row for row in report["cases"]
             if row["model"] == "xl" and row["batch"] == 1024 and row["gpus"] == 2 and row["timing"] == "total"}
    for way in answer(*KNOWN)["configurations"]:
        if way["gpus"] == 2:
            case = cases[way["strategy"]]
            assert [way[f"speedup{end}"] for end in ("_low", "", "_high")] == \
                [case[f"speedup{end}"] for end in ("_low", "", "_high")], way


def test_csv_has_intervals_and_the_break_even_batch() -> None:
    header, *rows = program.said("advise", MAP, *KNOWN, "--format", "csv").splitlines()
    for number in ("step_seconds", "speedup", "break_even_batch"):
        assert f"{number},{number}_low,{number}_high" in header, header
    assert len(rows) == 5


def test_a_lossy_strategy_is_called_lossy() -> None:
    file = str(pathlib.Path(MAP).parent / "strategies.h5")
    found = json.loads(program.said("advise", file, "--model", "xl", "--batch", "4096", "--lossy", "--format", "json"))
    assert found["configurations"][0]["lossy"] and found["answer"].startswith(f"{found['configurations'][0]['strategy']} (lossy) on"), found["answer"]
    assert all(way["strategy"] != "independent" for way in found["configurations"])
    exact = json.loads(program.said("advise", file, "--model", "xl", "--batch", "4096", "--format", "json"))
    assert not any(way["lossy"] for way in exact["configurations"]) and "lossy" not in exact["answer"]


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
    ((*SMALL, "--precisions", "fp32"), 5, "--precisions fp32,bf16"),
    ((*SMALL, "--gpus", "4"), 1, "breakeven predict"),
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


def test_a_scan_of_links_says_that_this_machine_was_measured() -> None:
    found = answer("--model", "xl", "--batch", "4096")
    bands = {band["direction"]: band["basis"] for band in found["break_evens"] if band["configuration"] == "the fastest"}
    assert bands["link_bandwidth"] == "predicted; 1.00× measured", bands
