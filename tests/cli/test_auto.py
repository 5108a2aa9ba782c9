# SPDX-License-Identifier: Apache-2.0
"""`run --strategies auto`: what it records opens in xarray as documented, the report's regret follows from it by hand, and
it refuses in one sentence."""
import json
import math
import pathlib
import sys
import tempfile

import numpy
import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

HOST = ["--backend", "host", "--warmup", "2", "--steps", "8", "--instrument", "total"]
WAYS = {"single": 1, "ddp": 2, "zero1": 2}
REPEATS = 6  # three choose the fastest way, three tell its speed
CASES = ["--cases", "64-256-16:32", "--cases", "33-17-5:12"]


def measured(output: pathlib.Path, *options: str, ranks: int = 2) -> xarray.Dataset:
    program.run_well(ranks, "run", *HOST, "--probe-steps", "5", *options, "--output", str(output))
    return xarray.load_dataset(output, engine="h5netcdf")


def check_choice(run: xarray.Dataset) -> None:
    """The chosen way is the candidate with the shortest probed step of those that were probed most."""
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


def check_file(folder: pathlib.Path) -> None:
    file = folder / "auto.h5"
    data = measured(file, *CASES, "--strategies", ",".join(["auto", *WAYS]), "--gpus", "2", "--candidates", ",".join(WAYS),
                    "--repeats", str(REPEATS))
    assert (data.status == 2).all() and data.sizes["run"] == 2 * 4 * REPEATS, data.sizes
    assert "candidate" in data.sizes and data.sizes["candidate"] == 3
    auto = data.where(data.strategy == "auto", drop=True)
    assert auto.sizes["run"] == 2 * REPEATS
    for run in range(2 * REPEATS):
        check_choice(auto.isel(run=run))
        assert " auto " in str(auto.run[run].values)
    # One choice a case and launch, and none for the others.
    for _, runs in auto.groupby("model"):
        assert len(set(runs.chosen.values)) == 1 and len(set(runs.choosing_seconds.values)) == 1
    others = data.where(data.strategy != "auto", drop=True)
    assert (others.chosen == "").all() and (others.candidates == 0).all() and numpy.isnan(others.choosing_seconds).all()
    settings = str(data.settings[0].values)
    assert '"candidates":"single, ddp, zero1"' in settings.replace(": ", ":") and "probe-steps" in settings, settings
    check_report(file, data)
    check_host_is_said(file)
    # A launch without `auto` before or after leaves room for none.
    after = measured(file, "--cases", "33-17-5:12", "--strategies", "single", "--repeats", "1", "--append")
    assert after.sizes["candidate"] == 3 and int(after.candidates[-1]) == 0
    check_evidence(folder, file)


def block_means(data: xarray.Dataset, model: str, strategy: str) -> list[float]:
    """[repeat] mean step of the slowest rank."""
    runs = data.isel(run=((data.model == model) & (data.strategy == strategy)).values).sortby("repeat")
    return runs.seconds.sel(phase="step").max("rank").mean("step").values.tolist()


def regret_by_hand(data: xarray.Dataset, model: str) -> tuple[str, float]:
    chosen = block_means(data, model, "auto")
    logs = {way: [math.log(own / other) for own, other in zip(chosen, block_means(data, model, way))] for way in WAYS}
    fastest = max(WAYS, key=lambda way: sum(logs[way][1::2]))
    return f"{fastest} on {WAYS[fastest]}", math.exp(sum(logs[fastest][0::2]) / (REPEATS / 2)) - 1


