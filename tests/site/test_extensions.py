"""Extensions: files, checks, directives and roles of a project's own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from diglot.cli import main
from tests.docs.pages import DOCS, examples
from tests.space import SITE_YAML, Space, errors, outputs, ran, told

HUMANS, STYLE, STEPS, UNITS, LISTS = (
    example.text
    for example in examples((DOCS / "manual/content/pages/extend/en.md").read_text("utf-8"), "python")
)
BOTH = "from diglot.extending import Feature, Finding\n"


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post(
        "moe",
        zh="开头。\n\n专家们利用带宽。",
        en="Opening.\n\nExperts utilise bandwidth.\n\n`utilise` is code.",
        authors="[ada]",
    )
    space.write("site/site.yaml", f"{SITE_YAML}authors:\n  ada: {{name: {{zh: 艾达, en: Ada}}}}\n")
    return space


def test_the_examples_of_the_guide_work_as_they_are_written(space: Space) -> None:
    assert all(len(text.splitlines()) < 60 for text in (HUMANS, STYLE, STEPS))
    space.write("extensions/humans.py", HUMANS)
    space.write("extensions/style.py", STYLE)
    result = space.build()
    assert [str(one).splitlines()[0] for one in result.diagnostics] == [
        'content/posts/moe/en.md:9:9: warning[extension-no-utilise]: "utilise" is a long word for "use"'
    ]
    assert (space.root / "public/humans.txt").read_text() == "/* AUTHORS */\nada\nLast article: 2026-11-01\n"
    space.change("content/posts/moe/zh.md", "带宽", "带宽。TODO")
    result = space.build()
    assert [one.rule for one in errors(result)] == ["extension-no-todo"]
    assert result.published is None


def test_a_filter_makes_another_value_of_a_value(space: Space) -> None:
    assert len(UNITS.splitlines()) < 60
    space.write("extensions/units.py", UNITS)
    space.write(
        "figures/roof.py",
        """TITLE = {"zh": "屋顶", "en": "Roof"}
def compute():
    return {"memory_bytes": 141 * 2**30, "usd": 3}
""",
    )
    text = "{eval}`roof.memory_bytes | gib(0)`, {eval}`roof.usd | money`, {eval}`roof.usd | plain`"
    table = "| a |\n|---|\n| {eval}`roof.memory_bytes \\| gib` |"
    space.post("units", zh=f"{text}\n\n{table}", en=f"{text}.\n\n{table}")
    assert told(space.build()) == ""
    pages = [
        (space.root / f"public/{language}/posts/units/index.html").read_text() for language in ("zh", "en")
    ]
    shown = [re.sub(r"<[^>]*>", "", page) for page in pages]
    assert "141 GiB, 21元, 3" in shown[0]
    assert "141 GiB, 3.00 USD, 3." in shown[1]
    assert "141.0 GiB" in shown[1]
    space.change("content/posts/units/zh.md", "| gib(0)", "| gbi(0)")
    assert "gbi" in told(space.build())


def test_a_command_prints_what_its_function_returns(
    space: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(LISTS.splitlines()) < 30
    monkeypatch.chdir(space.root)
    space.write("extensions/lists.py", LISTS)

    def printed(*words: str, code: int = 0) -> str:
        try:
            ended = main([*words, "-q"])
        except SystemExit as left:
            ended = int(left.code or 0)
        out, err = capsys.readouterr()
        assert ended == code, err
        return f"{out}{err}"

    assert "of this site:\n    longest   List the articles with the longest titles\n" in printed("--help")
    assert "--short leaves out addresses." in printed("longest", "--help")
    assert printed("longest", "en", "--most", "1") == "Article moe  /en/posts/moe/\n"
    assert printed("-C", str(space.root), "longest", "zh", "--short") == "文章moe\n"
    for line, said in {
        "longest": "the following arguments are required: LANGUAGE",
        "longest en --most x": '"x" is not a whole number',
        "longset en": 'no command named "longset": did you mean "longest"?',
    }.items():
        assert said in printed(*line.split(), code=2)
    taken = LISTS.replace("longest", "build")
    for source, line, code, said in (
        (
            LISTS.replace("halves = [", "halves = 1 / ["),
            "longest en",
            1,
            "extensions/lists.py:11: error[extension-failed]",
        ),
        (
            LISTS.replace("int", "list"),
            "longest en",
            2,
            "the command `longest` has the parameter `most: list",
        ),
        (
            taken,
            "check",
            1,
            'extensions/lists.py: error[extension-name]: the command "build" is one of diglot',
        ),
    ):
        space.write("extensions/lists.py", source)
        assert said in printed(*line.split(), code=code)


def test_what_an_extension_reads_is_a_dependency(space: Space, tmp_path: Path) -> None:
    space.write(
        "extensions/texts.py",
        f"""{BOTH}
