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

    # Choices by held-out predictions, on the measured cases, against the rule that knows two numbers.
    ours, rule = new["selectors"]
    assert ours["asked"] == rule["asked"] > 0
    assert ours["right"] > rule["right"] and ours["mean_regret"] < rule["mean_regret"], new["selectors"]

    for options, code, word in [((), 1, "results file"), ((MAP,), 1, "--model"), ((MAP, "--model", "xl"), 1, "--batch"),
                                ((MAP, "--model", "no-model", "--batch", "8"), 1, "no-model"),
                                ((MAP, "--model", "xl", "--batch", "8", "--precisions", "fp8"), 1, "bf16"),
                                ((MAP, "--model", "xl", "--batch", "8", "--precisions", "fp32"), 5, "xl"),
                                ((MAP, "--model", "xl", "--batch", "8", "--memory-limit", "much"), 1, "12GB"),
                                (("no-file.h5", "--model", "xl", "--batch", "8"), 5, "no-file.h5")]:
        refused = advise(*options)
        assert refused.returncode == code and word in refused.stderr, (options, refused.returncode, refused.stderr)


if __name__ == "__main__":
    main()