def check_report(file: pathlib.Path, data: xarray.Dataset) -> None:
    report = json.loads(program.run_well(1, "report", str(file), "--format", "json").stdout)
    assert len(report["choices"]) == 2 and len(report["choice_candidates"]) == 2 * len(WAYS), report["choices"]
    for row in report["choices"]:
        model = row["model"]
        fastest, regret = regret_by_hand(data, model)
        assert row["fastest"] == fastest and math.isclose(row["regret"], regret, abs_tol=1e-9), (row, fastest, regret)
        run = data.isel(run=int(((data.model == model) & (data.strategy == "auto")).argmax()))
        assert row["chosen"] == f"{run.chosen.values} on {int(run.gpus)}", row
        assert math.isclose(row["choosing_seconds"], float(run.choosing_seconds)), row
        gain = numpy.mean(block_means(data, model, "single")) - numpy.mean(block_means(data, model, "auto"))
        if run.chosen != "single" and gain > 0:
            assert math.isclose(row["steps_to_earn_over_single"], math.ceil(row["choosing_seconds"] / gain), abs_tol=1), row
        else:
            assert row["steps_to_earn_over_single"] is None, row
    rows = [row for row in report["cases"] if row["strategy"] == "auto"]
    assert [row["regret"] for row in rows] == [row["regret"] for row in report["choices"]], rows
    assert "What auto chose" in program.run_well(1, "report", str(file)).stdout
    text = program.run_well(1, "report", str(file), "--sections", "choices").stdout
    assert "What auto chose" in text and "What auto saw" in text, text


def check_host_is_said(file: pathlib.Path) -> None:
    asked = ["--model", "64-256-16", "--batch", "32"]
    for command in (["report"], ["advise", *asked], ["predict", *asked]):
        said = " ".join(program.run_well(1, *command, str(file)).stdout.split())
        assert "The devices are processor cores (host backend), not GPUs" in said, said


def check_evidence(folder: pathlib.Path, file: pathlib.Path) -> None:
    """What was measured before is predicted: exactly that of the very case."""
    data = measured(folder / "second.h5", "--cases", "33-17-5:12", "--strategies", "auto", "--candidates", "single,ddp",
                    "--repeats", "1", "--evidence", str(file))
    assert (data.candidate_predicted_seconds > 0).all()


def check_one_way(folder: pathlib.Path) -> None:
    """Where there is nothing to choose, nothing is probed, and it says so."""
    done = program.run_well(1, "run", *HOST, "--cases", "33-17-5:12", "--strategies", "auto", "--repeats", "1",
                            "--output", str(folder / "one.h5"))
    assert "nothing to choose" in done.stderr, done.stderr
    data = xarray.load_dataset(folder / "one.h5", engine="h5netcdf")
    assert str(data.chosen[0].values) == "single" and int(data.candidates[0]) == 1
    assert numpy.isnan(data.candidate_probed_seconds).all() and int(data.candidate_probe_steps[0, 0]) == 0


def check_refusals(folder: pathlib.Path) -> None:
    case = ["--cases", "33-17-5:12", "--strategies", "auto", "--dry-run"]
    planned = program.run_well(2, "run", *HOST, *case).stdout
    assert "auto" in planned and "of single on 1, ddp on 2" in planned, planned
    for options, word in [(["--candidates", "nonsense"], "is not one of"), (["--candidates", "independent"], "exact"),
                          (["--candidates", "auto"], "exact"), (["--scaling", "weak"], "--scaling strong"),
                          (["--probe-steps", "0"], "from 1 to 10000"), (["--memory-limit", "1kB"], "no candidate"),
                          (["--candidates", "tensor", "--gpus", "1"], "none of tensor")]:
        refused = program.run(2, "run", *HOST, *case, *options)
        assert refused.returncode == 1 and word in refused.stderr, (options, refused.returncode, refused.stderr)
        assert refused.stderr.count("breakeven:") == 1, refused.stderr
    for command, options in [("verify", ["--strategies", "auto"]), ("run", ["--strategies", "auto:x"]),
                             ("run", ["--strategies", "ddp", "--evidence", "x.h5"])]:
        refused = program.run(1, command, "--backend", "host", "--models", "33-17-5", *options)
        assert refused.returncode == 1 and refused.stderr.count("breakeven:") == 1, refused.stderr
    nowhere = program.run(2, "run", *HOST, *case, "--evidence", str(folder / "none.h5"))
    assert nowhere.returncode == 5 and "none.h5" in nowhere.stderr, nowhere.stderr


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_refusals(folder)
        check_file(folder)
        check_one_way(folder)


if __name__ == "__main__":
    main()
