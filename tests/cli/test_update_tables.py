# SPDX-License-Identifier: Apache-2.0
"""results/update-tables rewrites exactly the part between the markers, and --check finds it stale.

A script stands in for the program, so that the test says what the report prints."""
import pathlib
import subprocess
import sys

import pytest

UPDATE = pathlib.Path(__file__).resolve().parents[2] / "results" / "update-tables"
PAGE = "# Title\n\nbefore\n\n<!-- results:begin -->\nold\n<!-- results:end -->\n\nafter\n"


class Place:
    """A folder with a page and a stand-in for the program."""

    def __init__(self, folder):
        self.page = pathlib.Path(folder) / "page.md"
        self.program = pathlib.Path(folder) / "program"
        self.page.write_text(PAGE, encoding="utf-8")
        self.says("| a | 0.74 (0.72–0.76) |", code=0)

    def says(self, text, code):
        csv = "speedup_covers,runs_done,unsettled_runs,drifting_runs\nbetween 3 launches,6,0,2"
        self.program.write_text(f"#!/bin/sh\n[ \"$1\" = report ] || exit 9\ncase \"$*\" in *csv*) echo '{csv}'; exit;; esac\n"
                                f"cat <<'EOF'\n{text}\nEOF\nexit {code}\n", encoding="utf-8")
        self.program.chmod(0o755)

    def update(self, *flags, program=None):
        command = [sys.executable, UPDATE, "--part", "results", *flags, "--page", self.page, "results.h5", program or self.program]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def text(self):
        return self.page.read_text(encoding="utf-8")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture
def written(place):
    done = place.update()
    assert done.returncode == 0, done.stderr
    return place


def test_check_finds_a_stale_block_and_writes_nothing(place):
    assert place.update("--check").returncode == 1
    assert place.text() == PAGE


def test_the_block_is_the_programs_output_and_names_its_file(written):
    text = written.text()
    assert "0.74 (0.72–0.76)" in text and "old" not in text
    assert "Made from `results.h5`" in text


def test_what_stands_around_the_block_is_kept(written):
    assert written.text().startswith("# Title\n\nbefore\n\n<!-- results:begin -->\n")
    assert written.text().endswith("<!-- results:end -->\n\nafter\n")


def test_updating_twice_changes_nothing(written):
    text = written.text()
    assert written.update("--check").returncode == 0
    written.update()
    assert written.text() == text


def test_headings_of_the_report_are_none_of_the_pages(place):
    place.says("# breakeven report: results.h5\n\n- an answer\n\n## medium\n\n| a | 0.74 (0.72–0.76) |", code=0)
    place.update()
    assert "-->\n- an answer\n\n**medium**\n\n| a |" in place.text()
    assert "\n\n95 % CI between 3 launches, 2 of 6 runs still drifted.\n" in place.text()


def test_a_number_that_has_changed_is_found(written):
    written.says("| a | 0.75 |", code=0)
    assert written.update("--check").returncode == 1


@pytest.mark.parametrize("text, code, program", [("", 5, None), ("", 0, None), ("| a |", 0, "/nonexistent/program")],
                         ids=["it fails", "it says nothing", "it is not there"])
def test_a_program_without_an_answer_is_refused(written, text, code, program):
    before = written.text()
    written.says(text, code)
    assert written.update(program=program).returncode == 1
    assert written.text() == before


@pytest.mark.parametrize("broken", ["no markers", "<!-- results:end --> <!-- results:begin -->", PAGE + PAGE],
                         ids=["none", "the other way round", "twice"])
def test_a_page_without_its_markers_is_left_alone(place, broken):
    place.page.write_text(broken, encoding="utf-8")
    refused = place.update()
    assert refused.returncode == 1 and "exactly one" in refused.stderr, refused.stderr
    assert place.text() == broken
