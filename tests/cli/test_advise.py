# SPDX-License-Identifier: Apache-2.0
"""breakeven advise on a recorded file: what it says, and what it refuses."""
import json
import os
import pathlib
import subprocess

BREAKEVEN = os.environ["BREAKEVEN"]
MAP = str(pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22" / "map.h5")


def advise(*options: str) -> subprocess.CompletedProcess:
    return subprocess.run([BREAKEVEN, "advise", *options], capture_output=True, text=True, encoding="utf-8", check=False)


def answer(*options: str) -> dict:
    done = advise(MAP, *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def costs_and_deadlines() -> None:
    question = ("--model", "xl", "--batch", "16384")
    plain = {row["by"]: row for row in answer(*question)["costs"]}
    assert plain["time"]["verdict"] == "pays" and plain["gpu_hours"]["verdict"] == "does_not_pay", plain
    assert abs(plain["gpu_hours"]["gain"] - plain["time"]["gain"] / 2) < 1e-9
    assert plain["job_length"]["pays_from"] > 0 and plain["money"]["pays_from"] > 0
    assert "not known" in plain["energy"]["here"] and plain["energy"]["gain"] is None

    # At twice the value of an hour that is needed, money is saved.
    value = plain["money"]["pays_from_high"] * 2 * 2.5
    priced = answer(*question, "--price", "2.5", "--hour-value", str(value), "--samples", "1e12", "--jobs-per-month", "3",
                    "--hardware-cost", "800,1600", "--operating-cost", "700")
    costs = {row["by"]: row for row in priced["costs"]}
    assert costs["money"]["verdict"] == "pays", costs["money"]
    assert costs["job_length"]["verdict"] == "pays", costs["job_length"]
    assert costs["purchase"]["gain_low"] <= costs["purchase"]["gain"] <= costs["purchase"]["gain_high"]

    samples = ("--samples", "1e11")
    jobs = answer(*question, *samples)["jobs"]
    one = min(job["job_seconds"] for job in jobs if job["gpus"] == 1)
    more = min(job["job_seconds"] for job in jobs if job["gpus"] == 2)
    assert more < one
    relaxed, tight, late = (answer(*question, *samples, "--deadline", f"{seconds}s")["deadline"]
                            for seconds in (1.2 * one, 1.1 * more, 0.5 * more))
    assert "cheapest way" in relaxed and "one GPU" in relaxed, relaxed
    assert "cheapest way" in tight and "2 GPUs" in tight, tight
    assert "No way" in late and "times as fast" in late, late


def check_map(advice: dict) -> None:
    """Sizes and batches within the measured ones, and each point what the question itself would be answered."""
    points = advice["map"]
    assert {point["batch"] for point in points} == {2**power for power in range(4, 15)}
    assert 148_032 < min(point["parameters"] for point in points) < 200_000
    assert 200e6 < max(point["parameters"] for point in points) < 276_857_856
    for point in points[::211]:
        ways = answer("--model", point["model"], "--batch", str(point["batch"]))["ways"]
        way = next(way for way in ways if (way["strategy"], way["gpus"]) == (point["strategy"], point["gpus"]))
        assert way["basis"] == "predicted, fitted" and way["speedup"] == point["speedup"], (way, point)
        assert point["speedup_low"] < point["speedup"] < point["speedup_high"], point


def main() -> None:
    new = answer("--model", "2000-3000-3000-500", "--batch", "512")
    ways = new["ways"]
    assert {way["basis"] for way in ways} == {"predicted, fitted"}, ways
    seconds = [way["step_seconds"] for way in ways]
    assert seconds == sorted(seconds) and seconds[0] > 0, seconds
    assert new["answer"].count(ways[0]["strategy"]) > 0

    known = answer("--model", "xl", "--batch", "1024")["ways"]
    assert {way["basis"] for way in known} == {"measured"}, known
    between = answer("--model", "xl", "--batch", "512")["ways"]
    assert {way["basis"] for way in between} == {"predicted, calibrated"}, between
    single = next(way for way in known if way["gpus"] == 1)
    assert single["verdict"] == "base" and abs(single["speedup"] - 1) < 1e-9

    limited = answer("--model", "xl", "--batch", "1024", "--memory-limit", "600MiB")["ways"]
    assert limited[0]["fits"] and not limited[-1]["fits"], limited
    assert all(way["gpus"] == 1 for way in answer("--model", "xl", "--batch", "1024", "--gpus", "1")["ways"])

    check_map(answer("--model", "1000-1000-500", "--batch", "64", "--map"))
    assert "map" not in new

    # Choices by held-out predictions, on the measured cases, against the rule that knows two numbers.
    ours, rule = new["selectors"]
    assert ours["asked"] == rule["asked"] > 0
    assert ours["right"] > rule["right"] and ours["mean_regret"] < rule["mean_regret"], new["selectors"]

    costs_and_deadlines()
    for options, code, word in [((), 1, "results file"), ((MAP,), 1, "--model"), ((MAP, "--model", "xl"), 1, "--batch"),
                                ((MAP, "--model", "no-model", "--batch", "8"), 1, "no-model"),
                                ((MAP, "--model", "xl", "--batch", "8", "--precisions", "fp8"), 1, "bf16"),
                                ((MAP, "--model", "xl", "--batch", "8", "--precisions", "fp32"), 5, "xl"),
                                ((MAP, "--model", "xl", "--batch", "8", "--memory-limit", "much"), 1, "12GB"),
                                ((MAP, "--model", "xl", "--batch", "8", "--deadline", "2h"), 1, "--samples"),
                                ((MAP, "--model", "xl", "--batch", "8", "--samples", "9", "--deadline", "soon"), 1, "30min"),
                                ((MAP, "--model", "xl", "--batch", "8", "--price", "-1"), 1, "--price"),
                                ((MAP, "--model", "xl", "--batch", "8", "--samples", "nan"), 1, "--samples"),
                                ((MAP, "--model", "xl", "--batch", "8", "--amortize", "0"), 1, "months"),
                                ((MAP, "--model", "xl", "--batch", "8", "--hardware-cost", "800,1600"), 1, "--jobs-per-month"),
                                ((MAP, "--model", "xl", "--batch", "8", "--samples", "9", "--hour-value", "9",
                                  "--jobs-per-month", "9", "--hardware-cost", "800"), 1, "800,1600"),
                                (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5")]:
        refused = advise(*options)
        assert refused.returncode == code and word in refused.stderr, (options, refused.returncode, refused.stderr)


if __name__ == "__main__":
    main()
