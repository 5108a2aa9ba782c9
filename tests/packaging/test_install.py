# SPDX-License-Identifier: Apache-2.0
"""What `make install` puts below a prefix is complete without the sources: the program, the batch scripts, which find it on
PATH, and the Python package, which pip installs from there without a compiler or a network."""
import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["BREAKEVEN"]).parents[1]
PYTHON = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent"))
RECORDED = ROOT / "results/h200-4-2026-11-22/scaling.h5"
SUITE = ("models = medium-50\nbatches = 16\nstrategies = single,ddp\ntiming = steps\nsettle = 0\nwarmup = 2\nsteps = 5\n"
         "repeats = 3\nbackend = host\n")


@pytest.fixture(scope="module")
def prefix(folder: pathlib.Path) -> pathlib.Path:
    subprocess.run(["cmake", "--install", BUILD, "--prefix", folder / "prefix"], check=True, capture_output=True, timeout=100)
    return folder / "prefix"


def outside(prefix: pathlib.Path, *command: str | pathlib.Path, **options) -> str:
    """What a command prints whose PATH has the installed program, and which knows no other."""
    unset = {"BREAKEVEN", "PROGRAM", "PYTHONPATH"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, stdin=subprocess.DEVNULL,
                          env={**environment, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_holds_what_a_site_needs(prefix: pathlib.Path) -> None:
    tops = {str(path.relative_to(prefix)) for path in prefix.glob("*/*/*")} | {"bin/breakeven"}
    assert tops == {"bin/breakeven", "share/breakeven/jobs", "share/breakeven/analysis", "share/doc/breakeven",
                    "share/man/man1", "share/bash-completion/completions", "share/zsh/site-functions",
                    "share/fish/vendor_completions.d"}
    assert {path.name for path in prefix.glob("share/*/*/*breakeven*") if path.is_file()} > {
        "breakeven.1", "breakeven-run.1", "breakeven", "_breakeven", "breakeven.fish"}
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "docs/building.md"):
        assert (prefix / "share/doc/breakeven" / name).read_bytes() == (ROOT / name).read_bytes()
    assert [*prefix.rglob("__pycache__"), *prefix.glob("share/breakeven/**/tests")] == []
    assert os.access(prefix / "bin/breakeven", os.X_OK) and os.access(prefix / "share/breakeven/jobs/measure", os.X_OK)


def without_code(page: pathlib.Path) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def test_links_of_the_docs_lead_somewhere(prefix: pathlib.Path) -> None:
    """Also those of pages that pages link, and those to sources, jobs and examples."""
    links = [(page, target) for page in (prefix / "share/doc/breakeven").rglob("*.md")
             for target in re.findall(r"\]\(([^)#\s]+)", without_code(page)) if not re.match(r"\w+:", target)]
    assert len(links) > 300 and {"../jobs/slurm/node.sbatch", "../examples/pytorch_ddp.py"} < {target for _, target in links}
    assert [(str(page), target) for page, target in links if not (page.parent / target).exists()] == []


def test_scripts_name_no_file_that_is_not_installed(prefix: pathlib.Path) -> None:
    installed = prefix / "share/breakeven"
    for script in [*installed.glob("jobs/slurm/*"), installed / "jobs/measure", installed / "jobs/common.sh"]:
        for named in re.findall(r"\bjobs/[a-z./-]*[a-z]", re.sub("^#.*", "", script.read_text(), flags=re.MULTILINE)):
            assert (installed / named).exists(), f"{script} names {named}"


def test_copied_scripts_measure_with_the_program_on_path(prefix: pathlib.Path, tmp_path: pathlib.Path) -> None:
    outside(prefix, "cp", "-r", prefix / "share/breakeven/jobs", tmp_path)
    (tmp_path / "tiny.ini").write_text(SUITE)
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "2"]
    script = f"source jobs/common.sh; launcher=({shlex.join(launcher)}); echo $program; measure tiny.ini own"
    said = outside(prefix, "bash", "-c", script, cwd=tmp_path)
    assert said.startswith(f"{prefix}/bin/breakeven\n") and (tmp_path / "own.md").stat().st_size > 1000, said


@pytest.mark.skipif(not PYTHON.exists(), reason="there is no Python environment; run make python")
def test_pip_installs_the_package_without_compiler_or_network(prefix: pathlib.Path, tmp_path: pathlib.Path) -> None:
    outside(prefix, PYTHON, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
            "--target", tmp_path, prefix / "share/breakeven/analysis")
    assert not (tmp_path / "breakeven_analysis/bin").exists(), "a program was compiled"
    # Without site, which would import the environment's own copy.
    libraries = outside(prefix, PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    said = outside(prefix, PYTHON, "-I", "-S", "-c", f"import sys; sys.path += {[str(tmp_path), libraries]}\n"
                   "import breakeven_analysis as b; print(b.__file__, b.find_program())\n"
                   f"print(len(b.read_report({str(RECORDED)!r}).cases))")
    place, program, cases = said.split()
    assert place.startswith(str(tmp_path)) and program == f"{prefix}/bin/breakeven" and int(cases) > 0
