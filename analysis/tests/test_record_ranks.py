# SPDX-License-Identifier: Apache-2.0
"""Which rank a process is, and what happens when ranks do not do the same: each is a sentence."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from loops import label, numbers

from breakeven_analysis import RecorderError, read_report
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record import find_rank, meeting
from breakeven_analysis.record.meeting import Meeting
from breakeven_analysis.record.ranks import LAUNCHERS, Rank

ENVIRONMENTS = {
    "torchrun": {"RANK": "1", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "MASTER_PORT": "29500"},
    "Open MPI": {
        "OMPI_COMM_WORLD_RANK": "1",
        "OMPI_COMM_WORLD_SIZE": "4",
        "OMPI_COMM_WORLD_LOCAL_RANK": "1",
        "PMIX_RANK": "1",
    },
    "PMI": {"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1"},
    "Slurm": {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "4", "SLURM_LOCALID": "1", "PMIX_RANK": "1"},
}


@pytest.mark.parametrize("launcher", [one.name for one in LAUNCHERS])
def test_launchers_tell_the_rank(launcher: str) -> None:
    found = find_rank(ENVIRONMENTS[launcher])
    assert (found.rank, found.ranks, found.local_rank, found.launcher) == (1, 4, 1, launcher)
    assert found.start == find_rank({**ENVIRONMENTS[launcher], LAUNCHERS[0].rank: "1"}).start or launcher == "torchrun"


def test_a_process_without_a_launcher_is_alone() -> None:
    assert (find_rank({}).rank, find_rank({}).ranks) == (0, 1)
    batch_script = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "7"}
    assert find_rank(batch_script).ranks == 1, "a batch script is no rank"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"WORLD_SIZE": "2"}, "WORLD_SIZE is 2, but RANK is not set"),
        ({"RANK": "2", "WORLD_SIZE": "2"}, "RANK is 2 and must be below WORLD_SIZE, which is 2"),
        ({"RANK": "-1", "WORLD_SIZE": "2"}, "RANK is '-1' and must be a whole number"),
        ({"PMIX_RANK": "0"}, "PMIX_RANK is 0, but nothing says how many ranks there are"),
    ],
)
def test_half_of_the_information_is_a_sentence(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(RecorderError, match=f"{sentence}.*Start the program with torchrun, mpirun or srun"):
        find_rank(environment)


# ---------------------------------------------------------------- two processes

LOOP = """
import os, signal, sys
sys.path.insert(0, os.path.join(os.environ["TESTS"]))
from loops import FakeTimer, SETTINGS
from breakeven_analysis import Recorder
from breakeven_analysis.record import recorder as module
rank = int(os.environ["RANK"])
timer = FakeTimer()
module.make_timer = lambda: timer
settings = {**SETTINGS, "warmup": 2, "settle": 0, "steps": 8, **eval(sys.argv[2])}
samples = [48, 16][rank] if settings.pop("uneven", False) else None
for batch in eval(os.environ.get("BATCHES", "[settings['batch']]")):
    recorder = Recorder(output=sys.argv[1], **{**settings, "batch": batch})
    for step in range(int(sys.argv[3].split(",")[rank])):
        if recorder.done:
            break
        with recorder.step(loss=lambda: 1.0, samples=samples):
            with recorder.phase("exchange"):
                timer.time += 0.25 * (1 + rank)
            timer.time += 0.5
    if sys.argv[4] in (str(rank), "both"):
        os.kill(os.getpid(), signal.SIGKILL)
    recorder.close()
