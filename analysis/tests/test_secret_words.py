# SPDX-License-Identifier: Apache-2.0
"""Values of names that look secret stay out of a command line, wherever in a word they are."""

import shlex
import time
from pathlib import Path

import pytest

from breakeven_analysis.record.secret_words import command_line
from breakeven_analysis.wrap.options import parse
from breakeven_analysis.wrap.resume import check_command_of

HIDING = [
    ("--x 'A=b TOKEN=leak'", "A=b TOKEN=***"),
    ("'https://h/?a=b&token=leak&c=d'", "https://h/?a=b&token=***&c=d"),
    ("curl -H 'Authorization: Bearer leak'", "Authorization: Bearer ***"),
    ("""'Authorization: Digest user="leak", response="leak"'""", "***"),
    ("""sh -c 'curl -H "Authorization: Bearer leak" u; python3 p.py'""", '***" u; python3 p.py'),
    ("""'{"Authorization": "Bearer leak"}'""", '"Authorization": "***"'),
    ("""'{"token": "leak", "b": 1}'""", '{"token": "***", "b": 1}'),
    (r"""'{\"token\": \"leak\"}'""", "***"),
    ("""'os.environ["TOKEN"] = "leak leak"'""", 'os.environ["TOKEN"] = "***"'),
    ("--password= leak", "--password=***"),
    ("'--password= leak'", "--password=***"),
    ("env A=b sh -c 'A=1 HF_TOKEN=leak python3 p.py --access_key leak'", "HF_TOKEN=*** python3 p.py --access_key ***"),
    ("echo Authorization: Bearer leak", "***"),
    ("aws configure set aws_secret_access_key leak", "***"),
    ("'A=b password=a\"leak\" x'", "A=b password=*** x"),
    (r"'A=b password=a\ leak x'", "A=b password=*** x"),
    ("'A=b X-Api-Key: Bearer leak'", "***"),
    ("--env=MY_KEY=leak,leak", "***"),
    (
        "train.py --apiKey leak --authToken leak --hf-token-2 leak",
        "train.py --apiKey *** --authToken *** --hf-token-2 ***",
    ),
    ("SECRET_KEY_BASE=leak AWS_ACCESS_KEY_ID=leak", "SECRET_KEY_BASE=*** AWS_ACCESS_KEY_ID=***"),
    ("curl -H 'Proxy-Authorization: Basic leak' --oauth leak", "--oauth ***"),
]


@pytest.mark.parametrize(("line", "shown"), HIDING)
def test_a_value_is_hidden_within_words(line: str, shown: str) -> None:
    said = command_line(shlex.split(line))
    assert "leak" not in said and shown in " ".join(shlex.split(said)), said
    assert command_line(shlex.split(said)) == said, "what is hidden stays as it is"


@pytest.mark.parametrize(
    "line",
    [
        "torchrun --nproc-per-node 2 train.py --lr 0.1",
        "python3 /data/tokens/train.py --lr 0.1",
        "python3 tokens.py --x 1",
        "sh -c 'python3 /data/tokens/train.py --lr=0.1 && echo {gpus}'",
        "breakeven wrap --gpus 1,2 -- true {batch}",
        "train.py --max-tokens 200 --tokens-per-batch=4096 --num-key-value-heads 8 --author me TOKENS=5 --keyboard us",
        "train.py --tokenizer gpt2 --token-dropout 0.1 tokens: 5",
    ],
)
def test_ordinary_words_stay(line: str) -> None:
    assert command_line(shlex.split(line)) == shlex.join(shlex.split(line))


@pytest.mark.parametrize("word", ["a" * 200_000, "token " * 30_000, "token='" * 20_000, 'authorization:"="' * 20_000])
def test_long_words_take_no_long_time(word: str) -> None:
    began = time.monotonic()
    command_line([word])
    assert time.monotonic() - began < 10


def test_wrap_resumes_what_it_stored_without_secrets(tmp_path: Path) -> None:
    words = ["--output", str(tmp_path / "mine.h5"), "--gpus", "1,2", "--batches", "8", "--model", "key: leak"]
    words += ["--step-seconds", "token time: (.+) s", "--", "sh", "-c", "A=1 TOKEN=leak true {gpus}"]
    options = parse(words)
    stored = options.command_to_store()
    assert "leak" not in stored and "token time: (.+) s" in stored
    check_command_of(stored, options)
