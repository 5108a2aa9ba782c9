# SPDX-License-Identifier: Apache-2.0
"""`breakeven trace`: the JSON is the file's steps and phases, on a clock on which the ranks' exchanges meet."""
import collections
import dataclasses
import json
import math
import pathlib

import program
import pytest
import xarray

RANKS, STEPS = 3, 25
STRATEGIES = ["single", "ddp", "async-server", "pipeline"]
OLDER = pathlib.Path(__file__).parents[2] / "results" / "h200-4-2026-11-21" / "scaling.h5"


def refused(code: int, words: str, *arguments: str) -> None:
    done = program.alone("trace", *arguments)
    program.check_refusal(done, code, words)
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.fixture(scope="module")
def results(folder: pathlib.Path) -> str:
    path = str(folder / "results.h5")
    program.run_well(RANKS, "run", "--backend", "host", "--models", "300-300-300-10", "--batches", "48", "--gpus", "all",
                     "--strategies", ",".join(STRATEGIES), "--warmup", "3", "--steps", str(STEPS),
                     "--repeats", "1", "--samples", "480", "--output", path)
    return path


@pytest.fixture(scope="module")
def data(results: str) -> xarray.Dataset:
    return xarray.load_dataset(results)


@dataclasses.dataclass
class Trace:
    """Of one run, with what the file says of it."""
    run: xarray.Dataset
    whole: dict
    rows: dict  # slices of a row of a rank, in order, by (rank, row)

    @property
    def ranks(self) -> int:
        return int(self.run.gpus)


def slices_of(whole: dict) -> dict:
    rows = collections.defaultdict(list)
    for event in whole["traceEvents"]:
        if event["ph"] == "X":
            rows[event["tid"] - 100, event["cat"]].append(event)
    return {row: sorted(events, key=lambda event: event["ts"]) for row, events in rows.items()}


@pytest.fixture(scope="module", params=[(strategy, timing) for strategy in STRATEGIES for timing in ("total", "phases")])
def trace(request: pytest.FixtureRequest, results: str, data: xarray.Dataset) -> Trace:
    chosen = (data.strategy.values == request.param[0]) & (data.instrument.values == request.param[1])
    (place,) = chosen.nonzero()[0]
    done = program.ended_well(program.alone("trace", results, "--run", str(place)))
    assert done.stderr == "", done
    whole = json.loads(done.stdout)
    return Trace(data.isel(run=place), whole, slices_of(whole))


def check_row(events: list[dict], seconds: xarray.DataArray) -> None:
    """None overlaps the next, and every one takes what the file says, to the nanosecond that the format has."""
    for event, following in zip(events, events[1:]):
        assert event["ts"] + event["dur"] <= following["ts"] + 1e-4, (event, following)
    for event in events:
        phase = event["name"] if event["cat"] == "phase" else "step"
        in_file = float(seconds.sel(phase=phase)[event["args"]["step"]])
        assert event["args"]["seconds"] == in_file, (event, in_file)
        assert abs(1e-6 * event["dur"] - in_file) <= 2e-9 + 1e-3 * in_file, (event, in_file)


def test_clocks_are_compared(data: xarray.Dataset) -> None:
    assert math.isfinite(float(data.start_uncertainty_seconds[:, 0].max()))
    assert data.sizes["run"] == 2 * len(STRATEGIES), data.run.values


def test_ranks_have_their_names(trace: Trace) -> None:
    assert trace.whole["otherData"]["run"] == str(trace.run.run.values)
    assert {rank for rank, _ in trace.rows} == set(range(trace.ranks))
    names = {event["tid"] - 100: event["args"]["name"] for event in trace.whole["traceEvents"]
             if event["name"] == "thread_name"}
    assert all(names[rank].startswith(f"rank {rank} (") for rank in range(trace.ranks)), names


def test_steps_are_those_of_the_file(trace: Trace) -> None:
    for rank in range(trace.ranks):
        steps = trace.rows[rank, "step"]
        assert [event["args"]["step"] for event in steps] == list(range(STEPS))
        check_row(steps, trace.run.seconds[rank])
        for event in steps:
            start = float(trace.run.start_seconds[rank, event["args"]["step"]])
            assert abs(1e-6 * event["ts"] - start) <= 1e-9, (event, start)


def test_phases_are_those_of_the_file(trace: Trace) -> None:
    measured_phases = str(trace.run.instrument.values) == "phases"
    for rank in range(trace.ranks):
        assert ((rank, "phase") in trace.rows) == measured_phases
        if measured_phases:
            check_row(trace.rows[rank, "phase"], trace.run.seconds[rank])
            drawn = collections.Counter(event["name"] for event in trace.rows[rank, "phase"])
            assert drawn["forward"] == drawn["backward"] == STEPS, drawn


def test_arrows_chain_the_ranks_that_meet_in_a_step(trace: Trace) -> None:
    """Through all ranks in each step, forward in time; none where the ranks do not meet in a step."""
    arrows = [event for event in trace.whole["traceEvents"] if event.get("cat") == "flow"]
    if trace.ranks == 1 or str(trace.run.strategy.values) == "async-server":
        assert arrows == [], arrows
        return
    for step in range(STEPS):
        chain = [event for event in arrows if event["id"] == step]
        assert [event["ph"] for event in chain] == ["s", *["t"] * (trace.ranks - 2), "f"], chain
        assert {event["tid"] - 100 for event in chain} == set(range(trace.ranks))
        assert [event["ts"] for event in chain] == sorted(event["ts"] for event in chain)


