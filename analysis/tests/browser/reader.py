# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium without network, and a few lines of JavaScript that act as its reader."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_NETWORK = ("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9")
QUIET = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
)
PATIENT = "--virtual-time-budget=60000"  # milliseconds; it ends at once where nothing is awaited
SECONDS = 100


@dataclass(frozen=True)
class Seen:
    """What the reader's lines returned, and the browser's console."""

    answer: Any
    console: list[str]


def find_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def browser_line(folder: Path, width: int, *options: str) -> list[str]:
    browser = find_browser()
    assert browser is not None
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox does not work for root
    own = [f"--window-size={width},1000", f"--user-data-dir={folder}/browser"]
    return [browser, "--headless=new", "--enable-logging=stderr", *QUIET, *root, *own, *options]


def read_in_browser(
    page: str, folder: Path, lines: str, address: str = "", width: int = 1200, library: str = ""
) -> Seen:
    """Opens a copy of the page that runs `lines`, the body of an async JavaScript function, once it is drawn.

    The lines may use `library`, another script.
    """
    path = folder / "read.html"
    path.write_text(with_reader(page, lines, library), encoding="utf-8")
    line = browser_line(folder, width, *NO_NETWORK, PATIENT, "--dump-dom", f"{path.as_uri()}{address}")
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", timeout=SECONDS, check=True)
    found = re.search(r'<pre id="read">(.*?)</pre>', done.stdout, re.DOTALL)
    console = [row for row in done.stderr.splitlines() if ":CONSOLE" in row]
    assert found, f"the reader's lines did not come to their end: {console}"
    return Seen(json.loads(unescape(found.group(1))), console)


def with_reader(page: str, lines: str, library: str) -> str:
    """The page's policy allows only its own script; this adds the reader's."""
    reader = f"""<script nonce="reader">{library}</script><script nonce="reader">
      (async () => {{ {lines} }})().then((answer) => {{
        const note = document.createElement("pre");
        note.id = "read";
        note.textContent = JSON.stringify(answer);
        document.body.append(note);
      }});
    </script>"""
    assert page.count("script-src ") == 1 and page.count("</body>") == 1
    return page.replace("script-src ", "script-src 'nonce-reader' ").replace("</body>", f"{reader}</body>")
