# SPDX-License-Identifier: Apache-2.0
"""The page: one HTML file with its style, script and data, which loads nothing from a network."""

import base64
import hashlib
import json
import shlex
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any

from breakeven_analysis.answers import Vocabulary

# Each script needs those before it.
SCRIPTS = ("words", "elements", "data", "choice", "grid", "tables", "speedup", "steps", "links", "main")

Row = dict[str, Any]


def page_of(data: Row) -> str:
    """All data is text: escaped in the HTML, and never part of the script, which the page allows by its digest."""
    script = "".join(asset(f"{name}.js") for name in SCRIPTS)
    parts = {
        "policy": policy_of(script),
        "title": escape(f"{data['file']} on {data['machine']}"),
        "file": escape(data["file"]),
        "machine": escape(data["machine"]),
        "style": asset("page.css"),
        "answers": answers(data),
        "warnings": listed(data["warnings"]) or "<p>No warnings.</p>",
        "claims": claims(data),
        "environment": environment(data),
        "data": as_json(data),
        "script": script,
    }
    pieces = asset("page.html").split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def policy_of(script: str) -> str:
    """No network, and no script but the page's own."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


def as_json(data: Row) -> str:
    """Without "<", because the first "</script" would end the script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def answers(data: Row) -> str:
    """All of the report's sentences."""
    sentences = (f"{answer['sentence']} {answer['loss']}".strip() for answer in data["answers"])
    return listed(sentences) or "<p>No case has a single-GPU baseline.</p>"


def claims(data: Row) -> str:
    labels = Vocabulary(data["vocabulary"]).claim_verdicts
    rows = [
        [row["statement"], labels[row["verdict"]], f"{row['agreeing']} of {row['cases']}", row["decided_by"]]
        for row in data["claims"]
    ]
    return table(["The articles' claim", "Here", "Cases that agree", "Decided by"], rows)


def environment(data: Row) -> str:
    """Machine, versions and settings of every launch, and the commands that make the report and the page again."""
    runs = data["runs"]
    head = f"{runs['done']} of {runs['planned']} planned runs done; {runs['verified']} read back and verified."
    parts = [f"<p>{escape(head)}</p>"]
    for number, launch in enumerate(data["launches"]):
        title = f"Launch {number + 1} of {len(data['launches'])}, started {launch['started']}"
        parts.append(f"<details{'' if number else ' open'}><summary>{escape(title)}</summary>{facts(launch)}</details>")
    names = shlex.join(data["files"])
    if data["price_an_hour"] is not None:
        names += f" --price {data['price_an_hour']:g}"
    again = f"breakeven report {names}\nbreakeven-report {names} -o report.html"
    return "".join(parts) + f"<p>To make this report and this page again:</p><pre>{escape(again)}</pre>"


def facts(launch: Row) -> str:
    devices = [
        [str(rank), one["name"], one["backend"], one["host"], one["pci_address"]]
        for rank, one in enumerate(launch["ranks"])
    ]
    named = {
        key: "; ".join(f"{name} {value}" for name, value in launch[key].items())
        for key in ("versions", "settings", "environment")
    }
    rows = [["revision", launch["revision"]], *([key, text] for key, text in named.items() if text)]
    return (
        f"<pre>{escape(launch['command_line'])}</pre>"
        + table(["Rank", "Device", "Backend", "Host", "PCI address"], devices)
        + table([], rows)
    )


def listed(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def table(titles: list[str], rows: list[list[str]]) -> str:
    """Without titles, the first column names the facts of the rows."""
    head = "".join(f"<th scope=col>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    kind = "text" if titles else "text facts"
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
