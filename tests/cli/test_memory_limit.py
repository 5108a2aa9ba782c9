# SPDX-License-Identifier: Apache-2.0
"""`--memory-limit` refuses a case that needs more, and shows the sum; the report says which batch fits."""
import json
import pathlib

import program
import pytest
import xarray

OPTIONS = ["--backend", "host", "--models", "37-31-5", "--batches", "12,24", "--gpus", "1,all", "--warmup", "2",
           "--steps", "4", "--repeats", "1", "--samples", "100"]
STRATEGIES = ["single", "ddp", "parameter-server", "ddp:compress=int8", "ddp:compress=powersgd:2:buckets=1kB",
              "ddp:accumulate=3:checkpoint=activations"]


def said(*arguments: str, command: str = "run", code: int = 0) -> str:
    done = program.run(2, command, *OPTIONS, *arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_case_that_needs_more_is_refused_with_the_sum(tmp_path: pathlib.Path, more: list[str]) -> None:
    output = tmp_path / "refused.h5"
    text = said("--output", str(output), "--memory-limit", "40kB", *more, code=1)
    (line,) = [line for line in text.splitlines() if "--memory-limit" in line]
    assert "parameters" in line and " + gradients" in line and " + moments" in line, line
    assert " + activations" in line and " + samples" in line and "39.1 KiB" in line, line
    assert not output.exists()


def test_a_limit_without_a_unit_is_refused() -> None:
    assert "not a size such as 12GB" in said("--memory-limit", "12", code=1)


def test_verify_has_no_limit() -> None:
    assert "or --memory-limit" in said("--memory-limit", "1GB", command="verify", code=1)


@pytest.fixture(scope="module")
def output(folder: pathlib.Path) -> pathlib.Path:
    path = folder / "results.h5"
    said("--output", str(path), "--memory-limit", "1MB", "--precisions", "fp32,bf16", "--data", "resident,streamed",
         "--strategies", ",".join(STRATEGIES))
    return path


@pytest.fixture(scope="module")
def data(output: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(output)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_memory_is_predicted_to_the_byte(data: xarray.Dataset, strategy: str) -> None:
    """On the host, where streams need no scratch memory and communication uses pinned memory."""
    places = [place for place in range(data.sizes["run"]) if data.strategy.values[place] == strategy]
    assert places, set(data.strategy.values)
    for place in places:
        run = data.isel(run=place, rank=slice(0, int(data.gpus[place])))
        assert (run.predicted_memory_bytes == run.peak_memory_bytes).all(), (str(run.run.values), run)
        assert (run.rows_memory_bytes < run.predicted_memory_bytes).all()


def test_the_report_says_which_batch_fits(output: pathlib.Path, data: xarray.Dataset) -> None:
    limit = float(data.peak_memory_bytes.max()) - 1
    text = program.said("report", str(output), "--format", "json", "--memory-limit", f"{int(limit)}B")
    cases = json.loads(text)["cases"]
    assert {case["fits"] for case in cases} == {True, False}, cases
    for case in cases:
        assert case["fits"] == (case["largest_batch"] >= case["batch"]), case
        beyond = case["largest_batch"] + case["gpus"] - case["batch"]
        grown = case["peak_memory_bytes"] + beyond / case["gpus"] * case["memory_bytes_a_row"]
        assert grown > limit, case  # one row a rank more does not fit
        assert grown - case["memory_bytes_a_row"] <= limit, case
