# SPDX-License-Identifier: Apache-2.0
"""`run` whose training diverges: everything is recorded, a sentence says so, and the exit code is 3."""
import pathlib
import sys
import tempfile

SUPPORT = pathlib.Path(__file__).parents[1] / "support"
sys.path.insert(0, str(SUPPORT))
import program  # noqa: E402

RUN = ["run", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--gpus", "1,all", "--warmup", "2",
       "--steps", "5", "--repeats", "1", "--instrument", "total"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        lost = str(pathlib.Path(folder) / "lost.h5")
        answer = program.run(2, *RUN, "--learning-rate", "1e38", "--output", lost)
        assert answer.returncode == 3, answer
        assert "in 3 runs the loss of the last step is not a number" in answer.stderr, answer.stderr
        report = program.run_well(1, "report", lost).stdout
        assert "In 3 of 3 runs the loss of the last step is not a number" in " ".join(report.split()), report
        program.run_well(2, *RUN, "--output", str(pathlib.Path(folder) / "kept.h5"))


if __name__ == "__main__":
    main()
