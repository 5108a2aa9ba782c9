# SPDX-License-Identifier: Apache-2.0
"""`run --strategies auto`: xarray opens its file as documented, the report's regret equals one computed here, and bad
options are refused in one sentence."""
import json
import math
import pathlib

import numpy
import program
import pytest
import xarray

HOST = ["--backend", "host", "--warmup", "2", "--steps", "8", "--timing", "steps"]
WAYS = {"single": 1, "ddp": 2, "zero1": 2}
REPEATS = 6  # three select the fastest strategy, three measure its speed
MODELS = ["64-256-16", "33-17-5"]
CASES = ["--cases", "64-256-16:32", "--cases", "33-17-5:12"]
PLAN = ["--cases", "33-17-5:12", "--strategies", "auto", "--dry-run"]


def measured(output: pathlib.Path, *options: str, ranks: int = 2) -> xarray.Dataset:
    program.run_well(ranks, "run", *HOST, "--probe-steps", "5", *options, "--output", str(output))
    return xarray.load_dataset(output)


@pytest.fixture(scope="module")
def file(folder: pathlib.Path) -> pathlib.Path:
    """`auto` and each of its candidates, on two cases."""
    path = folder / "auto.h5"
    measured(path, *CASES, "--strategies", ",".join(["auto", *WAYS]), "--gpus", "2", "--candidates", ",".join(WAYS),
             "--repeats", str(REPEATS))
    return path


@pytest.fixture(scope="module")
def data(file: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(file)


@pytest.fixture(scope="module")
def report(file: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(file), "--format", "json"))


def test_every_run_is_recorded(data: xarray.Dataset) -> None:
    assert (data.status == 2).all() and data.sizes["run"] == 2 * 4 * REPEATS, data.sizes
    assert "candidate" in data.sizes and data.sizes["candidate"] == 3
    settings = str(data.settings[0].values)
    assert '"candidates":"single, ddp, zero1"' in settings.replace(": ", ":") and "probe-steps" in settings, settings


def check_choice(run: xarray.Dataset) -> None:
    """The chosen strategy has the shortest probed step of the candidates with the most probe steps."""
    count = int(run.candidates)
    ways = [(str(run.candidate_strategy[i].values), int(run.candidate_gpus[i])) for i in range(count)]
    assert dict(ways) == WAYS, ways
    probed, steps = run.candidate_probed_seconds[:count].values, run.candidate_probe_steps[:count].values
    assert (probed > 0).all() and (probed < 10).all(), probed
    # 3 candidates of 5 steps, then 2 of 10.
    assert sorted(steps) == [5, 15, 15], steps
    finalists = steps == 15
    assert not (probed[~finalists] < probed[finalists].min()).any(), (probed, steps)
    best = min((i for i in range(count) if finalists[i]), key=lambda i: probed[i])
    assert (str(run.chosen.values), int(run.gpus)) == ways[best], (run.chosen.values, ways, probed)
    assert str(run.collective.values) == ("none" if int(run.gpus) == 1 else "mpi")
    assert float(run.choosing_seconds) > 0
    assert (run.candidate_predicted_seconds[:count] > 0).all()


@pytest.mark.parametrize("model", MODELS)
def test_the_choice_follows_from_the_probes(data: xarray.Dataset, model: str) -> None:
    """One choice per case and launch."""
    auto = data.isel(run=((data.strategy == "auto") & (data.model == model)).values)
    assert auto.sizes["run"] == REPEATS
    for run in range(REPEATS):
        check_choice(auto.isel(run=run))
        assert " auto " in str(auto.run[run].values)
    assert len(set(auto.chosen.values)) == 1 and len(set(auto.choosing_seconds.values)) == 1


def test_other_strategies_have_no_choice(data: xarray.Dataset) -> None:
    others = data.isel(run=(data.strategy != "auto").values)
    assert others.sizes["run"] == 2 * len(WAYS) * REPEATS
    assert (others.chosen == "").all() and (others.candidates == 0).all() and numpy.isnan(others.choosing_seconds).all()


def block_means(data: xarray.Dataset, model: str, strategy: str) -> list[float]:
    """[repeat] mean step time of the slowest rank."""
    runs = data.isel(run=((data.model == model) & (data.strategy == strategy)).values).sortby("repeat")
    return runs.seconds.sel(phase="step").max("rank").mean("step").values.tolist()


def regret_by_hand(data: xarray.Dataset, model: str) -> tuple[str, float]:
    chosen = block_means(data, model, "auto")
    logs = {way: [math.log(own / other) for own, other in zip(chosen, block_means(data, model, way))] for way in WAYS}
    fastest = max(WAYS, key=lambda way: sum(logs[way]))
    return f"{fastest} on {WAYS[fastest]}", math.exp(sum(logs[fastest]) / REPEATS) - 1


