# SPDX-License-Identifier: Apache-2.0
"""The script lines of jobs/ci, as the services run them, in a small clone whose `make build` takes the built program: equal
programs pass, a slower one fails the pull request with exit code 7, and too few launches are told apart."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITE = ("models = medium-50\nbatches = 16\nstrategies = single\ntiming = steps\nsettle = 0\nwarmup = 2\nsteps = 20\n"
         "repeats = 3\nbackend = host\n")
GATE_NOT_MET, GATE_INCONCLUSIVE = 7, 8
# Every product takes this much longer than the host needs for it.
SLOWER = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
void cblas_sgemm(int l, int ta, int tb, int m, int n, int k, float x, const float *a, int la, const float *b, int lb, float y,
                 float *c, int lc) {
  void (*real)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int) =
      dlsym(RTLD_NEXT, "cblas_sgemm");
  real(l, ta, tb, m, n, k, x, a, la, b, lb, y, c, lc);
  usleep(5000);
}
"""
PROGRAM = '#!/usr/bin/env bash\nLD_PRELOAD={preload} exec {program} "$@"\n'
MAKEFILE = ".PHONY: build\nbuild:\n\tmkdir -p build/release/bin && cp program build/release/bin/breakeven\n"
SCRIPTS = {
    "github.yml": re.findall(r"^ +- run: (.*)$", (ROOT / "jobs/ci/github.yml").read_text(), re.MULTILINE),
    "gitlab.yml": re.search(r"^  script:\n((?:    - .*\n)+)", (ROOT / "jobs/ci/gitlab.yml").read_text(), re.MULTILINE)[1]
    .replace("    - ", "").splitlines(),
}


def git(folder: pathlib.Path, *words: str) -> str:
    command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write_program(clone: pathlib.Path, preload: str = "") -> None:
    (clone / "program").write_text(PROGRAM.format(preload=preload, program=os.environ["BREAKEVEN"]))
    (clone / "program").chmod(0o755)


@pytest.fixture
def clone(tmp_path: pathlib.Path) -> pathlib.Path:
    """Checked out is a branch that changes something else; origin/main is what it is compared with."""
    origin = tmp_path / "origin"
    shutil.copytree(ROOT / "jobs/ci", origin / "jobs/ci")
    (origin / "Makefile").write_text(MAKEFILE)
    (origin / ".gitignore").write_text("/build/\n")
    (origin / "tiny.ini").write_text(SUITE)
    write_program(origin)
    git(origin, "init", "--quiet", "--initial-branch", "main")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "Base")
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    git(tmp_path / "clone", "checkout", "--quiet", "-b", "change")
    return tmp_path / "clone"


def runs(clone: pathlib.Path, service: str, **settings: str) -> subprocess.CompletedProcess:
    """With `bash -e`, as both services do. GitLab's allow_failure is not part of the script."""
    environment = {"GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(clone, "rev-parse", "origin/main"),
                   "SUITE": "tiny.ini", "RANKS": "1", "MPIRUN": os.environ["BREAKEVEN_MPIRUN"], **settings}
    return subprocess.run(["bash", "-e", "-c", "\n".join(SCRIPTS[service])], cwd=clone, capture_output=True, text=True,
                          timeout=110, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize("service", SCRIPTS)
def test_equal_programs_pass(clone: pathlib.Path, service: str) -> None:
    done = runs(clone, service, GATE="90%")
    assert done.returncode == 0 and "Gate" in done.stdout, done.stdout + done.stderr
    assert {path.name for path in (clone / "build/ci").glob("*.h5")} == {"base.h5", "head.h5"}


@pytest.mark.parametrize("service", SCRIPTS)
def test_a_slower_program_fails(clone: pathlib.Path, service: str) -> None:
    (clone / "slower.c").write_text(SLOWER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "slower.so", "slower.c", "-ldl"], cwd=clone, check=True)
    write_program(clone, preload=str(clone / "slower.so"))
    done = runs(clone, service, GATE="20%")
    assert done.returncode == {"github.yml": 1, "gitlab.yml": GATE_NOT_MET}[service], done.stdout + done.stderr
    assert "SLOWER" in done.stdout, done.stdout


@pytest.mark.parametrize(("service", "code"), [("github.yml", 0), ("gitlab.yml", GATE_INCONCLUSIVE)])
def test_too_few_launches_are_told_apart(clone: pathlib.Path, service: str, code: int) -> None:
    (clone / "tiny.ini").write_text(SUITE.replace("repeats = 3", "repeats = 1"))
    done = runs(clone, service, LAUNCHES="1", GATE="2%")
    assert done.returncode == code and "UNCLEAR" in done.stdout, done.stdout + done.stderr
    allowed = re.search(r"exit_codes: (\d+)", (ROOT / "jobs/ci/gitlab.yml").read_text())[1]
    assert int(allowed) == GATE_INCONCLUSIVE


def test_no_pull_request_cancels_another_ones_check() -> None:
    """GitHub keeps one run and one waiting run of a group, and cancels the others."""
    concurrency = re.search(r"^concurrency:(.*\n(?: .*\n)*)", (ROOT / "jobs/ci/github.yml").read_text(), re.MULTILINE)
    assert concurrency is None or re.search(r"^  group: .*\$\{\{ github\.(ref|head_ref|event\.number) \}\}$", concurrency[1], re.MULTILINE)


def test_a_revision_that_is_missing_is_named(clone: pathlib.Path) -> None:
    done = subprocess.run(["jobs/ci/gate", "no-such-revision"], cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "no-such-revision" in done.stderr, done.stderr