@pytest.mark.parametrize("trace", [("ddp", "phases")], indirect=True)
def test_exchanges_meet(trace: Trace) -> None:
    """No rank leaves a collective before all have entered it: so all are in it at one moment, to within the clocks."""
    assert trace.ranks == RANKS
    uncertainty = float(trace.run.start_uncertainty_seconds[:RANKS].max())
    together = 0
    for step in range(STEPS):
        entered, left, exchanging = [], [], []
        for rank in range(RANKS):
            inside = [event for event in trace.rows[rank, "phase"]
                      if event["args"]["step"] == step and event["name"] in ("wait", "exchange")]
            entered.append(min(event["ts"] for event in inside))
            left.append(max(event["ts"] + event["dur"] for event in inside))
            (exchange,) = [event for event in inside if event["name"] == "exchange"]
            exchanging.append(exchange["ts"])
        assert max(entered) <= min(left) + 2e6 * uncertainty, (step, entered, left)
        together += max(exchanging) <= min(left)
    assert together > 0, "the exchange itself is at one time on all ranks, where they are not scheduled away"


@pytest.mark.parametrize("given, first, last", [("3-5", 3, 5), ("7", 7, 7), (f"0-{STEPS - 1}", 0, STEPS - 1)])
def test_steps_are_selected(results: str, tmp_path: pathlib.Path, given: str, first: int, last: int) -> None:
    output = tmp_path / "trace.json"
    assert program.said("trace", results, "--run", "0", "--steps", given, "--output", str(output)) == ""
    rows = slices_of(json.loads(output.read_text(encoding="utf-8")))
    assert [event["args"]["step"] for event in rows[0, "step"]] == list(range(first, last + 1))


def test_without_a_run_all_are_listed(results: str, data: xarray.Dataset) -> None:
    rows = [line.split() for line in program.said("trace", results).splitlines()[3:]]
    listed = {int(number): (case.split("/")[3], timing, int(steps)) for number, case, timing, steps in rows}
    assert sorted(listed) == list(range(data.sizes["run"]))
    for number, (strategy, timing, steps) in listed.items():
        run = data.isel(run=number)
        assert (strategy, timing, steps) == (str(run.strategy.values), str(run.instrument.values), STEPS)


def test_the_run_must_be_in_the_file(results: str, data: xarray.Dataset) -> None:
    runs = data.sizes["run"]
    refused(1, "--run N is missing", results, "--steps", "3")
    refused(1, f"from 0 to {runs - 1}", results, "--run", str(runs))


@pytest.mark.parametrize("words, options", [
    *(("is neither a range (10-19)", ["--run", "0", f"--steps={steps}"]) for steps in ("5-3", "-4", "a-b", "1-2-3", "3-")),
    (f"run 0 has the steps 0 to {STEPS - 1}", ["--run", "0", "--steps", f"3-{STEPS}"]),
    ("--run", ["--run", "x"]),
])
def test_refusals(results: str, words: str, options: list[str]) -> None:
    refused(1, words, results, *options)


def test_the_results_file_is_not_overwritten(results: str) -> None:
    refused(1, "overwrite", results, "--run", "0", "--output", results)


def test_no_file_is_refused() -> None:
    refused(1, "breakeven trace FILE", "--run", "0")


def test_files_of_an_older_program_have_no_starts() -> None:
    refused(5, "an older program recorded it", str(OLDER), "--run", "0")


KERNELS = ["--kernels", "--backend", "host", "--models", "33-17-5", "--batches", "12", "--samples", "240"]


@pytest.mark.parametrize("code, words, options", [
    (2, "this device is the host", []),
    (1, "takes one case, but these options name 2", ["--batches", "12,24"]),
    (1, "takes none of --until", ["--until", "loss=1"]),
    (1, "one strategy by its name", ["--strategies", "auto"]),
    (1, "records whole steps", ["--timing", "phases"]),
    (1, "unrecognised option '--bogus'", ["--bogus", "3"]),
    (1, "--kernels-output '/no/such/folder/x' cannot be written", ["--kernels-output", "/no/such/folder/x"]),
    (1, "name the same file", ["--output", "x.json", "--kernels-output", "x.json"]),
    (1, "'--kernels-output' is missing", ["--kernels-output"]),
])
def test_kernels_are_recorded_on_gpus_alone(tmp_path: pathlib.Path, code: int, words: str, options: list[str]) -> None:
    given = [word for word in KERNELS if word not in ("--batches", "12")] if "--batches" in options else KERNELS
    done = program.alone("trace", *given, *options, cwd=tmp_path)
    program.check_refusal(done, code, words)
    assert not list(tmp_path.iterdir()), "a refused command leaves no file"


def test_every_rank_ends_where_kernels_cannot_be_recorded(tmp_path: pathlib.Path) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text("{}", encoding="utf-8")
    done = program.run(2, "trace", *KERNELS, "--strategies", "ddp", "--kernels-output", str(earlier))
    assert done.returncode == 2 and done.stderr.count("this device is the host") == 1, done.stderr
    assert earlier.read_text(encoding="utf-8") == "{}", "nothing is lost"


def test_kernels_is_written_in_full() -> None:
    refused(1, "write --kernels in full", "--kern")
