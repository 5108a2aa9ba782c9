# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap` follows the link that its output is, and no link in the folder of its logs and parts."""
import os
import pathlib

import program
import pytest
from wrapping import FILE, STEP, USAGE, runs_by_launch, script, wrap

WORDS = ["--gpus", "1", "--batches", "8", "--launches", "1", "--step-seconds", STEP, "--"]
PRECIOUS = "all that I have\n"


@pytest.mark.parametrize("place", ("", "lock", "launch-1-batch-8-1-GPU.log", "durations.jsonl", "parts", "parts/token"))
def test_a_link_in_the_folder_of_logs_is_refused(tmp_path: pathlib.Path, place: str) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "file").write_text(PRECIOUS)
    link = tmp_path / "mine.h5.wrap" / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(mine if place in ("", "parts", "parts/token") else mine / "file")
    done = wrap(tmp_path, *WORDS, *script(tmp_path, "open('started', 'w')"), code=FILE)
    program.check_refusal(done, FILE, "remove it")
    assert list(mine.iterdir()) == [mine / "file"] and (mine / "file").read_text() == PRECIOUS
    assert link.is_symlink() and not (tmp_path / "started").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_a_folder_of_another_user_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.h5.wrap").mkdir()
    os.chown(tmp_path / "mine.h5.wrap", 12345, 12345)
    program.check_refusal(wrap(tmp_path, *WORDS, *script(tmp_path), code=FILE), FILE, "belongs to another user")


def test_an_output_that_is_a_link_stays_one(tmp_path: pathlib.Path) -> None:
    (tmp_path / "disk").mkdir()
    wrap(tmp_path, "--output", "disk/file.h5", *WORDS, *script(tmp_path))
    (tmp_path / "mine.h5").symlink_to("disk/file.h5")
    wrap(tmp_path, "--resume", "--launches", "2", *WORDS[:4], *WORDS[6:], *script(tmp_path))
    assert (tmp_path / "mine.h5").is_symlink() and runs_by_launch(tmp_path) == [1, 1]
    assert len(list((tmp_path / "disk" / "file.h5.wrap").glob("*.log"))) == 2, "the same folder by both names"


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "fifo.h5")
    (tmp_path / "link.h5").symlink_to("nowhere")
    for name, why in (("fifo.h5", "is not a regular file"), ("link.h5", "is a link to a file that does not exist"),
                      (200 * "long" + ".h5", "File name too long")):
        for more in ([], ["--resume"]):
            done = wrap(tmp_path, *more, "--output", name, *WORDS, *script(tmp_path), code=USAGE)
            program.check_refusal(done, USAGE, why)
    assert {path.name for path in tmp_path.iterdir()} == {"fifo.h5", "link.h5", "train.py"}
