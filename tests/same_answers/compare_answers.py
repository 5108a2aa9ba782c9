#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks two builds of breakeven the same questions about every recorded file and compares their answers value by value.

README.md beside this file says what counts as a difference; renames.toml lists what may differ.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import sys

import answers
import difference
import questions

HERE = pathlib.Path(__file__).resolve().parent


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="Exit code 1: something differs.")
    parser.add_argument("reference", metavar="REFERENCE", type=pathlib.Path, help="the program whose answers are right")
    parser.add_argument("program", metavar="PROGRAM", type=pathlib.Path, help="the program that is compared with it")
    parser.add_argument("--cache", metavar="FOLDER", type=pathlib.Path, help="keeps the reference's answers")
    parser.add_argument("--only", metavar="TEXT", default="", help="only questions whose command contains TEXT")
    parser.add_argument("--renames", metavar="FILE", type=pathlib.Path, default=HERE / "renames.toml")
    parser.add_argument("--show", metavar="N", type=int, default=20, help="differences to print of each question")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="questions to ask at once")
    options = parser.parse_args(arguments)
    for program in (options.reference, options.program):
        if not program.is_file():
            parser.error(f"{program} is not a file")
    return options


def compared(question: questions.Question, cache: answers.Cache, program: pathlib.Path, renames: difference.Renames):
    """The comparison of one question's answers, and whether both programs refused to answer."""
    arguments = [renames.arguments.get(argument, argument) for argument in question.arguments]
    comparison = difference.Comparison(renames)
    place = f"{question.command}/{question.format}"
    old = answers.read(cache.answer(question), question.format)
    try:
        new = answers.read(answers.ask(program, question, arguments), question.format)
    except (AssertionError, ValueError) as problem:  # the reference's answers can be read; these cannot
        comparison.differences.append(difference.Difference(place, "an answer", str(problem)))
        return comparison, False
    for part in ("exit code", "errors"):
        comparison.compare(old[part], new[part], f"{question.command}/{part}")
    comparison.compare(old["answer"], new["answer"], place)
    return comparison, old["answer"] is None and new["answer"] is None


def main(arguments: list[str] | None = None) -> int:
    options = options_of(arguments)
    renames = difference.Renames.read(options.renames)
    cache = answers.Cache(options.reference.resolve(), options.cache)
    asked = [question for question in questions.all_questions() if options.only in str(question)]
    different, answered, values = [], collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        results = workers.map(lambda question: compared(question, cache, options.program.resolve(), renames), asked)
        for question, (comparison, refused) in zip(asked, results):
            values += comparison.values
            answered[question.command] += not refused
            different += comparison.differences
            for found in comparison.differences[:options.show]:
                print(f"{question}\n  {found}")
            if len(comparison.differences) > options.show:
                print(f"  and {len(comparison.differences) - options.show} more", flush=True)
    counts = ", ".join(f"{command} {count}" for command, count in answered.items())
    print(f"{len(asked)} questions, {answered.total()} answered ({counts}), {values} values compared, {len(different)} differ")
    if not values:
        print("Nothing was compared.")
    return 1 if different or not values else 0


if __name__ == "__main__":
    sys.exit(main())
