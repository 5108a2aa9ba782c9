# SPDX-License-Identifier: Apache-2.0
"""breakeven predict on recorded files: what it says of more GPUs, what it says of held-out cases, and what it refuses.

The recorded answer about the four H200s is what the program says today, and docs/predict.md quotes it."""
import json
import os
import pathlib
import subprocess
import tempfile

BREAKEVEN = os.environ["BREAKEVEN"]
ROOT = pathlib.Path(__file__).parents[2]
MAP = "results/h200-2-2026-11-22/map.h5"
TOPOLOGY = "jobs/topologies/dgx-h200-superpod.ini"
QUESTION = (MAP, "--model", "xl", "--batch", "12288")


def predict(*options: str) -> subprocess.CompletedProcess:
    return subprocess.run([BREAKEVEN, "predict", *options], capture_output=True, text=True, encoding="utf-8", check=False,
                          cwd=ROOT)


def answer(*options: str) -> dict:
    done = predict(*options, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_curve() -> None:
    said = answer(*QUESTION, "--gpus", "2..1024", "--topology", TOPOLOGY, "--price", "2.5")
    curve = said["curve"]
    assert [point["gpus"] for point in curve] == [2 ** i for i in range(11)], curve
    assert curve[0]["verdict"] == "base" and curve[1]["basis"] == "calibrated", curve[:2]
    assert all(point["cost_a_million"] == 2.5 * point["gpu_hours_a_million"] for point in curve)
    assert all(point["speedup"] <= point["gpus"] for point in curve), curve
    check_intervals(said)
    assert [level["level"] for level in said["levels"]] == ["nvlink", "infiniband"]
    without = answer(*QUESTION, "--gpus", "64")["curve"][-1]
    assert without["gpus"] == 64 and without["speedup"] > curve[6]["speedup"], "one level of NVLink is the best case"
    weak = answer(*QUESTION, "--gpus", "64", "--topology", TOPOLOGY, "--scaling", "weak")["curve"][-1]
    assert weak["efficiency"] > curve[6]["efficiency"] and weak["amdahl"] is None, weak


def check_intervals(said: dict) -> None:
    """Every interval holds its centre; the curve's measured points are in the table of what was measured."""
    for point in said["curve"] + said["measured"]:
        for number in ("step_seconds", "speedup"):
            assert 0 < point[f"{number}_low"] <= point[number] <= point[f"{number}_high"], point
    assert all(point["ideal"] == point["gpus"] for point in said["curve"])
    assert [point["gpus"] for point in said["measured"]] == [], "batch 12288 was not measured"
    known = answer(MAP, "--model", "xl", "--batch", "8192", "--gpus", "2..8")
    assert [point["gpus"] for point in known["measured"]] == [1, 2] and known["scaling"] == "strong", known["measured"]
    assert all(point["basis"] == "measured" for point in known["measured"])
    csv = predict(*QUESTION, "--gpus", "2..8", "--format", "csv").stdout.splitlines()
    assert len(csv) == 5 and "speedup_low,speedup_high" in csv[0] and "step_seconds_high" in csv[0], csv


def check_goodput() -> None:
    options = (*QUESTION, "--gpus", "8,1024", "--topology", TOPOLOGY, "--mtbf", "50000")
    rows = answer(*options, "--disk-bandwidth", "10GB/s", "--restart-seconds", "120")["goodput"]
    assert [row["gpus"] for row in rows] == [1, 8, 1024], rows
    assert all(0 < row["goodput"] <= 1.001 and row["failures"] >= 0 for row in rows), rows
    assert rows[0]["goodput"] > rows[2]["goodput"] and rows[2]["failures"] > rows[0]["failures"], rows
    assert abs(rows[0]["checkpoint_seconds"] - 12 * 54539264 / 10e9) < 1e-9, rows[0]
    fixed = answer(*options, "--checkpoint-seconds", "60", "--checkpoint-interval", "100")["goodput"][-1]
    assert fixed["interval_seconds"] == 100 and fixed["goodput"] < 0.65, fixed
    assert fixed["daly"] < answer(*options, "--checkpoint-seconds", "60")["goodput"][-1]["daly"]


def check_held_out(folder: str, file: str = "scaling.h5", answer_file: str = "predict.md") -> None:
    recorded = ROOT / "results" / folder / answer_file
    done = predict(f"results/{folder}/{file}", "--hold-out-gpus", "4", "--format", "markdown")
    assert done.returncode == 0, done.stderr
    assert done.stdout == recorded.read_text(encoding="utf-8"), f"{recorded} is stale: {done.stdout}"
    sentence = next(line for line in done.stdout.splitlines() if line.startswith("- On 4x"))
    page = (ROOT / "docs" / "predict.md").read_text(encoding="utf-8")
    assert sentence.removeprefix("- ") in page.replace("\n> ", " "), f"docs/predict.md has not: {sentence}"


def check_refusals() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bad = pathlib.Path(folder) / "bad.ini"
        bad.write_text("nodes = 8\n", encoding="utf-8")
        for options, code, word in [((), 1, "results file"), ((MAP,), 1, "--model"), ((MAP, "--model", "xl"), 1, "--batch"),
                                    ((*QUESTION, "--gpus", "8..4"), 1, "8..4096"), ((*QUESTION, "--gpus", "many"), 1, "8..4096"),
                                    ((*QUESTION, "--scaling", "some"), 1, "strong"),
                                    ((*QUESTION, "--topology", str(bad)), 1, "level"),
                                    ((*QUESTION, "--topology", "no-such.ini"), 1, "no-such.ini"),
                                    ((*QUESTION, "--gpus", "12288", "--topology", TOPOLOGY), 1, "4096"),
                                    ((*QUESTION, "--mtbf", "1000"), 1, "--disk-bandwidth"),
                                    ((*QUESTION, "--mtbf", "-1"), 1, "--mtbf"),
                                    ((*QUESTION, "--mtbf", "9", "--disk-bandwidth", "9GB"), 1, "20GB/s"),
                                    ((*QUESTION, "--precisions", "fp32"), 5, "xl"),
                                    ((MAP, "--hold-out-gpus", "1"), 1, "from 2 on"), ((MAP, "--hold-out-gpus", "4"), 5, "4 GPUs"),
                                    (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5")]:
            refused = predict(*options)
            assert refused.returncode == code and word in refused.stderr, (options, refused.returncode, refused.stderr)


def main() -> None:
    check_curve()
    check_goodput()
    check_held_out("h200-4-2026-11-21")
    check_held_out("h200-4-2026-11-22")
    check_held_out("h200-4-2026-11-22", "held-out.h5", "predict-held-out.md")
    check_refusals()


if __name__ == "__main__":
    main()
