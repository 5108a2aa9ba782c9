# SPDX-License-Identifier: Apache-2.0
"""A command line without the values of names that look secret. It hides rather too much than too little; what it has
hidden once it leaves as it is."""

import re
import shlex

# In a name in capitals with _ between its words. KEY and TOKEN hide at its end only: not in --max-tokens.
SECRET = re.compile(
    r"SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|AUTH(?:ORIZATION)?(?:_|$)|(?:KEY|TOKEN)_*$"
    r"|(?:API|ACCESS|PRIVATE)_?(?:KEY|TOKEN)"
)
NEXT_WORD = re.compile(r"[\W\d_]+|(?<=[a-z])(?=[A-Z])")
HIDDEN = "***"

NAME = re.compile(r"[\w.-]+")
# As in NAME=, NAME: and NAME followed by its value, --NAME "VALUE", {"NAME": "VALUE"}, environ["NAME"] = "VALUE".
BETWEEN = re.compile(r"""[\\'"\])}]*(?:\s*[:=]+>?\s*|\s+)\\*(?:(?:Bearer|Basic|Digest|Token)\s+)?""", re.IGNORECASE)
QUOTED = r""""(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?"""
# What follows a comma without a name of its own is still the value.
PIECE = r"""\\.|\$\([^)]*\)|"[^\s"]*"|'[^\s']*'|,(?![^,&\s'"]*[:=])(?=[^\s'"])|[^\s&,'"]"""
VALUE = re.compile(rf"(?:{QUOTED})(?:(?![}}\])])(?:{PIECE}))*|(?:{PIECE})+", re.DOTALL)
HEADERS = ("AUTHORIZATION", "COOKIE")  # whose values have several words
TO_QUOTE = re.compile(r"""["']?(?:=\s*"[^"]*"|[^'"])*""")  # a quote behind = is within the value
BARE = re.compile(r"[\w-]+")


def looks_secret(name: str) -> bool:
    return SECRET.search(NEXT_WORD.sub("_", name).upper()) is not None


def is_secret(name: str) -> bool:
    return looks_secret(name) or name.upper() == "BEARER"


def command_line(words: list[str]) -> str:
    """Values of options and variables that look secret are left out."""
    return shlex.join(without_secrets(words))


def without_secrets(words: list[str]) -> list[str]:
    before = ["", *words[:-1]]
    return [
        HIDDEN if word != "--" and is_value_of(name, word) else without_values(word)
        for name, word in zip(before, words, strict=True)
    ]


def is_value_of(name: str, word: str) -> bool:
    """Whether the word behind `name` is its value."""
    if not is_secret(name):
        return False
    if name.endswith(("=", ":")):
        return True
    is_option = name.startswith("-") and "=" not in name
    return is_option or (BARE.fullmatch(name) is not None and not word.startswith("-"))


def without_values(word: str) -> str:
    name, equals, _ = word.partition("=")
    if equals and looks_secret(name) and not any(letter.isspace() for letter in name):
        return f"{without_pairs(name)}={HIDDEN}"
    return without_pairs(word)


def without_pairs(text: str) -> str:
    shown, place = "", 0
    for name in NAME.finditer(text):
        between = BETWEEN.match(text, name.end())
        if name.start() < place or between is None or not is_secret(name[0]):
            continue
        has_words = ":" in between[0] and any(header in name[0].upper() for header in HEADERS)
        value = (TO_QUOTE if has_words else VALUE).match(text, between.end())
        if value is None:
            continue
        quote = value[0][:1] if value[0][:1] in ("'", '"') else ""
        shown += text[place : between.end()] + quote + HIDDEN + ("" if has_words else quote)
        place = value.end()
    return shown + text[place:]
