# SPDX-License-Identifier: Apache-2.0
"""Why a program failed, by its log: what launchers say behind it is left out."""

from pathlib import Path

import pytest

from breakeven_analysis.wrap.cause import cause_in

TRACEBACK = """{0}Traceback (most recent call last):
{0}  File "train.py", line 2, in <module>
{0}    except KeyError:
{0}{1}
"""
RULE = 74 * "-" + "\n"
OPEN_MPI = f"""{RULE}Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
{RULE}{RULE}mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[5999,1],1]
  Exit code:    1
{RULE}"""
SLURM = """srun: error: node1: task 0: Exited with exit code 1
srun: Terminating StepId=12.0
slurmstepd: error: *** STEP 12.0 ON node1 CANCELLED AT 2026-01-01T00:00:00 ***
srun: error: node1: task 1: Killed
"""
TORCHRUN = f"""W0101 00:00:00.1 7 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 9 closing signal
E0101 00:00:00.2 7 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 8)
Traceback (most recent call last):
  File "/usr/bin/torchrun", line 8, in <module>
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
{60 * "="}
train.py FAILED
{60 * "-"}
Root Cause (first observed failure):
[0]:
  exitcode  : 1 (pid: 8)
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
{60 * "="}
"""
MPICH = f"""
{80 * "="}
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   EXIT CODE: 1
{80 * "="}
"""


@pytest.mark.parametrize("launcher", ["", OPEN_MPI, SLURM, TORCHRUN, MPICH], ids=["", "mpi", "srun", "torch", "mpich"])
@pytest.mark.parametrize("rank", ["", "[rank1]: ", "[1,0]<stderr>:", "1: "])
def test_the_exception_is_quoted_whoever_launched_it(tmp_path: Path, launcher: str, rank: str) -> None:
    error = "torch.OutOfMemoryError: CUDA out of memory"
    log = tmp_path / "log"
    log.write_text(f"error: no such logger\n{TRACEBACK.format(rank, error)}cleaning up\n{launcher}")
    assert cause_in(log) == rank + error


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("step 1\nFatal: no GPU\nbye\n" + OPEN_MPI, "Fatal: no GPU"),
        ("step 1\nno GPU here\n---\n" + SLURM, "no GPU here"),
        (f"{RULE}loss 3\n{RULE}", "loss 3"),
        ("error: no optimizer\nvalidation error: 0.25\nbye\n", "error: no optimizer"),
        ("train error 0.5\nvalidation error: 0.25\nStopIteration\n", "StopIteration"),
        (
            f"{RULE}mpirun was unable to launch the specified application as it could not access\nor execute an "
            f"executable:\n\nExecutable: /train\n{RULE}",
            "mpirun was unable to launch the specified application as it could not access or execute an executabl",
        ),
        ("srun: error: Unable to create step\n", "srun: error: Unable to create step"),
        (OPEN_MPI, "Primary job terminated normally, but 1 process returned a non-zero exit code."),
        ("---\n", ""),
        ("", ""),
        ("x" * 2**17, "x" * 100),
    ],
)
def test_without_an_exception_an_error_or_the_last_line_is_quoted(tmp_path: Path, text: str, cause: str) -> None:
    (tmp_path / "log").write_text(text)
    assert cause_in(tmp_path / "log") == cause
