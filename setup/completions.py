# SPDX-License-Identifier: Apache-2.0
"""Completions for bash, zsh and fish."""

import re

from help_text import Command


def bash(commands: list[Command]) -> str:
    names = " ".join(command.name for command in commands)
    lines = [
        "# Completion of breakeven for bash.",
        "_breakeven() {",
        '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options="" values=""',
        "  COMPREPLY=()",
        "  if [ $COMP_CWORD -eq 1 ]; then",
        f'    COMPREPLY=($(compgen -W "{names} help --help --version" -- "$word"))',
        "    return",
        "  fi",
        "  case ${COMP_WORDS[1]} in",
        f'    help) COMPREPLY=($(compgen -W "{names}" -- "$word")); return ;;',
    ]
    for command in commands:
        lines.append(f"    {command.name})")
        lines.append(f'      options="{" ".join(option.long for option in command.options)}"')
        if worded := [option for option in command.options if option.words]:
            lines.append("      case $before in")
            lines += [f'        {option.long}) values="{" ".join(option.words)}" ;;' for option in worded]
            lines.append("      esac ;;")
        else:
            lines.append("      ;;")
    lines += [
        "  esac",
        "  # Of a list, the word behind the last comma.",
        '  if [ -n "$values" ]; then',
        '    local head=""',
        '    [[ $word != *,* ]] || head=${word%,*},',
        '    COMPREPLY=($(compgen -P "$head" -W "$values" -- "${word##*,}"))',
        "  elif [[ $word == -* ]]; then",
        '    COMPREPLY=($(compgen -W "$options" -- "$word"))',
        "  else",
        '    COMPREPLY=($(compgen -f -- "$word"))',
        "  fi",
        "}",
        "complete -o filenames -F _breakeven breakeven",
    ]
    return "\n".join(lines) + "\n"


def zsh_text(text: str) -> str:
    return re.sub(r"([\\\[\]:'])", lambda found: "'\\''" if found[1] == "'" else "\\" + found[1], text)


def zsh(commands: list[Command]) -> str:
    lines = ["#compdef breakeven", "local -a names", "names=("]
    lines += [f"  '{command.name}:{zsh_text(command.summary)}'" for command in commands]
    lines += [")", "if (( CURRENT == 2 )); then", "  _describe command names", "  return", "fi", "case $words[2] in"]
    for command in commands:
        lines += [f"  {command.name})", *zsh_arguments(command)]
        lines[-1] += " ;;"
    lines.append("esac")
    return "\n".join(lines) + "\n"


def zsh_arguments(command: Command) -> list[str]:
    lines = ["    _arguments \\"]
    for option in command.options:
        value = ""
        if option.words:
            value = f":{zsh_text(option.value)}:_values -s , {zsh_text(option.value)} {' '.join(option.words)}"
        elif option.value:
            value = f":{zsh_text(option.value)}:_files"
        lines.append(f"      '*{option.long}[{zsh_text(option.meaning)}]{value}' \\")
    return [*lines, "      '*:file:_files'"]


def fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands: list[Command]) -> str:
    lines = ["# Completion of breakeven for fish."]
    for command in commands:
        about = f"-a {command.name} -d {fish_text(command.summary)}"
        lines.append(f"complete -c breakeven -n __fish_use_subcommand -f {about}")
        for option in command.options:
            value = " -r" if option.value else ""
            if option.words:
                value = f" -x -a {fish_text(' '.join(option.words))}"
            seen = f"'__fish_seen_subcommand_from {command.name}'"
            about = f"-l {option.long[2:]}{value} -d {fish_text(option.meaning)}"
            lines.append(f"complete -c breakeven -n {seen} {about}")
    return "\n".join(lines) + "\n"


def page_completions(page: Command) -> dict[str, str]:
    """Of the command that writes the HTML page: it has options and files only."""
    options = " ".join(option.long for option in page.options)
    bash_lines = [
        f"# Completion of {page.name} for bash.",
        "_breakeven_page() {",
        '  local word=${COMP_WORDS[COMP_CWORD]} kind=(-f)',
        f'  [[ $word != -* ]] || kind=(-W "{options}")',
        '  COMPREPLY=($(compgen "${kind[@]}" -- "$word"))',
        "}",
        f"complete -o filenames -F _breakeven_page {page.name}",
    ]
    fish_lines = [f"# Completion of {page.name} for fish."]
    for option in page.options:
        about = f"-l {option.long[2:]}{' -r' if option.value else ''} -d {fish_text(option.meaning)}"
        fish_lines.append(f"complete -c {page.name} {about}")
    return {
        f"bash-completion/completions/{page.name}": "\n".join(bash_lines) + "\n",
        f"zsh/site-functions/_{page.name}": "\n".join([f"#compdef {page.name}", *zsh_arguments(page)]) + "\n",
        f"fish/vendor_completions.d/{page.name}.fish": "\n".join(fish_lines) + "\n",
    }
