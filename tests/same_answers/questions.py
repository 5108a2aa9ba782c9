# SPDX-License-Identifier: Apache-2.0
"""What both programs are asked: every command that answers, about every recorded file, in the formats that hold numbers."""
import pathlib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPOLOGIES = ROOT / "jobs" / "topologies"
JOB = ["--samples", "1e9", "--price", "2.5", "--hour-value", "3", "--deadline", "1h", "--hardware-cost", "800,1600",
       "--jobs-per-month", "20", "--power-price", "0.3"]
FAILURES = ["--mtbf", "1000", "--checkpoint-seconds", "60", "--price", "2.5"]


@dataclass(frozen=True)
class Question:
    """The arguments of one call, and the format of its answer."""
    arguments: tuple[str, ...]
    format: str

    @property
    def command(self) -> str:
        return self.arguments[0]

    def __str__(self) -> str:
        return " ".join(self.arguments)


def recorded() -> list[str]:
    """Every results file of the repository, as a path below its root."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "results").rglob("*.h5"))
    assert files, f"no results file below {ROOT / 'results'}"
    return files


def asked(formats, *arguments) -> list[Question]:
    return [Question((*map(str, arguments), "--format", kind), kind) for kind in formats]


def reports(file: str) -> list[Question]:
    return [*asked(("json", "csv"), "report", file),
            *asked(("json",), "report", file, "--price", "2.5", "--memory-limit", "12GB"),
            *asked(("markdown",), "report", file),
            *asked(("markdown",), "report", file, "--sections", "all", "--price", "2.5", "--memory-limit", "12GB"),
            *asked(("text",), "report", file, "--sections", "all")]


def advice(file: str) -> list[Question]:
    return [*asked(("json", "csv", "markdown"), "advise", file, "--model", "xl", "--batch", "4096", *JOB),
            *asked(("json",), "advise", file, "--model", "2000-3000-3000-500", "--batch", "8192", "--price", "2.5", "--map"),
            *asked(("json",), "advise", file, "--model", "large", "--batch", "512", "--lossy", "--memory-limit", "12GB"),
            *asked(("json",), "advise", file, "--model", "medium", "--batch", "256", "--gpus", "2")]


def predictions(file: str) -> list[Question]:
    questions = [*asked(("json", "csv", "markdown"), "predict", file, "--hold-out-gpus", "4"),
                 *asked(("json",), "predict", file, "--hold-out-gpus", "2"),
                 *asked(("json", "csv"), "predict", file, "--model", "xl", "--batch", "4096", "--gpus", "2..64", "--lossy"),
                 *asked(("json",), "predict", file, "--model", "2000-3000-3000-500", "--batch", "512", "--scaling", "weak",
                        "--gpus", "2..64", "--memory-limit", "12GB")]
    for topology in sorted(TOPOLOGIES.glob("*.ini")):
        questions += asked(("json", "markdown"), "predict", file, "--model", "xxl", "--batch", "16384", "--gpus", "2..256",
                           "--topology", topology.relative_to(ROOT), *FAILURES)
    return questions


def traces(file: str) -> list[Question]:
    calls = (["--run", "0", "--steps", "0-4"], ["--run", "7"], ["--run", "25", "--steps", "3"], ["--run", "1000000"])
    return [Question(("trace", file, *call), "json") for call in calls]


def comparisons(files: list[str]) -> list[Question]:
    """Each file against the next one and against itself, in both directions."""
    questions = []
    for old, new in zip(files, [*files[1:], files[0]]):
        questions += asked(("json", "csv", "markdown"), "compare", old, new)
        questions += asked(("json",), "compare", new, old, "--gate", "5%")
        questions += asked(("json",), "compare", old, old)
    return questions


def all_questions() -> list[Question]:
    files = recorded()
    questions = [question for file in files for ask in (reports, advice, predictions, traces) for question in ask(file)]
    several = [file for file in files if file.endswith("scaling.h5")]
    return questions + asked(("json", "csv"), "report", *several) + comparisons(files)
