# SPDX-License-Identifier: Apache-2.0
"""What `breakeven wrap --resume` compares with the command that the results file was measured by."""

import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from breakeven_analysis.wrap import main

PRINTS = "for i in $(seq 40); do echo took 0.0010$((i % 2)) s; done; sleep 0.05"
FILE = 5
WORDS = ["--gpus", "1", "--batches", "8", "--launches", "1", "--step-seconds", "took (.+) s", "--settle", "0"]


def wrap(*words: str) -> int:
    """In the working folder. `words` are the last ones of the command."""
    return main([*WORDS, "--output", "mine.h5", "--resume", "--", "sh", "-c", PRINTS, *words])


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


def test_numbers_of_tokens_are_words_as_any_other(capsys: pytest.CaptureFixture) -> None:
    assert wrap("--max-tokens", "400") == 0
    assert wrap("--max-tokens", "200") == FILE
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "which was measured by: " in said and "--max-tokens 400. Use the same" in said


@pytest.mark.parametrize("words", [["--api-key", "{}"], ["--api-key={}"], ["https://h/?token={}"]])
def test_hidden_words_are_compared_and_not_stored(words: list[str], capsys: pytest.CaptureFixture) -> None:
    mine, other = ([word.format(value) for word in words] for value in ("sesame-1", "sesame-2"))
    assert wrap(*mine) == 0 and wrap(*mine) == 0
    assert capsys.readouterr().err == ""
    assert wrap(*other) == FILE
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "measured with other words where its command has ***. Use the same" in said
    kept = Path("mine.h5.wrap", "hidden-words.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not any(b"sesame" in path.read_bytes() for path in (Path("mine.h5"), kept))


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"salt": "x", "digest": ""}', None])
def test_hidden_words_that_cannot_be_compared_are_told(damage: str | None, capsys: pytest.CaptureFixture) -> None:
    assert wrap("--api-key", "sesame-1") == 0
    kept = Path("mine.h5.wrap", "hidden-words.json")
    if damage is None:
        kept.unlink()
    else:
        kept.write_text(damage)
    assert wrap("--api-key", "sesame-1") == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "hidden in 'mine.h5', and 'mine.h5.wrap/hidden-words.json', by which" in said
    assert wrap("--api-key", "sesame-2") == FILE, "those of the last start are kept"


def test_the_words_of_an_earlier_file_do_not_count() -> None:
    assert wrap("--api-key", "sesame-1") == 0
    Path("mine.h5").unlink()
    assert wrap("--api-key", "sesame-2") == 0


@pytest.mark.parametrize("word", ["a\nb", "\t' \\n \x1b[31m", "\udce9 \u202e\u00e9", "plain 'word'"])
def test_the_command_to_resume_is_the_same_in_a_shell(word: str, capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert main([*WORDS, "--output", "mine.h5", "--", "sh", "-c", "exit 1", word]) == 3
    (line,) = [one for one in capsys.readouterr().err.splitlines() if "To repeat only these: " in one]
    command = line.partition("To repeat only these: breakeven")[2]
    said = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True).stdout
    assert said.decode("utf-8", "surrogateescape").split("\0")[-2] == word
    assert word.isprintable() == (command.split(" -c ")[1] == shlex.join(["exit 1", word]))
