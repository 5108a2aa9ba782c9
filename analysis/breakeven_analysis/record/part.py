# SPDX-License-Identifier: Apache-2.0
"""What one rank recorded in one run, and the folder that holds it until all ranks' parts are joined."""

import contextlib
import json
import math
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from breakeven_analysis.apart import ODD
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record.meeting import HeldFile, is_held

Numbers: TypeAlias = npt.NDArray[np.float64]
BY_STEP = ("seconds", "host_seconds", "start_seconds", "loss")  # the arrays of a Part
STEP, OVERHEAD, WAIT, EXCHANGE = (PHASES.index(name) for name in ("step", "overhead", "wait", "exchange"))


@dataclass
class Part:
    """Names of variables in the results file; those by step have one number for each step made."""

    seconds: Numbers  # [step, phase]; NaN where a phase was not measured
    host_seconds: Numbers
    start_seconds: Numbers  # by the clock of the rank's host
    loss: Numbers  # of this rank's samples
    numbers: dict[str, float] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)  # has_phases, has_losses, has_last_loss

    @property
    def steps(self) -> int:
        return len(self.seconds)


class PartsFolder:
    """`FILE.parts/TOKEN/` of one start of the program: rank-N.json describes the rank, rank-N.npz is its part. Each
    rank holds its rank-N.json for as long as it lives."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def describe(self, rank: int, description: dict[str, Any]) -> HeldFile:
        try:
            held = HeldFile(self.path / f"rank-{rank}.json")
            held.append(description)
        except OSError:
            with contextlib.suppress(OSError):
                self.path.rmdir()
            raise
        return held

    def write(self, rank: int, part: Part) -> None:
        """Writes all of it or nothing, even if the process is killed meanwhile."""
        numbers = np.array(list(part.numbers.values()), np.float64)
        partial = self.path / f"rank-{rank}.partial"
        with partial.open("wb") as stream:
            np.savez(
                stream,
                **{name: getattr(part, name) for name in BY_STEP},
                names=np.array(list(part.numbers), np.str_),
                numbers=numbers,
                flags=np.array(json.dumps(part.flags)),
            )
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(self.path / f"rank-{rank}.npz")

    def is_described(self) -> bool:
        return any(self.path.glob("rank-*.json"))

    def descriptions(self) -> dict[int, dict[str, Any]]:
        found = {}
        for path in sorted(self.path.glob("rank-*.json")):
            text = path.read_text()
            if text.endswith("\n"):  # else its process was killed in the middle of writing
                found[number_of(path)] = in_utf8(json.loads(text))
        return found

    def parts(self) -> dict[int, Part]:
        found = {}
        for path in sorted(self.path.glob("rank-*.npz")):
            with np.load(path, allow_pickle=False) as stored:
                check_size(stored.zip, path)
                arrays = {name: stored[name] for name in BY_STEP}
                numbers = dict(zip(stored["names"].tolist(), stored["numbers"].tolist(), strict=True))
                flags = json.loads(str(stored["flags"]))
            found[number_of(path)] = Part(**arrays, numbers=numbers, flags=flags)
        return found

    def is_alive(self) -> bool:
        return any(is_held(path) for path in self.path.glob("rank-*.json"))

    def has_part(self, rank: int) -> bool:
        return (self.path / f"rank-{rank}.npz").exists()

    def rank_lives(self, rank: int) -> bool:
        return is_held(self.path / f"rank-{rank}.json")

    def remove(self) -> None:
        """What somebody else made there stays."""
        for path in self.path.iterdir():
            if not path.is_dir():
                path.unlink()
        with contextlib.suppress(OSError):
            self.path.rmdir()


def in_utf8(value: Any) -> Any:
    """Results files hold UTF-8. Bytes of a command line or an environment that are none become \\udcXX."""
    if isinstance(value, dict):
        return {in_utf8(name): in_utf8(one) for name, one in value.items()}
    if isinstance(value, list):
        return [in_utf8(one) for one in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def number_of(path: Path) -> int:
    return int(path.stem.partition("-")[2])


@dataclass(frozen=True)
class Run:
    """The parts of all ranks as one run; without parts it is planned: the program ended in the middle of it."""

    case: dict[str, Any]
    start: dict[str, Any]  # of the program: labels of a launch
    devices: list[dict[str, Any]]
    planned: dict[str, int]  # warmup, steps, parameters
    parts: list[Part]
    launch: str = ""  # where `breakeven wrap` decides which runs make a launch: its start

    @property
    def steps(self) -> int:
        return self.parts[0].steps if self.parts else self.planned["steps"]


def check_size(archive: zipfile.ZipFile, path: Path) -> None:
    """Parts are not compressed, so that a small file becomes no large array."""
    if sum(entry.file_size for entry in archive.infolist()) > path.stat().st_size:
        raise ValueError(f"{path.name} is larger than its file")


def check_claims(description: dict[str, Any], ranks: int) -> None:
    """The numbers that a rank wrote, before anything is repeated so often or made so large."""
    gpus = description["case"]["gpus"]
    if not (is_count(gpus) and 1 <= gpus <= ranks):
        raise ValueError(f"it is of {gpus} ranks, and has the descriptions of {ranks}")
    for name in ("warmup", "steps", "parameters"):
        if not is_count(description["planned"][name]):
            raise ValueError(f"{name} is {description['planned'][name]}, and must be a whole number from 0 on")


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def planned_run(folder: PartsFolder) -> Run | None:
    """What the ranks were about to measure; nothing if they had not come so far."""
    described = folder.descriptions()
    if 0 not in described:
        return None
    first = described[0]
    check_claims(first, len(described))
    devices = [described.get(rank, first)["device"] for rank in range(first["case"]["gpus"])]
    return Run(first["case"] | {"instrument": "total"}, first["start"], devices, first["planned"], [])


def join(folder: PartsFolder) -> tuple[Run | None, str]:
    """The run of a folder, and a sentence about what is missing or ""."""
    try:
        return join_undamaged(folder)
    except (*ODD, zipfile.BadZipFile) as error:
        return None, f"{folder.path} is damaged, so the run is not measured: {type(error).__name__}: {error}"


def join_undamaged(folder: PartsFolder) -> tuple[Run | None, str]:
    run, parts = planned_run(folder), folder.parts()
    if run is None:
        return None, ""
    case, start, devices, ranks = run.case, run.start, run.devices, len(run.devices)
    made = [parts[rank].steps for rank in range(ranks) if rank in parts]
    if len(made) == ranks and min(made) == 0:
        return None, ""
    missing = [str(rank) for rank in range(ranks) if rank not in parts]
    if missing:
        ends = "rank " + missing[0] if len(missing) == 1 else "ranks " + ", ".join(missing)
        return run, f"{ends} of {ranks} ended before the measured steps were complete, so the run is not measured"
    sentence = ""
    if min(made) != max(made):
        counts = ", ".join(f"rank {rank} made {count}" for rank, count in enumerate(made))
        sentence = f"the ranks made different numbers of measured steps ({counts}); the first {min(made)} are kept"
    kept = [first_steps(parts[rank], min(made)) for rank in range(ranks)]
    case["instrument"] = "phases" if all_have("has_phases", kept) else "total"
    start["settings"]["recorded-loss"] = recorded_loss(kept)
    return Run(case, start, devices, run.planned, on_one_clock(kept, devices)), sentence


def all_have(flag: str, parts: list[Part]) -> bool:
    return all(part.flags[flag] for part in parts)


def recorded_loss(parts: list[Part]) -> str:
    """Which losses the program reads as numbers (src/analysis/number_fault.cpp)."""
    if not all_have("has_last_loss", parts):
        return "none"
    return "first steps" if all_have("has_losses", parts) else "last step"


def first_steps(part: Part, steps: int) -> Part:
    arrays = {name: getattr(part, name)[:steps] for name in BY_STEP}
    return Part(**arrays, numbers=part.numbers | {"steps_made": float(steps)}, flags=part.flags)


def on_one_clock(parts: list[Part], devices: list[dict[str, Any]]) -> list[Part]:
    """Losses become shares of the batch's mean loss, starts count from rank 0's clock on its host, and waiting is taken
    out of the exchange: a collective ends on all ranks at the same time, so the shortest time is the exchange."""
    began = parts[0].numbers["began_seconds"]
    samples = np.array([part.numbers.pop("samples") for part in parts])
    weights = np.full(len(parts), 1 / len(parts)) if np.isnan(samples).any() else samples / samples.sum()
    exchange = np.min([part.seconds[:, EXCHANGE] for part in parts], axis=0)
    for part, device, weight in zip(parts, devices, weights.tolist(), strict=True):
        del part.numbers["began_seconds"]
        shares_clock = device["host"] == devices[0]["host"]
        part.start_seconds = part.start_seconds - (began if shares_clock else math.nan)
        if not shares_clock:
            part.numbers["start_uncertainty_seconds"] = math.nan
        part.loss = part.loss * weight
        part.numbers["last_loss"] *= weight
        part.seconds[:, WAIT] = part.seconds[:, EXCHANGE] - exchange
        part.seconds[:, EXCHANGE] = exchange
    return parts
