# SPDX-License-Identifier: Apache-2.0
"""Planted faults: the comparison of two builds' answers must find each of them, and nothing where there is none."""
import contextlib
import copy
import io
import json
import math
import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import answers  # noqa: E402
import compare_answers  # noqa: E402
from difference import Comparison, Renames  # noqa: E402

ANSWER = {
    "version": 2,
    "sentence": "ddp on 2 GPUs is 1.28 (1.26–1.30) times as fast at batch 16,384",
    "cases": [{"model": "xl", "seconds": 0.1 + 0.2, "steps": 400, "graph": True, "low": None, "verdict": "pays"},
              {"model": "large", "seconds": 2.5, "steps": 0, "graph": False, "low": math.nan, "verdict": "base"}],
}


def found(old, new, **table) -> list[str]:
    comparison = Comparison(Renames(table))
    comparison.compare(old, new, "report/json")
    assert comparison.values > 0
    return [difference.place for difference in comparison.differences]


def changed(change) -> dict:
    answer = copy.deepcopy(ANSWER)
    change(answer)
    return answer


def put(place: str, value):
    """The answer with the value there: "cases/0/steps"."""
    *path, last = [int(part) if part.isdigit() else part for part in place.split("/")]

    def change(answer):
        for part in path:
            answer = answer[part]
        answer[last] = value
    return changed(change)


class PlantedFaults(unittest.TestCase):
    def test_equal_answers_have_no_difference(self):
        self.assertEqual(found(ANSWER, copy.deepcopy(ANSWER)), [])

    def test_each_changed_value_is_found(self):
        for place, value in (("cases/0/seconds", 0.3), ("cases/0/seconds", math.nan), ("cases/0/seconds", None),
                             ("cases/0/seconds", "0.30000000000000004"), ("cases/0/steps", 401), ("cases/0/steps", True),
                             ("cases/0/graph", False), ("cases/0/graph", 1), ("cases/1/graph", 0), ("cases/0/low", 0),
                             ("cases/0/low", math.nan), ("cases/1/low", 0.0), ("cases/1/low", None),
                             ("cases/0/verdict", "base"), ("cases/1/steps", False), ("sentence", "ddp on 2 GPUs pays")):
            with self.subTest(place=place, value=value):
                self.assertEqual(found(ANSWER, put(place, value)), [f"report/json/{place}"])

    def test_missing_and_added_parts_are_found(self):
        self.assertEqual(found(ANSWER, changed(lambda answer: answer["cases"][0].pop("steps"))), ["report/json/cases/0/steps"])
        self.assertEqual(found(ANSWER, changed(lambda answer: answer["cases"].pop())), ["report/json/cases/1"])
        self.assertEqual(found(ANSWER, changed(lambda answer: answer["cases"].append({}))), ["report/json/cases/2"])
        self.assertEqual(found(ANSWER, put("cases/0/more", None)), ["report/json/cases/0/more"])
        self.assertEqual(found(ANSWER, changed(lambda answer: answer["cases"].reverse()))[0], "report/json/cases/0/model")
        self.assertEqual(found(ANSWER, None), ["report/json"])


class Renamed(unittest.TestCase):
    def test_keys_and_words(self):
        renamed = copy.deepcopy(ANSWER)
        for case in renamed["cases"]:
            case["network"] = case.pop("model")
        table = {"keys": {"report/json/cases/*": {"model": "network"}}}
        self.assertEqual(found(ANSWER, renamed, **table), [])
        self.assertEqual(len(found(ANSWER, renamed, keys={"report/json": {"model": "network"}})), 4)
        self.assertEqual(found(ANSWER, put("cases/1/verdict", "baseline"), words={"base": "baseline"}), [])
        self.assertEqual(found(ANSWER, put("cases/0/verdict", "baseline"), words={"base": "baseline"}),
                         ["report/json/cases/0/verdict"])

    def test_changed_wording_keeps_its_numbers(self):
        wording = {"wording": [{"place": "**/sentence", "reason": "plain words"}]}
        fewer = {"wording": [{"place": "**/sentence", "reason": "plain words", "numbers": "fewer"}]}
        same = put("sentence", "At batch 16384, 2 GPUs are 1.28× as fast (1.26–1.30)")
        self.assertEqual(found(ANSWER, same, **wording), [])
        for text in ("At batch 16384, 2 GPUs are 1.27× as fast (1.26–1.30)", "At batch 16384, 2 GPUs are 1.28× as fast"):
            self.assertEqual(len(found(ANSWER, put("sentence", text), **wording)), 1, text)
        self.assertEqual(found(ANSWER, put("sentence", "2 GPUs are 1.28× as fast"), **fewer), [])
        self.assertEqual(len(found(ANSWER, put("sentence", "2 GPUs are 1.29× as fast"), **fewer)), 1)
        self.assertEqual(len(found(ANSWER, changed(lambda answer: answer.pop("sentence")), **wording)), 1)

    def test_added_changed_and_tolerated(self):
        added = {"added": [{"place": "report/json/vocabulary", "reason": "new"}]}
        self.assertEqual(found(ANSWER, put("vocabulary", {}), **added), [])
        self.assertEqual(len(found(ANSWER, put("cases/0/vocabulary", {}), **added)), 1)
        version = {"changed": [{"place": "report/json/version", "old": 2, "new": 3, "reason": "new keys"}]}
        self.assertEqual(found(ANSWER, put("version", 3), **version), [])
        self.assertEqual(len(found(ANSWER, put("version", 4), **version)), 1)
        tolerance = {"tolerance": [{"place": "**/seconds", "relative": 1e-12, "reason": "another order of a sum"}]}
        self.assertEqual(found(ANSWER, put("cases/0/seconds", 0.3), **tolerance), [])
        for value in (0.3001, math.nan, math.inf):
            self.assertEqual(len(found(ANSWER, put("cases/0/seconds", value), **tolerance)), 1, value)

    def test_entries_need_a_reason(self):
        for table in ({"wording": [{"place": "**"}]}, {"word": {}}):
            with self.assertRaises(AssertionError):
                Renames(table)


