# SPDX-License-Identifier: Apache-2.0
"""How a file comes into being: nothing else is overwritten, its mode is kept, and whoever moves it away while a launch
writes is told."""
import os
import pathlib
import stat

import pytest
from results_file import FILE_FAILURE, ResultsFile, check_refused, while_stopped


def leftovers(results: ResultsFile) -> list[pathlib.Path]:
    return [path for path in results.path.parent.iterdir() if "partial" in path.name]


def test_a_planted_link_is_not_followed(results: ResultsFile) -> None:
    victim = results.path.with_name("victim")
    victim.write_text("precious", encoding="utf-8")
    results.path.with_name("results.h5.partial").symlink_to(victim)
    results.write(1, "create", 1, 2, 2)
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_link_to_nowhere_is_no_free_name(results: ResultsFile) -> None:
    nowhere = results.path.with_name("nowhere")
    results.path.symlink_to(nowhere)
    check_refused(results.try_to_write(1, "create", 1, 2, 2), f"{results.path} exists")
    assert not nowhere.exists() and not leftovers(results)


@pytest.mark.parametrize("pair", range(6))
def test_two_at_the_same_time(results: ResultsFile, pair: int) -> None:
    jobs = [results.start(1, "create", seed, 3, 4) for seed in (1, 2)]
    said = [job.communicate(timeout=60)[0] for job in jobs]
    assert sorted(job.returncode for job in jobs) == [0, FILE_FAILURE], said
    assert any(f"{results.path} exists" in text for text in said), said
    assert "3 verified" in results.check()
    assert not leftovers(results)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_the_mode_stays(results: ResultsFile, mode: int) -> None:
    results.write(1, "create", 1, 2, 2)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(results.path.stat().st_mode) == 0o666 & ~umask
    results.path.chmod(mode)
    results.write(1, "append", 2, 2, 2)
    assert stat.S_IMODE(results.path.stat().st_mode) == mode


def test_a_file_that_was_moved_away(results: ResultsFile) -> None:
    """Another launch has the name now: it keeps its runs as they are, and the moved ones are complete."""
    moved, pids = results.beside("moved"), []
    with results.start(2, "create", 1, 40, 5, 20_000) as job:
        said = ""
        for line in job.stdout:
            said += line
            if line.startswith("rank"):
                pids.append(int(line.split()[3]))
            if line.strip() == "run 2":
                results.path.rename(moved.path)
                while_stopped(pids, lambda: results.write(2, "half", 1, 40, 5))
                before = results.path.read_bytes()
        assert job.wait(timeout=60) == FILE_FAILURE, said
    assert f"{results.path} was moved or replaced while this launch wrote it" in said
    assert "romio" not in said
    assert results.path.read_bytes() == before
    assert "20 verified, 0 complete, 20 planned" in results.check()
    assert "0 verified, 40 complete, 0 planned" in moved.check()


def test_a_file_that_was_deleted(results: ResultsFile) -> None:
    with results.start(1, "create", 1, 40, 5, 20_000) as job:
        said = ""
        for line in job.stdout:
            said += line
            if line.strip() == "run 2":
                results.path.unlink()
        assert job.wait(timeout=60) == FILE_FAILURE, said
    assert f"{results.path} was moved or replaced while this launch wrote it" in said