"""


class Job:
    def __init__(self, output: Path) -> None:
        self.output = output

    def run(
        self, settings: str = "{}", steps: str = "11,11", killed: int | str | None = None, ranks: int = 2
    ) -> list[str]:
        """What each rank says."""
        processes = []
        for rank in range(ranks):
            words = [sys.executable, "-c", LOOP, str(self.output), settings, steps, str(killed)]
            environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(ranks), "LOCAL_RANK": str(rank)}
            environment |= {"TESTS": str(Path(__file__).parent), "MASTER_PORT": "29500"}
            processes.append(subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True))
        said = [process.communicate(timeout=60)[1] for process in processes]
        self.codes = [process.returncode for process in processes]
        return said


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path / "mine.h5")


def test_two_ranks_make_one_run(job: Job) -> None:
    said = job.run()
    assert job.codes == [0, 0] and "ddp on 2, 8 steps of 1000 ms" in said[0] and said[1] == "", said
    for rank in (0, 1):
        seconds = dict(zip(PHASES, numbers(job.output, "seconds", rank=rank).T.tolist(), strict=True))
        assert seconds["step"] == 8 * [0.75 + 0.25 * rank]
        assert seconds["exchange"] == 8 * [0.25], "the shortest over the ranks"
        assert seconds["wait"] == 8 * [0.25 * rank] and seconds["overhead"] == 8 * [0.5]
        assert numbers(job.output, "last_loss", rank=rank) == 0.5, "a share of the batch's mean"
    assert [path.name for path in job.output.parent.iterdir()] == [job.output.name], "nothing else is left"


def test_a_loss_counts_by_its_samples(job: Job) -> None:
    job.run("{'uneven': True}")
    assert numbers(job.output, "last_loss", rank=0) == 0.75 and numbers(job.output, "last_loss", rank=1) == 0.25


def test_ranks_that_all_died_leave_a_run_that_is_not_measured(job: Job) -> None:
    job.run(steps="1,1", killed="both")
    assert job.codes == 2 * [-signal.SIGKILL]
    said = job.run(ranks=1)
    assert "ranks 0, 1 of 2 ended before the measured steps were complete" in said[0], said
    runs = read_report(job.output).said["runs"]
    assert (runs["planned"], runs["verified"]) == (2, 1) and len(runs["not_done"]) == 1, runs


def test_parts_that_are_damaged_stop_nobody(job: Job) -> None:
    job.run(steps="1,1", killed="both")
    (found,) = job.output.with_name("mine.h5.parts").glob("*/rank-0.json")
    found.write_text("{bad}\n")
    said = job.run(ranks=1)
    assert "is damaged" in said[0] and job.codes == [0] and read_report(job.output).said["runs"]["verified"] == 1, said


def test_one_and_two_ranks_meet_in_one_file(job: Job) -> None:
    for _ in range(3):
        job.run(ranks=1)
    for _ in range(3):
        job.run()
    report = read_report(job.output)
    assert len(report.said["launches"]) == 3 and report.said["runs"]["verified"] == 6
    case = report.cases[report.cases["gpus"] == 2].iloc[0]
    assert case["speedup"] == pytest.approx(0.75), "0.75 s a step on one rank, 1 s on two"
    assert label(job.output, "strategy", 0) == "single" and label(job.output, "strategy", 3) == "ddp"


def test_a_program_may_make_one_recorder_after_another(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHES", "[64, 128, 256, 512]")
    job.run()
    assert job.codes == [0, 0] and read_report(job.output).said["runs"]["verified"] == 4
    assert [label(job.output, "batch", run) for run in range(4)] == [64, 128, 256, 512]


def test_ranks_settle_together(job: Job) -> None:
    job.run("{'settle': 5.0}", steps="10000,10000")
    settled = [numbers(job.output, "settle_steps", rank=rank) for rank in (0, 1)]
    assert settled[0] == settled[1] == 2 and job.codes == [0, 0], "two windows of one step"
    assert all(numbers(job.output, "loss", rank=rank).tolist() == 8 * [0.5] for rank in (0, 1)), "shares of the mean"


def test_ranks_with_other_settings_are_refused(job: Job) -> None:
    said = job.run("{'batch': 64 + rank}")
    assert all("All ranks must make the same Recorder" in words for words in said) and job.codes == [1, 1], said
    assert "Rank 1 has batch 65, and rank 0 has 64" in said[0]


def test_uneven_steps_keep_those_that_all_made(job: Job) -> None:
    said = job.run(steps="11,8")
    assert "the loop ended, after 5 of 8 measured steps" in said[1], said
    assert "different numbers of measured steps (rank 0 made 8, rank 1 made 5); the first 5 are kept" in said[0], said
    assert label(job.output, "steps") == 5 and read_report(job.output).said["runs"]["verified"] == 1


def test_a_rank_that_stops_while_others_settle_ends_all(job: Job) -> None:
    said = job.run("{'settle': 5.0}", steps="10000,5")
    assert "rank 1 has closed its recorder. All ranks must make the same steps" in said[0], said
    assert job.codes == [1, 1] and not job.output.exists()


def test_a_killed_rank_leaves_a_run_that_is_not_measured(job: Job) -> None:
    job.run()
    said = job.run(steps="11,6", killed=1)
    assert job.codes == [0, -signal.SIGKILL]
    assert "rank 1 of 2 ended before the measured steps were complete, so the run is not measured" in said[0], said
    runs = read_report(job.output).said["runs"]
    assert (runs["planned"], runs["verified"]) == (2, 1) and len(runs["not_done"]) == 1, runs


def test_the_next_start_joins_what_a_killed_rank_0_left(job: Job) -> None:
    job.run(killed=0)
    assert job.codes[0] == -signal.SIGKILL and not job.output.exists()
    said = job.run()
    assert "left by an earlier start" in said[0] and "is run 0" in said[0] and "is run 1" in said[0], said
    assert read_report(job.output).said["runs"]["verified"] == 2


def test_two_starts_at_once_both_end_up_in_the_file(job: Job) -> None:
    words = [sys.executable, "-c", LOOP, str(job.output), "{}", "10", "None"]
    environment = {**os.environ, "RANK": "0", "WORLD_SIZE": "1", "TESTS": str(Path(__file__).parent)}
    processes = [subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0, 0]
    assert read_report(job.output).said["runs"]["verified"] == 4


@pytest.mark.parametrize("late", [0, 1])
def test_files_of_an_earlier_start_are_not_taken_for_this_one(tmp_path: Path, late: int) -> None:
    """Both ranks had met, and rank 1 had said what it did. One of the new processes comes later than the other."""
    mail = [tmp_path / f"alone-0.rank-{rank}.mail" for rank in (0, 1)]
    mail[0].write_text('{"nonce": "a"}\n{"start": ["a", "b"]}\n{"turn": 1, "all": [{"is": "old"}, {"is": "old"}]}\n')
    mail[1].write_text('{"nonce": "b", "to": "a"}\n{"is": "old"}\n')

    def meet(rank: int) -> list[dict]:
        time.sleep(0.3 if rank == late else 0)
        return Meeting(tmp_path, Rank(rank, 2), 0, patience=10).gather({"is": rank})

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(meet, (0, 1))) == 2 * [[{"is": 0}, {"is": 1}]]


def test_a_rank_that_never_starts_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    began = time.monotonic()
    monkeypatch.setattr(meeting, "SILENT_SECONDS", 0.1)
    with pytest.raises(RecorderError, match="waited 0 s for the other ranks to start"):
        Meeting(tmp_path, Rank(0, 2), 0, patience=0.2)
    assert time.monotonic() - began < 5
    assert capsys.readouterr().err.count("rank 0 of 2 waits for the other ranks to start. All ranks must make") == 1
