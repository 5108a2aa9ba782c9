# SPDX-License-Identifier: Apache-2.0
"""Two launches want to add to one file: one does, the other is refused and takes nothing from it. A launch that
was killed is in nobody's way."""
import os
import signal

from results_file import FILE_FAILURE, ResultsFile, check_refused, while_stopped


def append_is_refused(results: ResultsFile) -> None:
    done = results.try_to_write(1, "append", 2, 3, 4)
    assert done.returncode == FILE_FAILURE, done.stdout
    check_refused(done, f"{results.path} is being written by another launch")


def test_while_one_writes(results: ResultsFile) -> None:
    pids, refused = [], False
    with results.start(2, "create", 1, 60, 5, 5_000) as job:
        for line in job.stdout:
            if line.startswith("rank"):
                pids.append(int(line.split()[3]))
            if line.strip() == "run 2":
                while_stopped(pids, lambda: append_is_refused(results))
                refused = True
        assert job.wait(timeout=60) == 0
    assert refused
    assert "60 verified, 0 complete, 0 planned" in results.check()
    results.write(1, "append", 2, 3, 4)
    assert "63 verified" in results.check()


def test_at_the_same_time(results: ResultsFile) -> None:
    results.write(1, "create", 1, 2, 3)
    jobs = [results.start(2, "append", seed, 5, 5, 10_000) for seed in (2, 3, 4)]
    said = [job.communicate(timeout=60)[0] for job in jobs]
    winners = sum(job.returncode == 0 for job in jobs)
    assert winners >= 1, said
    for job, text in zip(jobs, said):
        assert job.returncode == 0 or "is being written by another launch" in text
    assert f"{2 + 5 * winners} verified, 0 complete, 0 planned" in results.check()


def test_after_a_kill(results: ResultsFile) -> None:
    pids = []
    with results.start(2, "create", 1, 60, 5, 20_000) as job:
        for line in job.stdout:
            if line.startswith("rank"):
                pids.append(int(line.split()[3]))
            if line.strip() == "run 4":
                os.kill(pids[0], signal.SIGKILL)
        assert job.wait(timeout=60) != 0
    results.write(2, "append", 2, 3, 4)
    assert "3 verified," in results.check()
