#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for a Python with torch: answers the queries of results/pytorch_peer.py with invented step times.

Each mode has one step time. Compiled modes are refused, as on a machine without a compiler. Of several ranks the first
one answers; the others get no queries, and end.
"""
import json
import sys

PARAMETERS = 668  # of 33-17-5, for every model
STEP_SECONDS = {"eager": 1.0, "graph": 0.25, "ddp": 0.75, "fsdp": 0.5}


def answer(question):
    if question["mode"] not in STEP_SECONDS:
        return question | {"refused": "RuntimeError: no compiler"}
    seconds = STEP_SECONDS[question["mode"]]
    return question | {
        "parameters": PARAMETERS, "seconds": dict.fromkeys(("0", "0.05", "0.25", "0.5", "0.75", "0.95", "1"), seconds),
        "mean_seconds": seconds, "host_seconds_per_step": seconds, "setup_seconds": 0.0, "loss": 0.5,
        "gpu_name": "stand-in", "gpu_uuid": "",
        "versions": {"torch": "none"},
    }


def main():
    if "-c" in sys.argv:  # "is torch there?"
        return
    assert sys.argv[1].endswith("pytorch_peer.py") and sys.argv[2] == "--stdin", sys.argv
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
