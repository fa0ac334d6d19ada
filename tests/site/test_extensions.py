"""Extensions: files and checks of a project's own."""

from pathlib import Path

import pytest

from tests.docs.pages import DOCS, examples
from tests.space import SITE_YAML, Space, errors, outputs, ran, told

HUMANS, STYLE = (example.text for example in examples((DOCS / "extending.md").read_text("utf-8"), "python"))
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
    assert all(len(text.splitlines()) < 60 for text in (HUMANS, STYLE))
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
    "nothing": (
        f"{BOTH}def f(text): pass\nfeature = Feature(checks=[f])\n",
        'extensions/x.py:2: error[extension-failed]: extension "x": `f` returned nothing',
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
