# SPDX-License-Identifier: Apache-2.0
"""Any number of ranks: the same file, with more ranks in it; what does not divide is refused in a sentence."""
import os
import pathlib
import sys
import tempfile

import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

PROTOCOL = ["--models", "33-17-5", "--warmup", "2", "--steps", "4", "--repeats", "2"]
AXES = ["--backend", "host", *PROTOCOL]


def measure(output: pathlib.Path, ranks: int, *more: str) -> xarray.Dataset:
    program.run_well(ranks, "run", *AXES, "--batches", "12", "--gpus", "1,all", "--output", str(output), *more)
    with xarray.open_dataset(output, engine="h5netcdf") as dataset:
        return dataset.load()


def check_shape(folder: pathlib.Path) -> None:
    names = set()
    for ranks in (1, 2, 3, 4):
        dataset = measure(folder / f"{ranks}.h5", ranks)
        names.add(tuple(sorted(dataset.variables)))
        assert dataset.sizes["rank"] == ranks, dataset.sizes
        assert dataset.sizes["step"] == 4, dataset.sizes
        steps = dataset.seconds.sel(phase="step")
        for run in range(dataset.sizes["run"]):
            took_part = int(dataset.gpus[run])
            assert bool((steps[run, :took_part] > 0).all()), (ranks, run)
            assert bool(steps[run, took_part:].isnull().all()), (ranks, run)
    assert len(names) == 1, "the files of different numbers of ranks have different variables"


def check_append(folder: pathlib.Path) -> None:
    output = folder / "appended.h5"
    before = measure(output, 2)
    after = measure(output, 3, "--append")
    assert after.sizes["run"] == 2 * before.sizes["run"]
    assert after.sizes["rank"] == 3
    assert sorted(set(after.launch_index.values.tolist())) == [0, 1]
    both = slice(0, before.sizes["run"])
    assert (after.seconds[both, :2].values == before.seconds.values).sum() == before.seconds.notnull().sum()


def check_refusals(folder: pathlib.Path) -> None:
    def refused(code: int, words: str, ranks: int, *arguments: str) -> None:
        options = {"--backend": "host", "--output": str(folder / "refused.h5")}
        options |= dict(zip(arguments[::2], arguments[1::2]))
        done = program.run(ranks, "run", *PROTOCOL, *(word for option in options.items() for word in option))
        assert done.returncode == code, (done.returncode, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("breakeven: ") and "sees no GPU" not in line]
        assert len(lines) == 1, done.stderr
        assert words in lines[0], lines
        assert not (folder / "refused.h5").exists()

    refused(1, "batch 16 does not divide over 3 GPUs; 15 or 18 would", 3, "--batches", "16")
    refused(1, "is not one of single, independent, ddp", 2, "--strategies", "dpp")
    refused(1, "neither 'all' nor a number from 1 to 2", 2, "--gpus", "3")
    refused(5, "there is no folder", 2, "--batches", "16", "--output", str(folder / "none" / "x.h5"))
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # also where there are GPUs, this launch sees none
    refused(2, "GPU", 2, "--backend", "cuda", "--batches", "16")
    output = folder / "1.h5"
    size = output.stat().st_size
    done = program.run(1, "run", *AXES, "--batches", "12", "--output", str(output))
    assert done.returncode == 5 and "pass --append" in done.stderr, done.stderr
    assert output.stat().st_size == size, "a refused run touched the file"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_shape(folder)
        check_append(folder)
        check_refusals(folder)


if __name__ == "__main__":
    main()
