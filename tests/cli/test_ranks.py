# SPDX-License-Identifier: Apache-2.0
"""Any number of ranks writes the same kind of file; a batch that the ranks cannot share is refused in a sentence."""
import pathlib

import program
import pytest
import xarray

PROTOCOL = ["--models", "33-17-5", "--warmup", "2", "--steps", "4", "--repeats", "2"]
AXES = ["--backend", "host", *PROTOCOL]
RANKS = (1, 2, 3, 4)


def measure(output: pathlib.Path, ranks: int, *more: str) -> xarray.Dataset:
    program.run_well(ranks, "run", *AXES, "--batches", "12", "--gpus", "1,all", "--output", str(output), *more)
    return xarray.load_dataset(output)


@pytest.fixture(scope="module")
def measured(folder: pathlib.Path) -> dict[int, xarray.Dataset]:
    """One file for each number of ranks, N.h5."""
    return {ranks: measure(folder / f"{ranks}.h5", ranks) for ranks in RANKS}


@pytest.mark.parametrize("ranks", RANKS)
def test_ranks_that_took_part_have_numbers_and_others_none(measured: dict, ranks: int) -> None:
    dataset = measured[ranks]
    assert dataset.sizes["rank"] == ranks, dataset.sizes
    assert dataset.sizes["step"] == 4, dataset.sizes
    steps = dataset.seconds.sel(phase="step")
    for run in range(dataset.sizes["run"]):
        took_part = int(dataset.gpus[run])
        assert bool((steps[run, :took_part] > 0).all()), run
        assert bool(steps[run, took_part:].isnull().all()), run


def test_files_of_all_numbers_of_ranks_have_the_same_variables(measured: dict) -> None:
    assert len({tuple(sorted(dataset.variables)) for dataset in measured.values()}) == 1


def test_append_with_more_ranks(measured: dict, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before, output = measured[2], tmp_path / "appended.h5"
    output.write_bytes((folder / "2.h5").read_bytes())
    after = measure(output, 3, "--append")
    assert after.sizes["run"] == 2 * before.sizes["run"]
    assert after.sizes["rank"] == 3
    assert sorted(set(after.launch_index.values.tolist())) == [0, 1]
    both = slice(0, before.sizes["run"])
    assert (after.seconds[both, :2].values == before.seconds.values).sum() == before.seconds.notnull().sum()


@pytest.mark.parametrize("code, words, ranks, options", [
    (1, "batch 16 does not divide evenly over 3 GPUs; use 15 or 18", 3, ["--batches", "16"]),
    (1, "is not one of single, independent, ddp", 2, ["--strategies", "dpp"]),
    (1, "--gpus 3 needs 3 ranks; this launch has 2. Run: mpirun -np 3 breakeven run --", 2, ["--gpus", "3"]),
    (5, "does not exist. Run: mkdir -p", 2, ["--batches", "16", "--output", "none/x.h5"]),
    (2, "GPU", 2, ["--backend", "cuda", "--batches", "16"]),
])
def test_refusals(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str, ranks: int,
                  options: list[str]) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # these launches see no GPU
    given = {"--backend": "host", "--output": "refused.h5"} | dict(zip(options[::2], options[1::2]))
    given["--output"] = str(tmp_path / given["--output"])
    done = program.run(ranks, "run", *PROTOCOL, *(word for option in given.items() for word in option))
    assert done.returncode == code, (done.returncode, done.stderr)
    lines = [line for line in done.stderr.splitlines() if line.startswith("breakeven: ") and "sees no GPU" not in line]
    assert len(lines) == 1, done.stderr
    assert words in lines[0], lines
    assert not pathlib.Path(given["--output"]).exists()


def test_an_existing_file_is_not_changed(measured: dict, folder: pathlib.Path) -> None:
    output = folder / "1.h5"
    before = output.read_bytes()
    done = program.run(1, "run", *AXES, "--batches", "12", "--output", str(output))
    assert done.returncode == 5 and "Pass --append" in done.stderr, done.stderr
    assert output.read_bytes() == before, "a refused run touched the file"
