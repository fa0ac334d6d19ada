"""Mistakes in figures as an author sees them: one message for each, at its line, with what to do."""

import re

import pytest

from tests.space import BARS, BARS_ON_AXES, Space, errors, told

SHOWN = "```{figure} bars\n柱\n```"
USED = "    used in content/posts/a/en.md, content/posts/a/zh.md\n"
TYPED = BARS.replace(
    "def compute():",
    'from typing import Literal\n\n\ndef compute(dtype: Literal["bf16", "fp8"] = "bf16"):',
)


def broken(space: Space, script: str, body: str = SHOWN) -> str:
    """What a build says of an article whose halves both show a script."""
    space.write("figures/bars.py", script)
    space.post("a", zh=body, en=body)
    return told(space.build())


def test_a_parameter_that_the_script_lacks_is_shown_where_it_is_written(space: Space) -> None:
    text = broken(
        space, TYPED, '```{figure} bars\n:name: x\n:dtyp: fp8\n柱\n```\n\n{eval}`bars(dtype="fp9").values`'
    )
    assert text.split("\n\n")[:2] == [
        'content/posts/a/en.md:8:2: error[figure-parameter-unknown]: "dtyp" is not a parameter of the '
        'figure "bars"\n'
        "    :dtyp: fp8\n     ^^^^\n"
        '  fix: did you mean "dtype"?',
        'content/posts/a/en.md:12:13: error[figure-parameter-value]: "fp9" is not a value of the parameter '
        '"dtype" of the figure "bars"\n'
        '    {eval}`bars(dtype="fp9").values`\n                ^\n'
        '  fix: did you mean "fp8"? It can be bf16, fp8.',
    ]
    assert len(text.split("\n\n")) == 4, "and the same two in the other half"


def test_a_refused_parameter_is_accepted_once_the_script_has_it(space: Space) -> None:
    body = "```{figure} bars\n:dtype: int8\n柱\n```"
    with space.site() as site:
        space.write("figures/bars.py", TYPED)
        space.post("a", zh=body, en=body)
        assert len(errors(site.build())) == 2
        space.change("figures/bars.py", '"bf16", "fp8"', '"bf16", "fp8", "int8"')
        assert told(site.build()) == ""
        space.change("figures/bars.py", ', "int8"', "")
        assert len(errors(site.build())) == 2


def test_a_failing_script_is_reported_once_with_the_files_that_use_it(space: Space) -> None:
    body = '```{figure} bars\n:dtype: fp8\n柱\n```\n\n{eval}`bars(dtype="fp8").values`、{eval}`bars.values`'
    assert broken(space, TYPED.replace("[3, 5]", "[1 / 0]"), body) == (
        'figures/bars.py:10: error[figure-script]: figure "bars": ZeroDivisionError: division by zero\n'
        '    return {"values": [1 / 0]}\n'
        + USED
        + "  fix: divide by another number, or leave the value out where the divisor is 0."
    )


def test_the_files_that_use_a_failing_script_are_those_that_do_now(space: Space) -> None:
    space.post("b", zh="{eval}`bars.values[0]`", en="B")
    with space.site() as site:
        space.write("figures/bars.py", BARS.replace("[3, 5]", "[1 / 0]"))
        assert "used in content/posts/b/zh.md\n" in told(site.build())
        space.change("content/posts/b/en.md", "\nB\n", "\n{eval}`bars.values[0]`\n")
        assert "used in content/posts/b/en.md, content/posts/b/zh.md\n" in told(site.build())


def test_an_endless_loop_is_shown_by_the_author_s_own_lines(space: Space) -> None:
    space.change("site/site.yaml", "base_url:", "figure_timeout_s: 2\nbase_url:")
    space.write("figures/_help.py", "import time\ndef spin():\n    while True: time.sleep(1)\n")
    script = BARS.replace(
        'return {"values": [3, 5]}', "import numpy\n    from _help import spin\n    return spin()"
    )
    assert broken(space, script) == (
        'figures/_help.py:3: error[figure-timeout]: figure "bars": compute did not finish within 2 s '
        "and was stopped\n"
        "    while True: time.sleep(1)\n"
        "    figures/bars.py:9 in compute\n"
        "        return spin()\n"
        "    figures/_help.py:3 in spin\n"
        "        while True: time.sleep(1)\n"
        + USED
        + "  fix: look for an endless loop in this line or around it, "
        "or raise `figure_timeout_s` (now 2) in site/site.yaml."
    )


