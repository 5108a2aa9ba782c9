# SPDX-License-Identifier: Apache-2.0
"""The scripts of jobs/slurm, submitted to a real Slurm, on the host backend: they run into their time limit, are queued
again and resume; the files hold exactly the planned runs, each once and whole."""
import os
import pathlib
import re
import tempfile

import pytest
import xarray
from held_ranks import hold, release_when_asked
from slurm_cluster import Cluster, missing_for_a_cluster

VERIFIED = 2
PROJECT = pathlib.Path(__file__).parents[2]
RANKS = ("--ntasks-per-node=2", "--gpus-per-node=2", "--cpus-per-task=1")
# Open MPI takes the two nodes for one host; its shared memory between them crashes.
TWO_NODES_ON_ONE_HOST = {"OMPI_MCA_btl": "self,tcp"}
REPEATS = 60  # of the jobs that are to be stopped in the middle
SECONDS = 200  # for a job, on a busy machine
SETTINGS = [("default", ""), ("tree", "NCCL_ALGO"), ("no-peer-access", "NCCL_P2P_DISABLE")]  # of the sweep

pytestmark = pytest.mark.skipif(bool(missing_for_a_cluster()), reason=missing_for_a_cluster())


def make_suite(folder: pathlib.Path, name: str, repeats: int) -> str:
    (folder / name).write_text(
        "models = medium-50\nbatches = 16\ngpus = all\nstrategies = single,ddp\ntiming = steps\nsettle = 0\nwarmup = 2\n"
        f"steps = 20\nrepeats = {repeats}\nbackend = host\n")
    return name


def check_file(file: pathlib.Path, cases: int, repeats: int) -> xarray.Dataset:
    data = xarray.load_dataset(file)
    assert data.sizes["run"] == cases * repeats, data.sizes
    assert (data.status == VERIFIED).all(), data.status.values
    planned = set(zip(data.strategy.values, data.gpus.values, data.repeat.values))
    assert len(planned) == cases * repeats, "a run is there twice"
    for run in range(data.sizes["run"]):
        steps = data.seconds.sel(phase="step").values[run, : int(data.gpus[run])]
        assert (steps > 0).all(), run
    return data


def submit(cluster: Cluster, folder: pathlib.Path, *words: str, **variables: str) -> str:
    return cluster.run("sbatch", "--parsable", *words, folder=folder, **variables).strip()


def log_of(folder: pathlib.Path, job: str) -> str:
    return (folder / f"breakeven-{job}.log").read_text()


def hold_job(folder: pathlib.Path, job: str) -> list[int]:
    try:
        return hold(2, f"build/results/node-{job}.h5", folder, runs=4, seconds=SECONDS)
    except AssertionError:
        print(log_of(folder, job))
        raise


def check_resumed(cluster: Cluster, folder: pathlib.Path, job: str) -> None:
    """It was stopped and queued again at least once, and what it left was measured later."""
    state = cluster.wait_for_end(job, SECONDS)
    log = log_of(folder, job)
    assert state == "COMPLETED", f"{state}\n{log}"
    assert int(cluster.field(job, "Restarts")) >= 1, log
    assert "stopped after run" in log and "the job is queued again" in log, log
    assert re.search(rf"[1-9]\d* of {2 * REPEATS} runs are left", log), log
    data = check_file(folder / f"build/results/node-{job}.h5", 2, REPEATS)
    assert len(set(data.launch_index.values)) >= 2, data.launch_index.values
    assert (folder / f"build/results/node-{job}.md").stat().st_size > 1000


def start_for_time_limit(cluster: Cluster, folder: pathlib.Path) -> str:
    """Under srun; Slurm itself announces the end of the time."""
    return submit(cluster, folder, *RANKS, "--time=1", "--signal=B:USR1@50", "jobs/slurm/node.sbatch",
                  make_suite(folder, "long.ini", REPEATS))


def start_mpirun(cluster: Cluster, folder: pathlib.Path) -> str:
    """A Slurm without PMIx: mpirun inside the job."""
    stub = folder / "bin" / "srun"
    stub.parent.mkdir()
    stub.write_text('#!/bin/sh\n[ "$*" = --mpi=list ] && exec echo "MPI plugin types are... none"\n'
                    'exec /usr/bin/srun "$@"\n')
    stub.chmod(0o755)
    return submit(cluster, folder, *RANKS, "jobs/slurm/node.sbatch", make_suite(folder, "by-mpirun.ini", REPEATS),
                  PATH=f"{stub.parent}:{os.environ['PATH']}")


def start_scaling(cluster: Cluster, folder: pathlib.Path) -> list[str]:
    suite = make_suite(folder, "scaling.ini", 3)
    said = cluster.run("jobs/slurm/scaling.sh", "2", *RANKS, "--", suite, folder=folder,
                       **TWO_NODES_ON_ONE_HOST)
    jobs = re.findall(r"^Job (\d+): ", said, re.MULTILINE)
    assert len(jobs) == 3, said
    return jobs