from _words import WORD
def texts(site):
    return {{"a.txt": open("content/posts/moe/data.txt").read() + WORD, "b.bin": b"\\0"}}
def twice(text):
    if (n := text.source.count("带宽")) > 1:
        yield Finding(line=1, message=f"{{n}} times", fix="delete one.")
feature = Feature(outputs=[texts], checks=[twice])
""",
    )
    space.write("extensions/_words.py", "WORD = 'one'\n")
    space.write("content/posts/moe/data.txt", "1")
    assert told(space.build()) == ""
    assert (space.root / "public/a.txt").read_text() == "1one"
    assert not ran(space.build())
    space.write("content/posts/moe/data.txt", "2")
    space.write("extensions/_words.py", "WORD = 'two'\n")
    assert {"extension-files texts:texts", "extension-file texts:texts a.txt"} <= {*ran(space.build())}
    assert (space.root / "public/a.txt").read_text() == "2two"
    space.change("content/posts/moe/zh.md", "带宽", "带宽带宽")
    result = space.build()
    assert [one for one in ran(result) if one.startswith("extension-")] == [
        "extension-check texts:twice moe:zh"
    ]
    assert "2 times" in told(result)
    clean = Space(tmp_path / "clean")
    for folder in ("content", "extensions", "site"):
        for path in (space.root / folder).rglob("*"):
            if path.is_file():
                clean.write(str(path.relative_to(space.root)), path.read_bytes())
    assert told(clean.build()) == told(result)
    assert outputs(clean.root / "public") == outputs(space.root / "public")
    space.remove("extensions/texts.py")
    assert told(space.build()) == ""
    assert not (space.root / "public/a.txt").exists()


EXTENDED = """Opening.

:::{steps}
:start: 3
Measure, as in {issue}`42`.
---
Then:

- divide $x$;
- {assert}`1 < 2`compare.
:::

> ~~~{steps}
> Quoted.
> ~~~

