# SPDX-License-Identifier: Apache-2.0
"""`run --resume` finishes what an interrupted launch has left, and `merge` makes one file of several."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402
from held_ranks import hold, release_when_asked  # noqa: E402

INTERRUPTED, USAGE, FILE = 6, 1, 5
CASES, REPEATS = 3, 24


def plan(steps: int = 60, repeats: int = REPEATS) -> list[str]:
    return ["run", "--backend", "host", "--models", "medium-50", "--batches", "16", "--instrument", "total", "--warmup",
            "2", "--steps", str(steps), "--repeats", str(repeats)]


def load(file: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(file, engine="h5netcdf")


def interrupt(file: pathlib.Path, *options: str) -> None:
    """Asks the program to stop as a batch system does, when a few runs are in the file."""
    job = subprocess.Popen(program.command(2, *plan(), *options, "--output", str(file)), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    ranks = hold(2, str(file), file.parent, runs=4)
    job.send_signal(signal.SIGUSR1)
    release_when_asked(ranks)
    out, err = job.communicate(timeout=60)
    assert job.returncode == INTERRUPTED, (job.returncode, out, err)


def check_rest(folder: pathlib.Path) -> pathlib.Path:
    file = folder / "stopped.h5"
    interrupt(file)
    before = load(file)
    done = int((before.status == 2).sum())
    assert 4 <= done < CASES * REPEATS and int((before.status == 0).sum()) == CASES * REPEATS - done, done

    said = program.run_well(2, *plan(), "--output", str(file), "--resume").stdout
    assert f"{CASES * REPEATS - done} of {CASES * REPEATS} runs are left" in said, said
    after = load(file)
    assert (after.status == 2).all() and after.sizes["run"] == CASES * REPEATS, after.status.values
    assert list(after.launch_index) == [0] * done + [1] * (CASES * REPEATS - done), after.launch_index.values
    assert after.isel(run=slice(done)).seconds.identical(before.isel(run=slice(done)).seconds)
    return file


def check_nothing_left(file: pathlib.Path) -> None:
    content = file.read_bytes()
    said = program.run_well(2, *plan(), "--output", str(file), "--resume").stdout
    assert f"0 of {CASES * REPEATS} runs are left" in said and file.read_bytes() == content, said


def check_refusals(file: pathlib.Path) -> None:
    content = file.read_bytes()
    for code, words, options in [
            (FILE, ["holds another plan", "--optimizer was 'adam' there and is 'sgd' here"],
             [*plan(), "--optimizer", "sgd"]),
            (FILE, ["holds another plan", "its run 0 is"], plan(steps=61)),
            (FILE, [f"it has {CASES * REPEATS} runs and this plan"], plan(repeats=REPEATS + 1)),
            (USAGE, ["--append adds a launch and --resume finishes one"], [*plan(), "--append"])]:
        done = program.run(2, *options, "--output", str(file), "--resume")
        assert done.returncode == code and all(word in done.stderr for word in words), (done.returncode, done.stderr)
    assert file.read_bytes() == content


def check_until_precise(folder: pathlib.Path) -> None:
    """Runs of the earlier launch count: with a wide target the cases end after the repeats that they would have."""
    file = folder / "precise.h5"
    interrupt(file, "--until-precise", "0.0001%")
    program.run_well(2, *plan(), "--until-precise", "0.0001%", "--output", str(file), "--resume")
    data = load(file)
    assert (data.status == 2).all() and int((data.stop == 2).sum()) == CASES, data.stop.values


def check_merge(folder: pathlib.Path, first: pathlib.Path) -> None:
    second, merged = folder / "second.h5", folder / "merged.h5"
    program.run_well(1, *plan(), "--strategies", "single", "--output", str(second))
    program.run_well(1, "merge", str(first), str(second), "--output", str(merged))
    one, two, both = load(first), load(second), load(merged)
    assert both.sizes["launch"] == 3 and (both.status == 2).all(), both.sizes
    assert list(both.launch_index) == [*one.launch_index.values, *([2] * two.sizes["run"])]
    count = one.sizes["run"]
    assert both.isel(run=slice(count)).seconds.drop_vars("run").equals(one.seconds.drop_vars("run"))
    assert (both.checksum.values[count:, :1] == two.checksum.values).all()
    rows = json.loads(program.run_well(1, "report", str(merged), "--format", "json").stdout)
    assert len(rows["launches"]) == 3, rows["launches"]
    again = program.run(1, "merge", str(first), "--output", str(merged))
    assert again.returncode == FILE and "exists" in again.stderr, again.stderr
    twice = program.run(1, "merge", str(first), str(first), "--output", str(folder / "twice.h5"))
    assert twice.returncode == USAGE and "hold the same launch" in twice.stderr, (twice.returncode, twice.stderr)
    nothing = program.run(1, "merge", "--output", str(folder / "none.h5"))
    assert nothing.returncode == USAGE and "merge needs results files" in nothing.stderr, nothing.stderr


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = check_rest(folder)
        check_nothing_left(file)
        check_refusals(file)
        check_until_precise(folder)
        check_merge(folder, file)


if __name__ == "__main__":
    main()