def start_sweep(cluster: Cluster, folder: pathlib.Path) -> str:
    return submit(cluster, folder, *RANKS, "--array=0-5", "jobs/slurm/sweep.sbatch", make_suite(folder, "sweep.ini", 2))


@pytest.fixture(scope="module")
def project(folder: pathlib.Path) -> pathlib.Path:
    """The folder that the jobs run in; they start PROGRAM."""
    (folder / "jobs").symlink_to(PROJECT / "jobs")
    os.environ["PROGRAM"] = os.environ["BREAKEVEN"]
    return folder


@pytest.fixture(scope="module")
def cluster(project: pathlib.Path):
    """In a folder of its own. It hands on the environment that it finds, so it starts after `project`."""
    with tempfile.TemporaryDirectory(prefix="breakeven-slurm-") as name, Cluster(pathlib.Path(name)) as started:
        yield started


@pytest.fixture(scope="module")
def jobs(cluster: Cluster, project: pathlib.Path) -> dict:
    """All jobs by name. They run beside the one that waits for its time to be up, so that the waits are spent together."""
    limited = start_for_time_limit(cluster, project)
    held = hold_job(project, limited)
    by_mpirun = start_mpirun(cluster, project)
    held_by_mpirun = hold_job(project, by_mpirun)
    cluster.ask("scancel", "--batch", "--signal=USR1", by_mpirun)
    release_when_asked(held_by_mpirun)
    sweep = start_sweep(cluster, project)
    scaling = start_scaling(cluster, project)
    release_when_asked(held)
    return {"by_mpirun": by_mpirun, "limited": limited, "sweep": sweep, "scaling": scaling}


def test_a_job_that_is_told_to_stop_resumes_under_mpirun(cluster: Cluster, project: pathlib.Path, jobs: dict) -> None:
    check_resumed(cluster, project, jobs["by_mpirun"])
    assert "Launched by: mpirun" in log_of(project, jobs["by_mpirun"]), log_of(project, jobs["by_mpirun"])


def test_a_job_that_runs_into_its_time_limit_resumes(cluster: Cluster, project: pathlib.Path, jobs: dict) -> None:
    check_resumed(cluster, project, jobs["limited"])


@pytest.fixture(scope="module")
def merged(cluster: Cluster, project: pathlib.Path, jobs: dict) -> pathlib.Path:
    """The folder of the sweep's merged files, after its end."""
    state = cluster.wait_for_end(jobs["sweep"], SECONDS)
    logs = "\n".join(log.read_text() for log in project.glob(f"breakeven-{jobs['sweep']}-*.log"))
    assert state == "COMPLETED", f"{state}\n{logs}"
    return project / f"build/results/sweep-{jobs['sweep']}/merged"


@pytest.mark.parametrize("name, setting", SETTINGS)
def test_two_launches_of_a_setting_are_merged(merged: pathlib.Path, name: str, setting: str) -> None:
    data = xarray.load_dataset(merged / f"{name}.h5")
    assert data.sizes["run"] == 8 and (data.status == VERIFIED).all(), data.status.values
    assert data.sizes["launch"] == 2, data.sizes
    assert all(setting in str(text) for text in data.environment.values), data.environment.values


def test_settings_are_compared(merged: pathlib.Path) -> None:
    assert (merged / "comparison.txt").read_text().count("NCCL_") >= 2


@pytest.fixture(scope="module")
def scaled(cluster: Cluster, project: pathlib.Path, jobs: dict) -> pathlib.Path:
    """The folder of the files of one and of two nodes, after the jobs' end."""
    state = cluster.wait_for_end(jobs["scaling"][-1], SECONDS)
    logs = "\n".join(log_of(project, job) for job in jobs["scaling"] if (project / f"breakeven-{job}.log").exists())
    assert state == "COMPLETED", f"{state}\n{logs}"
    assert "Launched by: srun --mpi=pmix" in logs, logs
    return next((project / "build/results").glob("scaling-*"))


@pytest.mark.parametrize("file, cases", [("1-nodes.h5", 3), ("2-nodes.h5", 4)])
def test_numbers_of_nodes(scaled: pathlib.Path, file: str, cases: int) -> None:
    """single, ddp on 1, 2, and on two nodes 4."""
    check_file(scaled / file, cases, 3)


def test_all_nodes_are_in_one_file_with_its_report(scaled: pathlib.Path) -> None:
    both = xarray.load_dataset(scaled / "all.h5")
    assert both.sizes["run"] == 21 and list(both.ranks) == [2, 4] and (both.status == VERIFIED).all()
    assert (scaled / "all.md").stat().st_size > 1000
