# SPDX-License-Identifier: Apache-2.0
"""`breakeven topology`: its output, its refusals and their exit codes."""
import json
import os
import re
import subprocess

import program
import pytest

HOST = ["--backend", "host"]


def check_lines(text: str, *patterns: str) -> None:
    """Exactly one line matches each pattern."""
    for pattern in patterns:
        assert len([line for line in text.splitlines() if re.search(pattern, line)]) == 1, (pattern, text)


def topology(ranks: int, *options: str) -> str:
    return program.run_well(ranks, "topology", *options, seconds=50).stdout


def test_text() -> None:
    check_lines(topology(2, *HOST), "^Bandwidth over mpi in GB/s", "^Latency over mpi", "All data arrived as sent")


def test_one_rank_has_no_links() -> None:
    check_lines(topology(1, *HOST), "There is only one rank")


def test_ranks_on_one_core_get_a_warning() -> None:
    """As a launcher binds ranks by default. CTest's launcher does not bind them."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("this machine has one core")
    bound = ["taskset", "-c", str(cores[-1]), *program.command(2, "topology", *HOST)]
    done = program.ended_well(subprocess.run(bound, capture_output=True, text=True, timeout=50, check=False))
    check_lines(done.stderr, r"^breakeven: the 2 ranks on .* may use only 1 of its .* cores\. Pass --cpus-per-task")


def test_json_has_every_link() -> None:
    report = json.loads(topology(3, *HOST, "--format", "json"))
    assert report["format"] == "breakeven topology" and report["data_right"] is True
    assert len(report["ranks"]) == 3 and len(report["links"]) == 6
    assert all(link["bytes_per_second"] > 0 and link["latency_seconds"] > 0 for link in report["links"])
    assert {(link["from"], link["to"]) for link in report["links"]} == {
        (a, b) for a in range(3) for b in range(3) if a != b}


def test_csv_has_a_header_and_a_row_for_each_link() -> None:
    assert len(topology(2, *HOST, "--format", "csv").splitlines()) == 3


@pytest.mark.parametrize("options, pattern", [
    (["--backend", "gpu"], "^breakeven: --backend 'gpu' is not one of auto, cuda, host"),
    (["--format", "xml"], "^breakeven: --format 'xml' is not one of text, markdown, csv, json"),
    (["--timeout", "0"], "^breakeven: --timeout must be"),
    (["--nonsense"], "nonsense"),
    ([*HOST, "--transport", "nccl"], "^breakeven: --transport nccl needs"),
])
def test_refusals(options: list[str], pattern: str) -> None:
    refused = program.run(2, "topology", *options, seconds=50)
    assert refused.returncode == 1, refused
    check_lines(refused.stderr, pattern)


def test_an_old_option_name_works_with_one_warning() -> None:
    done = program.run_well(2, "topology", *HOST, "--collective", "mpi", seconds=50)
    check_lines(done.stderr, "^breakeven: warning: --collective mpi is deprecated: pass --transport mpi$")


def test_help() -> None:
    check_lines(topology(2, "--help"), "^usage: mpirun -np N breakeven topology")
