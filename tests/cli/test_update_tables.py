# SPDX-License-Identifier: Apache-2.0
"""results/update-tables rewrites exactly the part between the markers, and --check finds it stale.

A script stands in for the program, so that the test says what the report prints."""
import pathlib
import subprocess
import sys
import tempfile

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
        self.program.write_text(f"#!/bin/sh\n[ \"$1\" = report ] || exit 9\ncat <<'EOF'\n{text}\nEOF\nexit {code}\n",
                                encoding="utf-8")
        self.program.chmod(0o755)

    def update(self, *flags, program=None):
        command = [sys.executable, UPDATE, "--part", "results", *flags, "--page", self.page, "results.h5", program or self.program]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def text(self):
        return self.page.read_text(encoding="utf-8")


def expect(right, what):
    if not right:
        raise SystemExit(f"FAILED: {what}")


def check_writing(place):
    expect(place.update("--check").returncode == 1, "--check finds the old block stale")
    expect(place.text() == PAGE, "--check writes nothing")
    done = place.update()
    expect(done.returncode == 0, f"updating succeeds: {done.stderr}")
    text = place.text()
    expect("0.74 (0.72–0.76)" in text and "old" not in text, "the block is the program's output")
    expect("Made from `results.h5`" in text, "the block names its file")
    expect(text.startswith("# Title\n\nbefore\n\n<!-- results:begin -->\n"), "what stands before is kept")
    expect(text.endswith("<!-- results:end -->\n\nafter\n"), "what stands behind is kept")
    expect(place.update("--check").returncode == 0, "--check is content with a fresh block")
    place.update()
    expect(place.text() == text, "updating twice changes nothing")
    place.says("# breakeven report: results.h5\n\n- an answer\n\n## medium\n\n| a | 0.74 (0.72–0.76) |", code=0)
    place.update()
    expect("-->\n- an answer\n\n**medium**\n\n| a |" in place.text(), "the report's headings are none of the README's")
    place.says("| a | 0.75 |", code=0)
    expect(place.update("--check").returncode == 1, "--check finds a number that has changed")


def check_refusals(place):
    before = place.text()
    place.says("", code=5)
    expect(place.update().returncode == 1, "a program that fails is refused")
    place.says("", code=0)
    expect(place.update().returncode == 1, "a program that says nothing is refused")
    expect(place.update(program="/nonexistent/program").returncode == 1, "a program that is not there is refused")
    expect(place.text() == before, "a refusal writes nothing")
    place.says("| a |", code=0)
    for broken in ("no markers", "<!-- results:end --> <!-- results:begin -->", before + before):
        place.page.write_text(broken, encoding="utf-8")
        refused = place.update()
        expect(refused.returncode == 1 and "exactly one" in refused.stderr, f"markers as in '{broken[:30]}' are refused")
        expect(place.text() == broken, "a page without its markers is left alone")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_writing(Place(folder))
        check_refusals(Place(folder))


if __name__ == "__main__":
    main()
