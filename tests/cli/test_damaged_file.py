# SPDX-License-Identifier: Apache-2.0
"""A damaged file loses its damaged runs only: it is refused before anything is measured, reported without them, and
repaired."""
import pathlib
import resource
import stat

import h5py
import program
import pytest

FILE = 5
PLAN = ["run", "--backend", "host", "--models", "medium-50", "--batches", "16", "--timing", "steps", "--warmup", "2",
        "--steps", "5", "--repeats", "3"]


@pytest.fixture(scope="module")
def whole(folder: pathlib.Path) -> bytes:
    """9 runs of 3 cases."""
    path = folder / "whole.h5"
    program.run_well(2, *PLAN, "--gpus", "1,2", "--strategies", "single,ddp", "--output", str(path))
    return path.read_bytes()


@pytest.fixture
def damaged(whole: bytes, tmp_path: pathlib.Path) -> pathlib.Path:
    """A changed number in run 2."""
    path = tmp_path / "damaged.h5"
    path.write_bytes(whole)
    with h5py.File(path, "r+") as file:
        file["loss"][2, 0, 3] += 1e-9
    return path


@pytest.mark.parametrize("mode", ["--append", "--resume"])
def test_no_launch_is_added(damaged: pathlib.Path, mode: str) -> None:
    before = damaged.read_bytes()
    done = program.run(2, *PLAN, "--output", str(damaged), mode)
    assert done.returncode == FILE and f"{damaged}: run 2" in done.stderr, done.stderr
    assert "MPI_ABORT" not in done.stderr
    assert damaged.read_bytes() == before and list(damaged.parent.iterdir()) == [damaged]


def test_the_report_skips_it_if_asked(damaged: pathlib.Path) -> None:
    program.check_refusal(program.alone("report", str(damaged)), FILE, f"{damaged}: run 2")
    done = program.ended_well(program.alone("report", str(damaged), "--skip-damaged"))
    assert done.stderr.count("warning") == 1 and f"{damaged}: run 2" in done.stderr
    assert "medium-50" in done.stdout


def test_repair_copies_what_is_whole(damaged: pathlib.Path, tmp_path: pathlib.Path) -> None:
    damaged.chmod(0o600)
    repaired = tmp_path / "repaired.h5"
    said = program.said("repair", str(damaged), str(repaired))
    assert "not copied" in said and "run 2" in said and "8 measured runs; not copied: 1" in said
    assert stat.S_IMODE(repaired.stat().st_mode) == 0o600
    with h5py.File(repaired) as new, h5py.File(damaged) as old:
        assert list(new["status"][...] > 0) == [True, True, False, *[True] * 6]
        assert (new["checksum"][3:] == old["checksum"][3:]).all()
    program.said("report", str(repaired))
    program.check_refusal(program.alone("repair", str(damaged), str(repaired)), FILE, "exists")


def test_a_damaged_label_costs_its_run(whole: bytes, tmp_path: pathlib.Path) -> None:
    path, repaired = tmp_path / "damaged.h5", tmp_path / "repaired.h5"
    path.write_bytes(whole)
    with h5py.File(path, "r+") as file:
        file["batch"][4] = 17
    program.check_refusal(program.alone("report", str(path)), FILE, "run 4 is damaged: its labels")
    assert "8 measured runs" in program.said("repair", str(path), str(repaired))
    with h5py.File(repaired) as new:
        assert len(new["run"]) == 8


def test_merge_keeps_modes_and_leaves_nothing(whole: bytes, damaged: pathlib.Path, tmp_path: pathlib.Path) -> None:
    private, merged = tmp_path / "private.h5", tmp_path / "merged.h5"
    private.write_bytes(whole)
    private.chmod(0o600)
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    for name in ("merged.h5.merging", "merged.h5.merging.partial"):
        (tmp_path / name).symlink_to(victim)
    there = set(tmp_path.iterdir())
    program.check_refusal(program.alone("merge", str(private), str(damaged), "--output", str(merged)), FILE, "run 2")
    assert set(tmp_path.iterdir()) == there
    program.said("merge", str(private), "--output", str(merged))
    assert stat.S_IMODE(merged.stat().st_mode) == 0o600
    assert set(tmp_path.iterdir()) == there | {merged}
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_launch_that_the_disk_cannot_hold_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "large.h5"
    huge = [*PLAN[:-3], "1000000", "--repeats", "10000", "--output", str(path)]
    done = program.run(1, *huge)
    assert done.returncode == FILE and "bytes free" in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())


def test_a_limit_on_file_sizes_is_told_before_a_launch(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "limited.h5"
    limit = 1 << 25  # enough for the files of MPI
    done = program.alone(*PLAN[:-3], "300000", "--repeats", "3", "--output", str(path),
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == FILE and "ulimit -f" in done.stderr, done.stderr


def test_resume_finds_a_launch_killed_before_it_was_in_the_file(whole: bytes, tmp_path: pathlib.Path) -> None:
    """--append writes the file anew under another name first. A kill leaves that file, whole or not."""
    path = tmp_path / "results.h5"
    path.write_bytes(whole)
    longer = [*PLAN, "--seed", "7", "--output", str(path)]
    refused = program.run(1, *longer, "--resume")
    assert refused.returncode == FILE and "different plan" in refused.stderr, refused.stderr
    (tmp_path / "results.h5.breakeven-aB3dE6.partial").write_bytes(whole[:1000])
    (tmp_path / "results.h5.backup.partial").write_text("the user's own")
    program.run_well(1, *longer, "--resume")
    assert {entry.name for entry in tmp_path.iterdir()} == {"results.h5", "results.h5.backup.partial"}
    with h5py.File(path) as file:
        assert len(file["launch"]) == 2 and (file["status"][...] == 2).all()