class Formats(unittest.TestCase):
    def test_csv(self):
        self.assertEqual(answers.value_of("model,seconds\nxl,2.5\nlarge,\n", "csv"),
                         [{"model": "xl", "seconds": 2.5}, {"model": "large", "seconds": ""}])
        with self.assertRaises(AssertionError):
            answers.value_of("model,seconds\nxl\n", "csv")

    def test_markdown(self):
        title, table = answers.value_of("# Report\n- a line\n\n**Speed**\n\n| Case | Speed |\n|---|--:|\n| xl | 1.5 |\n", "markdown")[1:]
        self.assertEqual((title["title"], title["lines"]), ("Report", ["- a line"]))
        self.assertEqual((table["title"], table["columns"], table["rows"]), ("Speed", ["Case", "Speed"], [["xl", "1.5"]]))


@unittest.skipUnless("BREAKEVEN" in os.environ, "BREAKEVEN names the program")
class WholeProgram(unittest.TestCase):
    """The program beside itself, and beside a program that alters what it prints."""
    only = "trace results/h200-2-2026-11-22/strategies.h5 --run 0"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def altered(self, edit: str) -> str:
        """A program that prints what the real one does after the edit, a program for sed."""
        program = self.folder / "altered"
        program.write_text(f"#!/usr/bin/env bash\nset -o pipefail\n\"{os.environ['BREAKEVEN']}\" \"$@\" | sed '{edit}'\n", encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return str(program)

    def compare(self, program: str, *options: str) -> tuple[int, str]:
        no_renames = self.folder / "none.toml"
        no_renames.touch()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = compare_answers.main([os.environ["BREAKEVEN"], program, "--renames", str(no_renames), "--only", self.only,
                                         "--cache", str(self.folder / "cache"), *options])
        return code, printed.getvalue()

    def test_beside_itself(self):
        code, printed = self.compare(os.environ["BREAKEVEN"])
        self.assertEqual(code, 0, printed)
        self.assertIn("1 questions, 1 answered (trace 1)", printed)
        self.assertIn(" 0 differ", printed)

    def test_beside_an_altered_one(self):
        for edit, words in (("s/\"loss_share\":1/\"loss_share\":2/", "/args/loss_share"), ("s/\"dur\":/\"length\":/", "is now nothing"),
                            ("s/\"host_seconds\":[0-9.e-]*/\"host_seconds\":NaN/", "is now nan"), ("d", "nothing was printed"),
                            ("s/{/[/", "an answer")):
            with self.subTest(edit=edit):
                code, printed = self.compare(self.altered(edit))
                self.assertEqual(code, 1, printed)
                self.assertIn(words, printed)

    def test_no_question_is_a_failure(self):
        self.assertEqual(self.compare(os.environ["BREAKEVEN"], "--only", "no such words")[0], 1)

    def test_cache_keeps_the_reference_alone(self):
        self.compare(self.altered("s/1/2/"))
        (kept,) = (self.folder / "cache").iterdir()
        answer = json.loads(kept.read_text(encoding="utf-8"))
        self.assertEqual(answer["exit code"], 0)
        self.assertEqual(self.compare(os.environ["BREAKEVEN"])[0], 0)


if __name__ == "__main__":
    unittest.main()
