"""Write the manual's pages of reference, in both languages, from what declares them.

    python scripts/manual_reference.py

The Chinese words are in `manual_reference.yaml`. A test compares the pages with what this makes.
"""

import inspect
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
from diglot.expressions.texts import FILTERS
from diglot.figures import charts
from diglot.languages import LANGUAGES, Language
from diglot.render.values import Values
from diglot.scaffold.schemas import find_schema

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "manual" / "content" / "pages"
WORDS: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "scripts/manual_reference.yaml").read_text("utf-8"))

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
FRONT_MATTER = {
    "en": """\
---
title: Front matter
description: The keys at the top of a half and in meta.yaml, what they take and what they do.
---

Each half begins with YAML between two lines of `---`. What both halves share is in `meta.yaml` next to them;
there, a text in both languages is written `{zh: …, en: …}`. Only `title` must be there, and for posts `date`.
These must be the same in both halves, and so are best in `meta.yaml`: `date`, `expires`, `draft`, `tags`,
`categories`, `authors`, `series`, `part`, `contents`, `execute`, `article`.
""",
    "zh": """\
---
title: 元数据
description: 每份开头和meta.yaml里的键：写什么，有什么作用。
---

每一份的开头是两行`---`之间的YAML。两份共有的写在旁边的`meta.yaml`里，那里的双语文字写成`{zh: …, en: …}`。
必须有的只有`title`，文章还要有`date`。下面这些在两份里必须相同，所以最好写进`meta.yaml`：
`date`、`expires`、`draft`、`tags`、`categories`、`authors`、`series`、`part`、`contents`、`execute`、`article`。
""",
}
VALUES = {
    "en": """\
---
title: Filters of values
description: How a value of a figure is written in a sentence of each language.
---

`` {eval}`roofline.h200.ridge | number(0)` `` puts a value into a sentence. After the bar comes a filter; it
decides how the value is written; without one, a number has all its digits. Values are in base units: bytes,
seconds, FLOP/s; `si` chooses the prefix and shows three digits unless you give their number, and `unit` takes
the prefix that you name. The number of digits is 1 for `large` and otherwise 0, unless you give another. A
filter binds more tightly than arithmetic, so write `(a / b) | number(1)`. A value that would be rounded to 0
although it is not 0 is an error.

For a figure `demo` with this data
""",
    "zh": """\
---
title: 值的格式
description: 图里的值在两种语言的句子里怎样写出来。
---

`` {eval}`roofline.h200.ridge | number(0)` ``把一个值放进句子。竖线后面是格式，决定这个值怎样写；
没有格式，数就写出全部数字。值用基本单位：字节、秒、FLOP/s；`si`自己选词头，不写位数就给三位有效数字；
`unit`用你写的词头。小数位数不写的话，`large`是1位，其他是0位。
格式比四则运算先算，所以要写`(a / b) | number(1)`。不是0的值如果会舍入成0，就是错误。

假设图`demo`有这样的数据
""",
}
SAYS = {"en": "the filters give:", "zh": "各种格式得到："}
CHARTS = {
    "en": """\
---
title: Charts
description: The functions of diglot.figures.charts with their parameters.
---

Write `from diglot.figures import charts` in a script. Each function draws rows into `figure`, with names and
units from `COLUMNS`, in both languages and both themes. Rows are mappings or data frames, and parameters such
as `x` and `y` name their columns. `help(charts.bars)` says more about a function, and the [guide to
figures](https://github.com/diglot/diglot/blob/main/docs/figures.md#charts) shows examples.
""",
    "zh": """\
---
title: 图表
description: diglot.figures.charts里的函数和参数。
---

在脚本里写`from diglot.figures import charts`。每个函数都把数据行画进`figure`，名称和单位取自`COLUMNS`，
两种语言、明暗两套颜色都有。数据行可以是字典，也可以是数据框；`x`、`y`这样的参数写列名。
`help(charts.bars)`说明一个函数的细节，
[图的指南](https://github.com/diglot/diglot/blob/main/docs/figures.md#charts)里有例子。
""",
}
DEFAULT, OPEN, CLOSE = (
    {"en": "by default ", "zh": "默认"},
    {"en": " (", "zh": "（"},
    {"en": ").", "zh": "）。"},
)
COMMA = {"en": ", ", "zh": "、"}
HEADS = {
    "command": {"en": "command", "zh": "命令"},
    "flag": {"en": "flag", "zh": "选项"},
    "code": {"en": "code", "zh": "退出码"},
    "variable": {"en": "variable", "zh": "变量"},
    "about": {"en": "what it does", "zh": "作用"},
    "key": {"en": "key", "zh": "键"},
    "kind": {"en": "value", "zh": "值"},
    "meaning": {"en": "meaning", "zh": "含义"},
    "filter": {"en": "filter", "zh": "格式"},
    "expression": {"en": "expression", "zh": "式子"},
    "zh": {"en": "in Chinese", "zh": "中文里"},
    "en": {"en": "in English", "zh": "英文里"},
    "chart": {"en": "function", "zh": "函数"},
    "parameters": {"en": "parameters", "zh": "参数"},
    "flags": {"en": "Flags of all commands", "zh": "所有命令共用的选项"},
    "exit codes": {"en": "Exit codes", "zh": "退出码"},
    "environment": {"en": "Environment variables", "zh": "环境变量"},
}


