# SPDX-License-Identifier: Apache-2.0
"""`--memory-limit`: what needs more is refused with the sum, before anything is allocated; the report says what fits."""
import json
import pathlib
import sys
import tempfile

import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

OPTIONS = ["--backend", "host", "--models", "37-31-5", "--batches", "12,24", "--gpus", "1,all", "--warmup", "2",
           "--steps", "4", "--repeats", "1", "--samples", "100"]


def said(*arguments: str, command: str = "run", code: int = 0) -> str:
    done = program.run(2, command, *OPTIONS, *arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout + done.stderr


def check_refusal(folder: pathlib.Path) -> None:
    output = folder / "refused.h5"
    for more in ([], ["--dry-run"]):
        text = said("--output", str(output), "--memory-limit", "40kB", *more, code=1)
        (line,) = [line for line in text.splitlines() if "--memory-limit" in line]
        assert "parameters" in line and " + gradients" in line and " + moments" in line, line
        assert " + activations" in line and " + samples" in line and "39.1 KiB" in line, line
        assert not output.exists()
    assert "not a size such as 12GB" in said("--memory-limit", "12", code=1)
    assert "no --memory-limit" in said("--memory-limit", "1GB", command="verify", code=1)


def check_prediction(folder: pathlib.Path) -> None:
    """On the host, where streams have no scratch and the exchange uses pinned memory, to the byte."""
    output = folder / "results.h5"
    said("--output", str(output), "--memory-limit", "1MB", "--precisions", "fp32,bf16", "--data", "resident,streamed",
         "--strategies", "single,ddp,parameter-server,ddp:compress=int8,ddp:compress=powersgd:2:buckets=1kB,"
         "ddp:accumulate=3:checkpoint=activations")
    data = xarray.load_dataset(output, engine="h5netcdf")
    for place in range(data.sizes["run"]):
        run = data.isel(run=place, rank=slice(0, int(data.gpus[place])))
        assert (run.predicted_memory_bytes == run.peak_memory_bytes).all(), (str(run.run.values), run)
        assert (run.rows_memory_bytes < run.predicted_memory_bytes).all()
    limit = float(data.peak_memory_bytes.max()) - 1
    text = program.run_well(1, "report", str(output), "--format", "json", "--memory-limit", f"{int(limit)}B").stdout
    cases = json.loads(text)["cases"]
    assert {case["fits"] for case in cases} == {True, False}, cases
    for case in cases:
        assert case["fits"] == (case["largest_batch"] >= case["batch"]), case
        beyond = case["largest_batch"] + case["gpus"] - case["batch"]
        grown = case["peak_memory_bytes"] + beyond / case["gpus"] * case["memory_bytes_a_row"]
        assert grown > limit, case  # one row a rank more does not fit
        assert grown - case["memory_bytes_a_row"] <= limit, case


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_refusal(folder)
        check_prediction(folder)


if __name__ == "__main__":
    main()