@pytest.mark.parametrize("model", MODELS)
def test_report_has_the_regret(report: dict, data: xarray.Dataset, model: str) -> None:
    (row,) = [choice for choice in report["autotuning"] if choice["model"] == model]
    fastest, regret = regret_by_hand(data, model)
    assert row["fastest"] == fastest and math.isclose(row["regret"], regret, abs_tol=1e-9), (row, fastest, regret)
    run = data.isel(run=int(((data.model == model) & (data.strategy == "auto")).argmax()))
    assert row["chosen"] == f"{run.chosen.values} on {int(run.gpus)}", row
    assert math.isclose(row["autotuning_seconds"], float(run.choosing_seconds)), row
    gain = numpy.mean(block_means(data, model, "single")) - numpy.mean(block_means(data, model, "auto"))
    if run.chosen != "single" and gain > 0:
        assert math.isclose(row["steps_to_earn_over_single"], math.ceil(row["autotuning_seconds"] / gain), abs_tol=1), row
    else:
        assert row["steps_to_earn_over_single"] is None, row


def test_report_has_every_choice_and_candidate(report: dict) -> None:
    assert len(report["autotuning"]) == 2 and len(report["autotuning_candidates"]) == 2 * len(WAYS), report["autotuning"]
    rows = [row for row in report["cases"] if row["strategy"] == "auto"]
    assert [row["regret"] for row in rows] == [row["regret"] for row in report["autotuning"]], rows


def test_report_prints_the_choices(file: pathlib.Path) -> None:
    text = program.said("report", str(file), "--sections", "autotuning")
    assert "what auto chose, and its regret" in " ".join(text.split()) and "Autotuning candidates" in text, text


@pytest.mark.parametrize("command", ["report", "advise", "predict"])
def test_commands_say_that_the_devices_are_processors(file: pathlib.Path, command: str) -> None:
    asked = [] if command == "report" else ["--model", "64-256-16", "--batch", "32"]
    said = " ".join(program.said(command, *asked, str(file)).split())
    assert "The devices are processor cores (host backend), not GPUs" in said, said


def test_evidence(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A case that was measured before is predicted exactly."""
    data = measured(tmp_path / "second.h5", "--cases", "33-17-5:12", "--strategies", "auto", "--candidates", "single,ddp",
                    "--repeats", "1", "--evidence", str(file))
    assert (data.candidate_predicted_seconds > 0).all()


def test_append_without_auto_adds_no_candidates(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    copy = tmp_path / "appended.h5"
    copy.write_bytes(file.read_bytes())
    after = measured(copy, "--cases", "33-17-5:12", "--strategies", "single", "--repeats", "1", "--append")
    assert after.sizes["candidate"] == 3 and int(after.candidates[-1]) == 0


def test_one_candidate_is_not_probed(tmp_path: pathlib.Path) -> None:
    """The output says that there is only one candidate."""
    done = program.run_well(1, "run", *HOST, "--cases", "33-17-5:12", "--strategies", "auto", "--repeats", "1",
                            "--output", str(tmp_path / "one.h5"))
    assert "the only candidate" in done.stderr, done.stderr
    data = xarray.load_dataset(tmp_path / "one.h5")
    assert str(data.chosen[0].values) == "single" and int(data.candidates[0]) == 1
    assert numpy.isnan(data.candidate_probed_seconds).all() and int(data.candidate_probe_steps[0, 0]) == 0


def test_dry_run_names_the_candidates() -> None:
    planned = program.run_well(2, "run", *HOST, *PLAN).stdout
    assert "auto" in planned and "chooses among single on 1, ddp on 2" in planned, planned


@pytest.mark.parametrize("options, words", [
    (["--candidates", "nonsense"], "is not one of"),
    (["--candidates", "independent"], "exact"),
    (["--candidates", "auto"], "exact"),
    (["--scaling", "weak"], "--scaling strong"),
    (["--probe-steps", "0"], "from 1 to 10000"),
    (["--memory-limit", "1kB"], "no candidate"),
    (["--candidates", "tensor", "--gpus", "1"], "none of tensor"),
])
def test_refusals(options: list[str], words: str) -> None:
    refused = program.run(2, "run", *HOST, *PLAN, *options)
    assert refused.returncode == 1 and words in refused.stderr, (refused.returncode, refused.stderr)
    assert refused.stderr.count("breakeven:") == 1, refused.stderr


@pytest.mark.parametrize("command, options", [
    ("verify", ["--strategies", "auto"]),
    ("run", ["--strategies", "auto:x"]),
    ("run", ["--strategies", "ddp", "--evidence", "x.h5"]),
])
def test_refusals_of_other_options(command: str, options: list[str]) -> None:
    refused = program.run(1, command, "--backend", "host", "--models", "33-17-5", *options)
    assert refused.returncode == 1 and refused.stderr.count("breakeven:") == 1, refused.stderr


def test_missing_evidence_is_refused(tmp_path: pathlib.Path) -> None:
    nowhere = program.run(2, "run", *HOST, *PLAN, "--evidence", str(tmp_path / "none.h5"))
    assert nowhere.returncode == 5 and "none.h5" in nowhere.stderr, nowhere.stderr
