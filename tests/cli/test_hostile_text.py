# SPDX-License-Identifier: Apache-2.0
"""Text of a results file that would command the terminal, or pass for the program's own lines."""
import pathlib
import shutil

import h5py
import numpy as np
import program
import pytest

SEED = pathlib.Path(__file__).parents[2] / "results" / "h200-2-2026-11-22" / "seed.h5"  # without checksums of labels
FORGED = "No warnings: every number of this report was verified."
RUN = ("run", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--gpus", "1", "--strategies", "single",
       "--warmup", "2", "--steps", "2", "--repeats", "1", "--settle", "0")


@pytest.mark.parametrize("variable", ["gpu_name", "model"])
@pytest.mark.parametrize("output", [("markdown", "--sections", "all"), ("csv",)], ids=lambda words: words[0])
def test_a_line_of_a_report_is_the_programs_own(tmp_path: pathlib.Path, variable: str, output: tuple) -> None:
    """Of text too, whose lines are those of Markdown, wrapped."""
    path = tmp_path / "forged.h5"
    shutil.copy(SEED, path)
    with h5py.File(path, "r+") as file:
        file[variable][...] = f"H200\n\n{FORGED}\n\n# Injected\nFOM {FORGED}"
    said = program.said("report", str(path), "--format", *output)
    assert (variable, output[0]) == ("gpu_name", "csv") or FORGED in said, said
    forged = [line for line in said.splitlines() if line.strip().startswith((FORGED, "# Injected", f"FOM {FORGED}"))]
    assert not forged, forged


@pytest.mark.parametrize("option", ["--append", "--resume"])
@pytest.mark.parametrize("place", ["format", "variable"])
def test_a_launch_refuses_a_file_without_obeying_it(tmp_path: pathlib.Path, option: str, place: str) -> None:
    path = tmp_path / "escapes.h5"
    program.run_well(1, *RUN, "--output", str(path))
    with h5py.File(path, "r+") as file:
        if place == "format":
            file.attrs["Conventions"] = np.bytes_(b"breakeven-results-\x1b[2J\x9b")
        else:
            file["\x1b]0;title\x07"] = 1
    done = program.run(1, *RUN, option, "--output", str(path))
    assert done.returncode == 5 and "\\x1b" in done.stderr, done
    assert not {"\x1b", "\x07", "\x9b"} & set(done.stdout + done.stderr), done