def test_what_a_script_printed_before_it_crashed_is_kept(space: Space) -> None:
    crash = 'import ctypes\n    print("before", flush=True)\n    ctypes.string_at(0)'
    text = broken(space, BARS.replace('return {"values": [3, 5]}', crash))
    assert text.startswith(
        'figures/bars.py:9: error[figure-crash]: figure "bars": the process was killed by signal 11 '
        "during compute\n"
        "    ctypes.string_at(0)\n"
        "    before\n" + USED
    )
    assert "Extension modules" not in text
    assert "Fatal" not in text


def written(old: str, new: str, script: str = BARS_ON_AXES) -> str:
    assert script.count(old) >= 1
    return script.replace(old, new, 1)


IMPORTING = written("TITLE", "from diglot.hardware import load_catalogue\n\nTITLE")
HELPED = written("[3, 5]", "[helper(3)]", written("TITLE", "from _help import helper\n\nTITLE"))
TABLE = written(
    "def compute():\n",
    'import csv\n\n\ndef compute():\n    rows = list(csv.DictReader(open("content/d.csv")))\n',
)
ROWS = "[float(row[{}]) for row in rows]"

MISTAKES = {
    "an unknown colour": (
        written("axes.bar([0, 1], data", 'axes.plot([0, 1], color="gpuu3")\n    axes.bar([0, 1], data'),
        {},
        'figures/bars.py:13: figure "bars": there is no palette colour named "gpuu3"\n'
        '    axes.plot([0, 1], color="gpuu3")\n',
        'did you mean "gpu3"?',
    ),
    "an unknown colour of a helper": (
        written("axes.bar(", 'from diglot.figures import color\n    color("tpu9")\n    axes.bar('),
        {},
        "figures/bars.py:14: figure \"bars\": ValueError: there is no palette colour named 'tpu9'\n"
        '    color("tpu9")\n',
        'did you mean "tpu4"?',
    ),
    "a chip's short name": (
        written("axes.bar(", 'from diglot.figures import chip\n    chip("h2200")\n    axes.bar('),
        {},
        'figures/bars.py:14: figure "bars": ValueError: there is no chip with the id "h2200"\n'
        '    chip("h2200")\n',
        'did you mean "h200"?',
    ),
    "a chip of the catalogue": (
        written("[3, 5]", '[load_catalogue()["h200"].year]', IMPORTING),
        {},
        'figures/bars.py:9: figure "bars": there is no chip "h200"\n'
        '    return {"values": [load_catalogue()["h200"].year]}\n',
        'did you mean "h200-sxm"?',
    ),
    "a number format": (
        written("[3, 5]", '[load_catalogue()["h200-sxm"].peak_flops_per_s("bf61")]', IMPORTING),
        {},
        'figures/bars.py:9: figure "bars": H200 has no bf61 peak\n'
        '    return {"values": [load_catalogue()["h200-sxm"].peak_flops_per_s("bf61")]}\n',
        'did you mean "bf16"?',
    ),
    "a page size": (
        BARS_ON_AXES + '\nSIZES = ("narrow", "colum")\n',
        {},
        'figures/bars.py:22:21: SIZES has "colum", which is not a page size\n'
        '    SIZES = ("narrow", "colum")\n                        ^^^^^\n',
        'did you mean "column"?',
    ),
    "a method": (
        written("set_height_px", "set_heigth_px"),
        {},
        "figures/bars.py:11: figure \"bars\": AttributeError: 'Canvas' object has no attribute "
        "'set_heigth_px'\n    figure.set_heigth_px(120)\n",
        'did you mean "set_height_px"?',
    ),
    "data as attributes": (
        written('data["values"])\n    axes', "data.values_)\n    axes"),
        {},
        "figures/bars.py:13: figure \"bars\": AttributeError: 'dict' object has no attribute 'values_'\n"
        "    axes.bar([0, 1], data.values_)\n",
        'this is a mapping: write ["values"].',
    ),
    "a keyword": (
        written(
            "axes.bar(",
            "from diglot.figures import label\n    label(axes, 0, 1, '', colour='ink')\n    axes.bar(",
        ),
        {},
        'figures/bars.py:14: figure "bars": TypeError: label() got an unexpected keyword argument '
        "'colour'\n    label(axes, 0, 1, '', colour='ink')\n",
        'did you mean "color"?',
    ),
    "a variable": (
        written("return {", "numbers = [1]\n    return numbres or {"),
        {},
        "figures/bars.py:8: figure \"bars\": NameError: name 'numbres' is not defined\n"
        '    return numbres or {"values": [3, 5]}\n',
        'did you mean "numbers"?',
    ),
    "a helper's name": (
        written("import helper", "import helpr", HELPED),
        {"figures/_help.py": "def helper(n):\n    return n\n"},
        "figures/bars.py:3: figure \"bars\": ImportError: cannot import name 'helpr' from '_help' "
        "(figures/_help.py)\n    from _help import helpr\n",
        'did you mean "helper"?',
    ),
    "a helper module's name": (
        written("_help", "help", HELPED),
        {"figures/_help.py": "def helper(n):\n    return n\n"},
        "figures/bars.py:3: figure \"bars\": ModuleNotFoundError: No module named 'help'\n"
        "    from help import helper\n",
        'did you mean "_help"?',
    ),
    "syntax in a helper module": (
        HELPED,
        {"figures/_help.py": "def helper(n)\n    return n\n"},
        "figures/_help.py:1:14: SyntaxError: expected ':'\n    def helper(n)\n                 ^\n",
        "correct the syntax of this line or of the one above it.",
    ),
    "a mistake inside a helper": (
        HELPED,
        {"figures/_help.py": "def helper(n):\n    return n / 0\n"},
        'figures/bars.py:9: figure "bars": ZeroDivisionError: division by zero\n'
        '    return {"values": [helper(3)]}\n'
        "    figures/bars.py:9 in compute\n"
        '        return {"values": [helper(3)]}\n'
        "    figures/_help.py:2 in helper\n"
        "        return n / 0\n",
        "correct figures/_help.py:2, or what this line gives to it.",
    ),
    "a data file in another folder": (
        written("[3, 5]", 'list(open("d.csv"))'),
        {"content/d.csv": "a\n1\n"},
        'figures/bars.py:7: figure "bars": FileNotFoundError: [Errno 2] No such file or directory: '
        "'d.csv'\n"
        '    return {"values": list(open("d.csv"))}\n',
        'did you mean "content/d.csv"? Paths in a script are relative to the project\'s root.',
    ),
    "a value in a data file": (
        written("[3, 5]", ROWS.format('"b"'), TABLE),
        {"content/d.csv": "a,b\n1,2\n1,n/a\n"},
        "figures/bars.py:11: figure \"bars\": ValueError: could not convert string to float: 'n/a'\n"
        '    return {"values": [float(row["b"]) for row in rows]}\n',
        "correct content/d.csv:3, if the value comes from there: 1,n/a",
    ),
    "a column of a data file": (
        written("[3, 5]", ROWS.format('"peek"'), TABLE),
        {"content/d.csv": "chip,peak\n1,2\n"},
        "figures/bars.py:11: figure \"bars\": KeyError: 'peek'\n"
        '    return {"values": [float(row["peek"]) for row in rows]}\n',
        'did you mean "peak"?',
    ),
    "JSON": (
        written("return {", 'import json\n    json.load(open("content/d.json"))\n    return {'),
        {"content/d.json": '{"a": 1,\n "b": [1, 2,]}\n'},
        "content/d.json:2:13: json.decoder.JSONDecodeError: Expecting value: line 2 column 13 "
        '(char 21)\n    "b": [1, 2,]}\n               ^\n',
        "correct this line of the file; figures read it.",
    ),
    "TOML": (
        written("return {", 'import tomllib\n    tomllib.load(open("content/d.toml", "rb"))\n    return {'),
        {"content/d.toml": "a = 1\nb = [1, 2\nc = 3\n"},
        "content/d.toml:3:1: tomllib.TOMLDecodeError: Unclosed array (at line 3, column 1)\n"
        "    c = 3\n    ^\n",
        "correct this line of the file; figures read it.",
    ),
    "YAML": (
        written("return {", 'import yaml\n    yaml.safe_load(open("content/d.yaml"))\n    return {'),
        {"content/d.yaml": "a: 1\nb: c: 2\n"},
        "content/d.yaml:2:5: yaml.scanner.ScannerError: mapping values are not allowed here "
        'in "content/d.yaml", line 2, column 5\n    b: c: 2\n        ^\n',
        "correct this line of the file; figures read it.",
    ),
    "a file that is not UTF-8": (
        written("return {", 'open("content/d.csv").read()\n    return {'),
        {"content/d.csv": b"a\n1\n\xff2\n"},
        "content/d.csv:3: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in "
        "position 4: invalid start byte\n    \N{REPLACEMENT CHARACTER}2\n",
        "correct this line of the file; figures read it.",
    ),
    "no result": (
        written("return {", "found = {"),
        {},
        'figures/bars.py:6: figure "bars": `compute` returned nothing\n    def compute():\n',
        "is a `return` missing?",
    ),
}

