# SPDX-License-Identifier: Apache-2.0
"""`breakeven-report` where its output or its page cannot be written: one sentence and exit code 5."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from conftest import SCALING

START = "import sys; from breakeven_analysis.page.command import main; sys.exit(main())"


def run(page: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return run_words(SCALING, "-o", page, **options)


def run_words(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    line = [sys.executable, "-c", START, *map(str, words)]
    return subprocess.run(line, text=True, timeout=100, check=False, **options)


def test_full_output(tmp_path: Path) -> None:
    said = "breakeven-report: standard output cannot be written: No space left on device\n"
    for words in ([SCALING, "-o", tmp_path / "page.html"], ["--help"]):
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            done = run_words(*words, stdout=full)
        assert (done.returncode, done.stderr) == (5, said)
    assert (tmp_path / "page.html").exists()


def test_the_results_stay(tmp_path: Path) -> None:
    results = tmp_path / "results.html"  # whose page would have this name
    shutil.copy(SCALING, results)
    link = tmp_path / "link.html"
    link.symlink_to(results)
    for words in ([results], [results, "-o", results], [results, "-o", link]):
        done = run_words(*words)
        assert done.returncode == 1 and "would overwrite the results file itself" in done.stderr
    assert results.read_bytes() == SCALING.read_bytes()


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    results = Path(shutil.copy(SCALING, os.fsdecode(os.fsencode(tmp_path) + b"/\xe9.h5")))
    done = run_words(results)
    assert (done.returncode, done.stderr) == (0, "") and results.with_suffix(".html").exists()


def test_a_closed_pipe(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(tmp_path / "page.html", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (5, "") and (tmp_path / "page.html").exists()


def test_a_page_that_does_not_fit_leaves_the_former_one(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("former", encoding="utf-8")
    most = 10 * 1024
    done = run(page, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert (done.returncode, done.stderr) == (5, f"breakeven-report: '{page}' cannot be written: File too large\n")
    assert page.read_text(encoding="utf-8") == "former" and list(tmp_path.iterdir()) == [page]


def test_a_page_keeps_its_rights_and_a_link_its_target(tmp_path: Path) -> None:
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    page.touch(0o600)
    link.symlink_to(page)
    for name in (page, link):
        assert run(name).returncode == 0
        assert page.stat().st_mode & 0o777 == 0o600 and link.is_symlink() and page.stat().st_size > 10_000
