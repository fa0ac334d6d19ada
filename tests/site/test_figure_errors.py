"""Mistakes in figures as an author sees them: one message for each, at its line, with what to do."""

from tests.space import BARS, Space, errors, told

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
        'content/posts/a/en.md:8:2: the figure "bars" has no parameter "dtyp"\n'
        "    :dtyp: fp8\n"
        '  fix: did you mean "dtype"?',
        'content/posts/a/en.md:12:13: "fp9" is not a value of the parameter "dtype" of the figure "bars"\n'
        '    {eval}`bars(dtype="fp9").values`\n'
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
        'figures/bars.py:10: figure "bars": ZeroDivisionError: division by zero\n'
        '    return {"values": [1 / 0]}\n' + USED + "  fix: correct this line, or the code that leads to it."
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
    space.write("figures/_help.py", "def spin():\n    while True: pass\n")
    script = BARS.replace(
        'return {"values": [3, 5]}', "import numpy\n    from _help import spin\n    return spin()"
    )
    assert broken(space, script) == (
        'figures/_help.py:2: figure "bars": compute did not finish within 2 s and was stopped\n'
        "    while True: pass\n"
        "    figures/bars.py:9 in compute\n"
        "        return spin()\n"
        "    figures/_help.py:2 in spin\n"
        "        while True: pass\n" + USED + "  fix: look for an endless loop in this line or around it, "
        "or raise `figure_timeout_s` (now 2) in site/site.yaml."
    )


def test_what_a_script_printed_before_it_crashed_is_kept(space: Space) -> None:
    crash = 'import ctypes\n    print("before", flush=True)\n    ctypes.string_at(0)'
    text = broken(space, BARS.replace('return {"values": [3, 5]}', crash))
    assert text.startswith(
        'figures/bars.py:9: figure "bars": the process was killed by signal 11 during compute\n'
        "    ctypes.string_at(0)\n"
        "    before\n" + USED
    )
    assert "Extension modules" not in text
    assert "Fatal" not in text