UNREADABLE = {
    "JSON": (
        written("return {", 'import json\n    json.load(open("content/d.json"))\n    return {'),
        {"content/d.json": '{"a": 1,\n "b": [1, 2,]}\n'},
        "content/d.json:2:13: json.decoder.JSONDecodeError: Expecting value: line 2 column 13 "
        '(char 21)\n    "b": [1, 2,]}\n               ^\n',
    ),
    "TOML": (
        written("return {", 'import tomllib\n    tomllib.load(open("content/d.toml", "rb"))\n    return {'),
        {"content/d.toml": "a = 1\nb = [1, 2\nc = 3\n"},
        "content/d.toml:3:1: tomllib.TOMLDecodeError: Unclosed array (at line 3, column 1)\n"
        "    c = 3\n    ^\n",
    ),
    "YAML": (
        written("return {", 'import yaml\n    yaml.safe_load(open("content/d.yaml"))\n    return {'),
        {"content/d.yaml": "a: 1\nb: c: 2\n"},
        "content/d.yaml:2:5: yaml.scanner.ScannerError: mapping values are not allowed here "
        'in "content/d.yaml", line 2, column 5\n    b: c: 2\n        ^\n',
    ),
    "a file that is not UTF-8": (
        written("return {", 'open("content/d.csv").read()\n    return {'),
        {"content/d.csv": b"a\n1\n\xff2\n"},
        "content/d.csv:3: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in "
        "position 4: invalid start byte\n    \N{REPLACEMENT CHARACTER}2\n",
    ),
}