| {issue}`1` |
| --- |
| {issue}`2` |
"""


def test_directives_and_roles_become_markdown(space: Space) -> None:
    space.write("extensions/steps.py", STEPS)
    space.post("moe", zh=EXTENDED, en=EXTENDED)
    assert told(space.build()) == ""
    page = (space.root / "public/en/posts/moe/index.html").read_text()
    link = '<a href="https://github.com/example/chips/issues/{0}">#{0}</a>'
    for shown in (
        f"<p><strong>Step 3</strong> Measure, as in {link.format(42)}.</p>",
        "<p><strong>Step 4</strong> Then:</p>",
        "<ul><li>divide ",
        "<blockquote><p><strong>Step 1</strong> Quoted.</p></blockquote>",
        f">{link.format(1)}</th>",
        f">{link.format(2)}</td>",
    ):
        assert shown in page, page[page.index("<article") :]
    assert "<strong>第 3 步</strong> Measure" in (space.root / "public/zh/posts/moe/index.html").read_text()
    assert not ran(space.build())
    space.change("extensions/steps.py", "Step {}", "Part {}")
    assert {"extended-half moe:en", "document moe:en"} <= {*ran(space.build())}
    assert "Part 3" in (space.root / "public/en/posts/moe/index.html").read_text()
    space.change("content/posts/moe/zh.md", "Opening", "开头")
    assert not [one for one in ran(space.build()) if one.startswith("extension ")]


SLIPS = {
    "a directive that there is not": (
        ":::{stpes}\na\n:::",
        'en.md:6:5: error[admonition-unknown]: there is no admonition "stpes"',
        'did you mean "steps"?',
    ),
    "a role that there is not": (
        "{isue}`1`",
        'en.md:6:2: error[role-unknown]: there is no role "isue"',
        '"issue"?',
    ),
    "a fence that there is not": (
        "```{stpes}\na\n```",
        'en.md:6:5: error[directive-unknown]: there is no directive "stpes"',
        'did you mean "steps"?',
    ),
    "a name without braces": (
        ":::steps\na\n:::",
        "en.md:6: error[admonition-braces]: a directive has its name in braces, and steps has none",
        "write :::{steps}.",
    ),
    "never closed": (
        ":::{steps}\na",
        "en.md:6: error[admonition-unclosed]: this admonition is never closed",
        "a line of :::",
    ),
    "a mistake in what it is given": (
        ":::{steps}\n[a](nowhere.md)\n:::",
        'en.md:6: error[link-missing]: link not found: "nowhere.md"',
        "",
    ),
    "an exception": (
        ":::{steps}\n:start: two\na\n:::",
        'extensions/steps.py:10: error[extension-failed]: extension "steps": ValueError: invalid literal',
        "",
    ),
    "made by itself": (
        "{again}`x`",
        "en.md:6: error[extension-nested]: directives and roles of extensions are made by others, 5 deep",
        "return Markdown",
    ),
    "another type": (
        "{number}`x`",
        'extensions/odd.py:3: error[extension-failed]: extension "odd": `number` returned a number for '
        "{number}`x`",
        "return Markdown as a text.",
    ),
    "a control character": (
        "{control_sign}`x`",
        'extensions/odd.py:4: error[extension-failed]: extension "odd": `control_sign` returned a text '
        "for {control-sign}`x` with the character U+0001",
        "",
    ),
}
ODD = """from diglot.extending import Feature
def again(phrase): return "{again}`x`"
def number(phrase): return 3
def control_sign(phrase): return chr(1)
feature = Feature(roles=[again, number, control_sign])
"""


def test_mistakes_of_directives_and_roles_have_their_place(space: Space) -> None:
    space.write("extensions/steps.py", STEPS)
    space.write("extensions/odd.py", ODD)
    wrong = []
    with space.site() as site:
        for name, (text, expected, fix) in SLIPS.items():
            space.post("moe", zh="开头。", en=text.replace("control_sign", "control-sign"))
            said = told(site.build())
            if not said.removeprefix("content/posts/moe/").startswith(expected) or fix not in said:
                wrong.append((name, expected, said))
    assert not wrong


def test_a_directive_is_made_again_if_what_it_reads_changes(space: Space) -> None:
    space.write(
        "extensions/shared.py",
        "from diglot.extending import Feature\n"
        "def shared(block): return open(f'content/{block.argument}').read()\n"
        "feature = Feature(directives=[shared])\n",
    )
    space.write("content/_shared.txt", "**One** text.")
    space.post("moe", zh=":::{shared} _shared.txt\n:::", en=":::{shared} _shared.txt\n:::")
    assert told(space.build()) == ""
    space.write("content/_shared.txt", "**Another** text.")
    space.build()
    assert "<strong>Another</strong> text." in (space.root / "public/zh/posts/moe/index.html").read_text()


def test_an_installed_distribution_registers_extensions(space: Space, tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    (packages / "diglot_steps-1.0.dist-info").mkdir(parents=True)
    (packages / "diglot_steps-1.0.dist-info/entry_points.txt").write_text(
        "[console_scripts]\nx = y:z\n\n[diglot.features]\n"
        "steps = diglot_steps:steps_feature\n\n[other]\na = b\n"
    )
    (packages / "diglot_steps.py").write_text(STEPS.replace("feature = F", "steps_feature = F"))
    space.post("moe", zh=EXTENDED, en=EXTENDED)
    space.write("site/site.yaml", SITE_YAML)

    def built(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "diglot", "-C", str(space.root), *options, "build"],
            env={**os.environ, "PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
            check=False,
        )

    result = built()
    assert result.returncode == 0, result.stderr
    assert "<strong>Step 3</strong>" in (space.root / "public/en/posts/moe/index.html").read_text()
    assert "nothing to do" in built().stderr
    (packages / "diglot_steps.py").write_text("steps_feature = 1 / 0\n")
    (packages / "diglot_steps-1.0.dist-info").rename(packages / "diglot_steps-1.1.dist-info")
    result = built()
    assert "diglot_steps (installed): error[extension-failed]" in result.stderr, result.stderr
    assert 'extension "steps": ZeroDivisionError' in result.stderr
    (packages / "diglot_steps.py").write_text(STEPS.replace("feature = F", "steps_feature = F"))
    (packages / "diglot_steps-1.1.dist-info").rename(packages / "diglot_steps-1.2.dist-info")
    space.write("extensions/steps.py", STEPS)
    result = built()
    assert 'the directive "steps" is also in' in result.stderr
    assert "diglot_steps (installed)" in result.stderr


MISTAKES = {
    "no feature": ("x = 1\n", 'extensions/x.py: error[extension-failed]: extension "x": it has no `feature`'),
    "another feature": (
        "feature = 1\n",
        'extensions/x.py:1: error[extension-failed]: extension "x": its `feature` is a number',
    ),
    "syntax": ("def f(:\n", "extensions/x.py:1:7: error[extension-failed]: SyntaxError"),
    "missing module": (
        "import nowhere\n",
        'extensions/x.py:1: error[extension-failed]: extension "x": ModuleNotFoundError',
    ),
    "no function": (
        f"{BOTH}feature = Feature(outputs=[3])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": TypeError',
    ),
    "one function twice": (
        f"{BOTH}def f(site): return {{}}\nfeature = Feature(outputs=[f, f])\n",
        'extensions/x.py:3: error[extension-failed]: extension "x": ValueError',
    ),
    "an output that raises": (
        f"{BOTH}def f(site):\n    return {{'a': site.titel}}\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py:3: error[extension-failed]: extension "x": AttributeError',
    ),
    "an output of another type": (
        f"{BOTH}def f(site):\n    return ['a']\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": `f` returned a list',
    ),
    "a file of another type": (
        f"{BOTH}def f(site):\n    return {{'a': 1}}\nfeature = Feature(outputs=[f])\n",
        "extensions/x.py:2: error[extension-failed]: extension \"x\": `f` returned a number for 'a'",
    ),
    "a check that raises late": (
        f"{BOTH}def f(text):\n    yield Finding(line=1, message='', fix='')\n    1 / 0\n"
        "feature = Feature(checks=[f])\n",
        'extensions/x.py:4: error[extension-failed]: extension "x": ZeroDivisionError',
    ),
    "a finding of another type": (
        f"{BOTH}def f(text):\n    yield 'a'\nfeature = Feature(checks=[f])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": `f` returned text among its findings',
    ),
    "a command without help": (
        f"{BOTH}def f(site): return ''\nfeature = Feature(commands=[f])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": the command `f` has no docstring',
    ),
    "nothing": (
        f"{BOTH}def f(text): pass\nfeature = Feature(checks=[f])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": `f` returned nothing',
    ),
    "a directive of diglot": (
        f"{BOTH}def note(block): return ''\nfeature = Feature(directives=[note])\n",
        'extensions/x.py: error[extension-name]: the directive "note" is one of diglot',
    ),
    "a role of diglot": (
        f"{BOTH}def eval(phrase): return ''\nfeature = Feature(roles=[eval])\n",
        'extensions/x.py: error[extension-name]: the role "eval" is one of diglot',
    ),
    "the path of a page": (
        f"{BOTH}def f(site): return {{'en/index.html': ''}}\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py: error[path-clash]: "/en/index.html" is the address of a page that diglot generates',
    ),
    "the path of an article": (
        f"{BOTH}def f(site): return {{'zh/posts/moe/index.html': ''}}\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py: error[path-clash]: "/zh/posts/moe/index.html" is the address of a page of moe',
    ),
    "a path outside": (
        f"{BOTH}def f(site): return {{'../a': ''}}\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py: error[path-name]: "../a" cannot be published: its path contains ".."',
    ),
    "a print": (
        f"{BOTH}def f(site):\n    print(1)\n    return {{}}\nfeature = Feature(outputs=[f])\n",
        'extensions/x.py: warning[extension-warning]: extension "x": the script printed something',
    ),
}


def test_mistakes_have_their_place(space: Space) -> None:
    wrong = []
    with space.site() as site:
        for name, (source, expected) in MISTAKES.items():
            space.write("extensions/x.py", source)
            said = told(site.build())
            if not said.startswith(expected):
                wrong.append((name, expected, said))
    assert not wrong


def test_names_that_clash_are_an_error_at_both_places(space: Space) -> None:
    space.write(
        "extensions/a.py",
        f"{BOTH}def f(site): return {{'a.txt': '1'}}\ndef g(text): return ()\n"
        "feature = Feature(outputs=[f], checks=[g])\n",
    )
    space.write("extensions/b.py", (space.root / "extensions/a.py").read_text().replace("'1'", "'2'"))
    space.write("extensions/Upper.py", "feature = None\n")
    lines = [str(one).splitlines()[0] for one in space.build().diagnostics]
    assert lines == [
        'extensions/Upper.py: error[extension-name]: "Upper" cannot be the name of an extension',
        'extensions/b.py: error[extension-name]: the check "g" is also in extensions/a.py',
    ]
    space.remove("extensions/Upper.py")
    space.change("extensions/b.py", "def g(text)", "def h(text)")
    space.change("extensions/b.py", "checks=[g]", "checks=[h]")
    (line,) = [str(one).splitlines()[0] for one in space.build().diagnostics]
    assert line == 'extensions/b.py: error[path-clash]: "/a.txt" is also made by `f` in extensions/a.py'


def test_an_extension_in_a_place_that_nothing_reads_is_a_warning(space: Space) -> None:
    for path, fix in (
        ("extension/x.py", "rename it to extensions"),
        ("plugins/x.py", "rename it to extensions"),
        ("x.py", "extensions/x.py"),
    ):
        space.write(path, f"{BOTH}feature = Feature()\n")
        (warning,) = space.build().diagnostics
        assert (warning.rule, warning.severity) == ("file-name", "warning")
        assert fix in str(warning.fix), path
        space.remove(path)
    space.write("plugins/x.py", "import another_program\n")
    assert told(space.build()) == ""
