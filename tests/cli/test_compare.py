# SPDX-License-Identifier: Apache-2.0
"""Two results files against each other: nothing where they are the same, exit code 7 where one is slower."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

GATE = 7


def compare(*arguments: str) -> subprocess.CompletedProcess:
    command = [os.environ["BREAKEVEN"], "compare", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=50, check=False)


def measured(folder: pathlib.Path, name: str, *options: str) -> str:
    results = str(folder / name)
    program.run_well(1, "run", "--backend", "host", "--batches", "1", "--gpus", "1", "--strategies", "single",
                     "--instrument", "total", "--warmup", "2", "--repeats", "20", *options, "--output", results)
    return results


def check_same(results: str) -> None:
    done = compare(results, results, "--gate", "5%")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "same machine, program and settings" in done.stdout and "1 cases compared, 1 " in done.stdout, done.stdout
    assert "The gate of 5.0 % holds" in done.stdout, done.stdout


# Adam moves seven times the memory of plain gradient descent, and the model is all parameters.
def check_slower(old: str, new: str) -> None:
    done = compare(old, new, "--gate", "5%")
    assert done.returncode == GATE, (done.returncode, done.stdout, done.stderr)
    assert done.stdout.index("setting optimizer") < done.stdout.index("SLOWER"), done.stdout
    assert "The gate of 5.0 % is not met" in done.stdout and done.stderr.count("\n") == 1
    assert compare(old, new).returncode == 0
    assert compare(new, old, "--gate", "5%").returncode == 0


def check_formats(old: str, new: str) -> None:
    whole = json.loads(compare(old, new, "--format", "json", "--gate", "5%").stdout)
    rows = list(csv.DictReader(io.StringIO(compare(old, new, "--format", "csv").stdout)))
    assert whole["format"] == "breakeven comparison" and whole["version"] == 1 and whole["gate"] == 0.05
    assert len(whole["regressions"]) == 1 and len(rows) == len(whole["cases"]) == 1
    assert rows[0]["change"] == whole["cases"][0]["change"] == "SLOWER"
    assert float(rows[0]["speed_ratio_high"]) == whole["cases"][0]["speed_ratio_high"] < 0.95
    markdown = compare(old, new, "--format", "markdown").stdout
    assert markdown.startswith("# breakeven compare") and "| SLOWER |" in markdown, markdown


def check_refusals(folder: pathlib.Path, old: str) -> None:
    for code, words, arguments in [(1, "two results files", [old]),
                                   (1, "--gate '5'", [old, old, "--gate", "5"]),
                                   (1, "would overwrite", [old, old, "--output", old]),
                                   (1, "not one of text", [old, old, "--format", "xml"]),
                                   (5, "nothing.h5", [old, str(folder / "nothing.h5")])]:
        done = compare(*arguments)
        assert done.returncode == code and words in done.stderr and done.stdout == "", (arguments, done)
    assert "--gate" in compare("--help").stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shape = ["--models", "768-768-768", "--steps", "15"]
        old = measured(folder, "old.h5", *shape, "--optimizer", "sgd")
        new = measured(folder, "new.h5", *shape, "--optimizer", "adam")
        check_same(old)
        check_slower(old, new)
        check_formats(old, new)
        check_refusals(folder, old)


if __name__ == "__main__":
    main()
