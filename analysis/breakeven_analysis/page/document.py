# SPDX-License-Identifier: Apache-2.0
"""The page itself: one HTML file with its style, its script and its data, which asks nothing of any network."""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from breakeven_analysis.page import sections

# In the order in which each needs those before it.
SCRIPTS = ("words", "elements", "data", "choice", "verdicts", "quality", "grid", "map", "speedup", "bars", "steps",
           "budget", "costs", "links", "devices", "main")  # fmt: skip


def page_of(data: dict[str, Any]) -> str:
    """Whatever stands in the data is text: escaped in the HTML, and never a part of the script, which the policy of
    the page allows by its digest alone."""
    script = "".join(asset(f"{name}.js") for name in SCRIPTS)
    parts = {
        "policy": policy_of(script),
        "title": escape(f"{data['file']} on {data['machine']}"),
        "file": escape(data["file"]),
        "machine": escape(data["machine"]),
        "style": asset("page.css"),
        "answers": sections.answers(data),
        "doubts": sections.doubts(data),
        "claims": sections.claims(data),
        "environment": sections.environment(data),
        "data": as_json(data),
        "script": script,
    }
    page = asset("page.html")
    pieces = page.split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def policy_of(script: str) -> str:
    """No network, and no script but the page's own."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


def as_json(data: dict[str, Any]) -> str:
    """Within a script element the text ends at the first "</script", so no "<" stands in it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