@pytest.mark.parametrize("mistake", UNREADABLE)
def test_a_data_file_that_cannot_be_read_is_shown_at_its_own_line(space: Space, mistake: str) -> None:
    script, files, said = UNREADABLE[mistake]
    for path, text in files.items():
        space.write(path, text)
    space.write("figures/more.py", script)
    space.post("more", zh="{eval}`more.values[0]`", en="{eval}`more.values[0]`")
    text = broken(space, script)
    assert text.count("error[figure-input]") == 1, "once, though two scripts read it"
    fix = "correct this line of the file; figures read it."
    assert re.sub(r"error\[[a-z-]+\]: ", "", text) == f"{said}  fix: {fix}"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_typical_mistake_says_where_it_is_and_what_to_do(space: Space, mistake: str) -> None:
    script, files, said, fix = MISTAKES[mistake]
    for path, text in files.items():
        space.write(path, text)
    text = broken(space, script)
    assert text.count("error[figure-") == 1
    used = "" if said.startswith("content/") else USED  # many figures may read a data file
    assert re.sub(r"error\[[a-z-]+\]: ", "", text) == f"{said}{used}  fix: {fix}"


@pytest.mark.parametrize("name", ["Z6", "z-7", "图", "z 8", "9z"])
def test_a_script_whose_name_no_figure_can_have_is_an_error_also_where_nothing_uses_it(
    name: str, space: Space
) -> None:
    space.post("a")
    space.write(f"figures/{name}.py", BARS)
    (error,) = errors(space.build())
    assert (error.rule, str(error.location)) == ("figure-name", f"figures/{name}.py")
