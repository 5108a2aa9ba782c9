# SPDX-License-Identifier: Apache-2.0
"""`breakeven trace`: the JSON is the file's steps and phases, on a clock on which the ranks' exchanges meet."""
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

RANKS, STEPS = 3, 25
OLDER = pathlib.Path(__file__).parents[2] / "results" / "h200-4-2026-11-21" / "scaling.h5"


def trace(*arguments: str) -> subprocess.CompletedProcess:
    command = [os.environ["BREAKEVEN"], "trace", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=50, check=False)


def refused(code: int, words: str, *arguments: str) -> None:
    done = trace(*arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1 and words in done.stderr, done


def slices_of(whole: dict) -> dict:
    """Those of a row of a rank, in order, by (rank, row)."""
    rows = collections.defaultdict(list)
    for event in whole["traceEvents"]:
        if event["ph"] == "X":
            rows[event["tid"] - 100, event["cat"]].append(event)
    return {row: sorted(events, key=lambda event: event["ts"]) for row, events in rows.items()}


def check_row(events: list[dict], seconds: xarray.DataArray) -> None:
    """None overlaps the next, and every one takes what the file says, to the nanosecond that the format has."""
    for event, following in zip(events, events[1:]):
        assert event["ts"] + event["dur"] <= following["ts"] + 1e-4, (event, following)
    for event in events:
        phase = event["name"] if event["cat"] == "phase" else "step"
        in_file = float(seconds.sel(phase=phase)[event["args"]["step"]])
        assert event["args"]["seconds"] == in_file, (event, in_file)
        assert abs(1e-6 * event["dur"] - in_file) <= 2e-9 + 1e-3 * in_file, (event, in_file)


def check_run(results: pathlib.Path, run: xarray.Dataset, place: int) -> None:
    done = trace(str(results), "--run", str(place))
    assert done.returncode == 0 and done.stderr == "", done
    whole = json.loads(done.stdout)
    rows = slices_of(whole)
    ranks, measured_phases = int(run.gpus), str(run.instrument.values) == "phases"
    assert whole["otherData"]["run"] == str(run.run.values)
    assert {rank for rank, _ in rows} == set(range(ranks))
    names = {event["tid"] - 100: event["args"]["name"] for event in whole["traceEvents"] if event["name"] == "thread_name"}
    assert all(names[rank].startswith(f"rank {rank} (") for rank in range(ranks)), names
    check_arrows([event for event in whole["traceEvents"] if event.get("cat") == "flow"], run)
    for rank in range(ranks):
        steps = rows[rank, "step"]
        assert [event["args"]["step"] for event in steps] == list(range(STEPS))
        check_row(steps, run.seconds[rank])
        for event in steps:
            start = float(run.start_seconds[rank, event["args"]["step"]])
            assert abs(1e-6 * event["ts"] - start) <= 1e-9, (event, start)
        assert ((rank, "phase") in rows) == measured_phases
        if measured_phases:
            check_row(rows[rank, "phase"], run.seconds[rank])
            drawn = collections.Counter(event["name"] for event in rows[rank, "phase"])
            assert drawn["forward"] == drawn["backward"] == STEPS, drawn
    if measured_phases and str(run.strategy.values) == "ddp" and ranks > 1:
        check_exchanges(rows, ranks, float(run.start_uncertainty_seconds[:ranks].max()))


def check_arrows(arrows: list[dict], run: xarray.Dataset) -> None:
    """A chain through all ranks in each step, forward in time; none where the ranks do not meet in a step."""
    ranks = int(run.gpus)
    if ranks == 1 or str(run.strategy.values) == "async-server":
        assert arrows == [], arrows
        return
    for step in range(STEPS):
        chain = [event for event in arrows if event["id"] == step]
        assert [event["ph"] for event in chain] == ["s", *["t"] * (ranks - 2), "f"], chain
        assert {event["tid"] - 100 for event in chain} == set(range(ranks))
        assert [event["ts"] for event in chain] == sorted(event["ts"] for event in chain)


def check_exchanges(rows: dict, ranks: int, uncertainty: float) -> None:
    """No rank leaves a collective before all have entered it: so all are in it at one moment, to within the clocks."""
    together = 0
    for step in range(STEPS):
        entered, left, exchanging = [], [], []
        for rank in range(ranks):
            inside = [event for event in rows[rank, "phase"]
                      if event["args"]["step"] == step and event["name"] in ("wait", "exchange")]
            entered.append(min(event["ts"] for event in inside))
            left.append(max(event["ts"] + event["dur"] for event in inside))
            (exchange,) = [event for event in inside if event["name"] == "exchange"]
            exchanging.append(exchange["ts"])
        assert max(entered) <= min(left) + 2e6 * uncertainty, (step, entered, left)
        together += max(exchanging) <= min(left)
    assert together > 0, "the exchange itself is at one time on all ranks, where they are not scheduled away"


def check_steps(results: pathlib.Path, folder: pathlib.Path) -> None:
    output = folder / "trace.json"
    for given, expected in (("3-5", [3, 4, 5]), ("7", [7]), (f"0-{STEPS - 1}", list(range(STEPS)))):
        done = trace(str(results), "--run", "0", "--steps", given, "--output", str(output))
        assert done.returncode == 0 and done.stdout == "", done
        rows = slices_of(json.loads(output.read_text(encoding="utf-8")))
        assert [event["args"]["step"] for event in rows[0, "step"]] == expected, given


def check_refusals(results: pathlib.Path, runs: int) -> None:
    refused(1, f"--run must name a run of {results}, from 0 to {runs - 1}", str(results))
    refused(1, f"from 0 to {runs - 1}", str(results), "--run", str(runs))
    refused(1, "--run", str(results), "--run", "x")
    refused(1, "breakeven trace FILE", "--run", "0")
    for steps in ("5-3", "-4", "a-b", "1-2-3", "3-"):
        refused(1, "is no range such as 10-19", str(results), "--run", "0", f"--steps={steps}")
    refused(1, f"run 0 has the steps 0 to {STEPS - 1}", str(results), "--run", "0", "--steps", f"3-{STEPS}")
    refused(1, "overwrite", str(results), "--run", "0", "--output", str(results))
    refused(5, "an older program recorded it", str(OLDER), "--run", "0")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        results = pathlib.Path(name) / "results.h5"
        program.run_well(RANKS, "run", "--backend", "host", "--models", "300-300-300-10", "--batches", "48", "--gpus", "all",
                         "--strategies", "single,ddp,async-server,pipeline", "--warmup", "3", "--steps", str(STEPS),
                         "--repeats", "1", "--samples", "480", "--output", str(results))
        data = xarray.load_dataset(results, engine="h5netcdf")
        assert math.isfinite(float(data.start_uncertainty_seconds[:, 0].max()))
        assert {"single", "ddp", "async-server", "pipeline"} == set(data.strategy.values)
        for place in range(data.sizes["run"]):
            check_run(results, data.isel(run=place), place)
        check_steps(results, pathlib.Path(name))
        check_refusals(results, data.sizes["run"])


if __name__ == "__main__":
    main()