def pages() -> Iterator[tuple[Path, str]]:
    """The paths of the pages with their texts."""
    for language in LANGUAGES:
        yield PAGES / f"commands/{language}.md", _commands(language)
        yield PAGES / f"settings/{language}.md", _keys_page(SETTINGS, "site", "settings", language)
        keys = _keys_page(FRONT_MATTER, "front-matter", "keys", language)
        yield PAGES / f"front-matter/{language}.md", keys
        yield PAGES / f"filters/{language}.md", _filters(language)
        yield PAGES / f"charts/{language}.md", _charts(language)


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


def _keys_page(intro: Mapping[Language, str], schema_of: str, part: str, language: Language) -> str:
    rows = []
    for key, schema in _keys(find_schema(schema_of)):
        about, default = schema.get("description"), schema.get("default")
        if about is not None:
            meaning = _word(part, key, about, language)
            if default is not None and DEFAULT[language].strip() not in meaning:
                shown = json.dumps(default).strip('"')
                meaning = f"{meaning[:-1]}{OPEN[language]}{DEFAULT[language]}`{shown}`{CLOSE[language]}"
            rows.append((f"`{key}`", _kind(schema, language), meaning))
    table = _table(("key", "kind", "meaning"), rows, language)
    return f"{intro[language]}\n{table}"


def _filters(language: Language) -> str:
    """The examples of all filters. Raises KeyError for a filter without one."""
    text = WORDS["example"]["data"]
    data = {"demo": json.dumps(json.loads(text)).encode()}
    rows = []
    for name, filter_ in FILTERS["en"].items():
        written = f"{name}({', '.join(filter_.parameters)})" if filter_.parameters else name
        for expression in WORDS["filters"][name]:
            texts = tuple(Values(each, data).text(expression, path="en.md", line=1) for each in LANGUAGES)
            rows.append((f"`{written}`", f"`{expression}`".replace("|", "\\|"), *texts))
    table = _table(("filter", "expression", *LANGUAGES), rows, language)
    return f"{VALUES[language]}\n```json\n{text}```\n\n{SAYS[language]}\n\n{table}"


def _charts(language: Language) -> str:
    rows = []
    for name in (each for each in charts.__all__ if each[0].islower()):
        function = getattr(charts, name)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        names = (f"`{each.name}`" for each in parameters if each.kind is not each.VAR_KEYWORD)
        named = COMMA[language].join(names)
        about = inspect.getdoc(function).partition("\n")[0]
        rows.append((f"`{name}`", named, _word("charts", name, about, language)))
    return f"{CHARTS[language]}\n{_table(('chart', 'parameters', 'about'), rows, language)}"


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
        return COMMA[language].join(f"`{word}`" for word in schema["enum"])
    kinds = {"object": "mapping", "array": "list", "boolean": "true or false", "integer": "whole number"}
    kind = kinds.get(schema.get("type", ""), schema.get("type", "text in both languages"))
    if schema.get("anyOf", [{}])[-1].get("type") == "array":
        kind = "list of texts"
    if schema.get("format") == "date":
        kind = "date"
    elif kind == "string":
        kind = "address" if str(schema.get("pattern", "")).startswith("^https?") else "text"
    return WORDS["kinds"][kind] if language == "zh" else kind


def _word(part: str, name: str, english: str, language: Language) -> str:
    text = WORDS[part][name] if language == "zh" else english
    code = re.sub(
        r"https?://[\x21-\x7e]*/|[a-z]+/[\x21-\x7e]*\*\*|\{[a-z]+\}", lambda found: f"`{found[0]}`", text
    )
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
        if part not in ("groups", "kinds", "example") and f"{name}`" not in shown and f"`{name}(" not in shown
    }


if __name__ == "__main__":
    for path, text in pages():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
