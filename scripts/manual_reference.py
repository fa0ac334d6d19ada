"""Write the manual's pages of all commands and settings, in both languages, from what declares them.

    python scripts/manual_reference.py

The Chinese words are in `manual_reference.yaml`. A test compares the pages with what this makes.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import yaml

from diglot.cli.commands import COMMANDS as DECLARED
from diglot.cli.parsing import main_parser
from diglot.languages import LANGUAGES, Language
from diglot.scaffold.schemas import find_schema

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "manual" / "content" / "pages"
WORDS: dict[str, dict[str, str]] = yaml.safe_load((ROOT / "scripts/manual_reference.yaml").read_text("utf-8"))

COMMANDS = {
    "en": """\
---
title: Commands
description: All commands of diglot, the flags that they share, exit codes and variables.
---

`diglot COMMAND --help` describes a command with its own flags and examples. Without a command, `diglot`
builds the site.
""",
    "zh": """\
---
title: 命令
description: diglot的所有命令、共用的选项、退出码和环境变量。
---

`diglot COMMAND --help`说明一个命令、它自己的选项和例子。不写命令，`diglot`就构建网站。
""",
}
SETTINGS = {
    "en": """\
---
title: Settings
description: Every key of site.yaml, what it takes and what it does.
---

These are the keys of `site/site.yaml`. A dot leads into a mapping, `[]` into each entry of a list, and `*`
stands for a name of your own. A text in both languages is written `{zh: …, en: …}`. Only `title` and
`base_url` must be there.
""",
    "zh": """\
---
title: 设置
description: site.yaml的每个键：写什么，有什么作用。
---

下面是`site/site.yaml`的键。点号表示进入下一层，`[]`表示列表里的每一项，`*`代表自己取的名字。
双语文字写成`{zh: …, en: …}`。必须有的只有`title`和`base_url`。
""",
}
DEFAULT, OPEN, CLOSE = (
    {"en": "by default ", "zh": "默认"},
    {"en": " (", "zh": "（"},
    {"en": ").", "zh": "）。"},
)
HEADS = {
    "command": {"en": "command", "zh": "命令"},
    "flag": {"en": "flag", "zh": "选项"},
    "code": {"en": "code", "zh": "退出码"},
    "variable": {"en": "variable", "zh": "变量"},
    "about": {"en": "what it does", "zh": "作用"},
    "key": {"en": "key", "zh": "键"},
    "kind": {"en": "value", "zh": "值"},
    "meaning": {"en": "meaning", "zh": "含义"},
    "flags": {"en": "Flags of all commands", "zh": "所有命令共用的选项"},
    "exit codes": {"en": "Exit codes", "zh": "退出码"},
    "environment": {"en": "Environment variables", "zh": "环境变量"},
}


def pages() -> Iterator[tuple[Path, str]]:
    """The paths of the pages with their texts."""
    for language in LANGUAGES:
        yield PAGES / f"commands/{language}.md", _commands(language)
        yield PAGES / f"settings/{language}.md", _settings(language)


def _commands(language: Language) -> str:
    parser, parts = main_parser(), [COMMANDS[language]]
    for wish, commands in groupby(DECLARED, key=attrgetter("group")):
        title = WORDS["groups"][wish] if language == "zh" else wish.capitalize()
        rows = [
            (f"`diglot {one.name}`", _word("commands", one.name, one.about, language)) for one in commands
        ]
        parts.append(_section(title, wish, _table(("command", "about"), rows, language)))
    flags = []
    for action in (one for one in parser._actions if one.option_strings):
        name = next(one for one in action.option_strings if one.startswith("--"))
        written = ", ".join(f"`{one}`" for one in action.option_strings)
        value = f" `{action.metavar}`" if action.metavar and action.nargs != "?" else ""
        flags.append((f"{written}{value}", _word("flags", name, action.help or "", language)))
    parts.append(_section(HEADS["flags"][language], "flags", _table(("flag", "about"), flags, language)))
    for part, head in (("exit codes", "code"), ("environment", "variable")):
        lines = str(parser.epilog).partition(f"{part}:\n")[2].partition("\n\n")[0].splitlines()
        entries = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines]
        rows = [(f"`{name}`", _word(part, name, text, language)) for name, text in entries]
        parts.append(_section(HEADS[part][language], part, _table((head, "about"), rows, language)))
    return "\n".join(parts)


def _settings(language: Language) -> str:
    rows = []
    for key, schema in _keys(find_schema("site")):
        about, default = schema.get("description"), schema.get("default")
        if about is not None:
            meaning = _word("settings", key, about, language)
            if default is not None and DEFAULT[language].strip() not in meaning:
                shown = json.dumps(default).strip('"')
                meaning = f"{meaning[:-1]}{OPEN[language]}{DEFAULT[language]}`{shown}`{CLOSE[language]}"
            rows.append((f"`{key}`", _kind(schema, language), meaning))
    table = _table(("key", "kind", "meaning"), rows, language)
    return f"{SETTINGS[language]}\n{table}"


def _keys(schema: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every key that a schema knows, as `authors.*.name`, with the schema of its value."""
    below = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        below["*"] = schema["additionalProperties"]
    for key, inner in below.items():
        if key not in LANGUAGES:
            yield f"{above}{key}", inner
        yield from _keys(inner, f"{above}{key}.")
        yield from _keys(inner.get("items", {}), f"{above}{key}[].")


def _kind(schema: Mapping[str, Any], language: Language) -> str:
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    kinds = {"object": "mapping", "array": "list", "boolean": "true or false", "integer": "whole number"}
    kind = kinds.get(schema.get("type", ""), schema.get("type", "text in both languages"))
    if schema.get("anyOf", [{}])[-1].get("type") == "array":
        kind = "list of texts"
    if kind == "string":
        kind = "address" if str(schema.get("pattern", "")).startswith("^https?") else "text"
    return WORDS["kinds"][kind] if language == "zh" else kind


def _word(part: str, name: str, english: str, language: Language) -> str:
    text = WORDS[part][name] if language == "zh" else english
    code = re.sub(r"https?://[\x21-\x7e]*/|[a-z]+/[\x21-\x7e]*\*\*", lambda found: f"`{found[0]}`", text)
    return code.replace("|", "\\|").replace("diglot[", "diglot\\[")


def _section(title: str, name: str, table: str) -> str:
    return f"## {title} {{#{name.replace(' ', '-')}}}\n\n{table}"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]], language: Language) -> str:
    lines = [tuple(HEADS[head][language] for head in heads), ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def unused_words() -> set[str]:
    """Chinese words for what is no longer declared."""
    shown = "".join(text for _path, text in pages())
    return {
        f"{part}: {name}"
        for part, words in WORDS.items()
        for name in words
        if part not in ("groups", "kinds") and f"{name}`" not in shown
    }


if __name__ == "__main__":
    for path, text in pages():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
