"""Templates: their references to others, and the location of mistakes."""

import os
from pathlib import Path

import pytest
from jinja2 import Environment
from markupsafe import Markup

from diglot.diagnostics import DiagnosticError
from diglot.render.template_references import leaves_theme, name_inside, plain_references_in, references_in
from diglot.render.templates import Templates, TemplateSource


def source(name: str, text: str) -> TemplateSource:
    return TemplateSource(path=f"templates/{name}", text=text)


def rendered(sources: dict[str, str], name: str = "page.html", **view: object) -> str:
    return Templates({one: source(one, text) for one, text in sources.items()}).render(name, **view)


def mistake(sources: dict[str, str], name: str = "page.html", **view: object):
    templates = Templates({one: source(one, text) for one, text in sources.items()})
    with pytest.raises(DiagnosticError) as caught:
        templates.render(name, **view)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_a_template_names_what_it_extends_includes_and_imports():
    text = """{% extends "base.html" %}{%- from 'embed.html' import x -%}
    {% include "a.html" %}{% import "a.html" as a %}"""
    for read in (references_in, plain_references_in):
        assert [one.names for one in read(text)] == [
            ("base.html",),
            ("embed.html",),
            ("a.html",),
            ("a.html",),
        ]
        assert [one.line for one in read(text)] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("tag", "names", "is_optional"),
    [
        ("{% include 'a.html' %}", ("a.html",), False),
        ("{% include ['a.html', 'b.html'] %}", ("a.html", "b.html"), False),
        ("{% include ('a.html', 'b.html') ignore missing with context %}", ("a.html", "b.html"), True),
        ("{% include 'a.html' ignore missing %}", ("a.html",), True),
        ("{% include page.kind ~ '.html' %}", (), False),
        ("{% include ['a.html', page.kind] %}", (), False),
        ("{% extends 'a.html' if page.draft else 'b.html' %}", (), False),
        ("{% set x = 'a.html' %}{% extends x %}", (), False),
        ("{% import name as a %}", (), False),
        ("{% from name import a %}", (), False),
        ("{%+ include 'a.html' +%}", ("a.html",), False),
        ("{% block x %}{% if y %}{% include 'a.html' %}{% endif %}{% endblock %}", ("a.html",), False),
    ],
)
def test_what_a_tag_asks_for(tag: str, names: tuple[str, ...], is_optional: bool) -> None:
    (reference,) = references_in(tag)
    assert (reference.names, reference.is_optional) == (names, is_optional)


def test_what_is_no_tag_asks_for_nothing() -> None:
    assert references_in("{# {% include 'a.html' %} #}{% raw %}{% include 'b.html' %}{% endraw %}") == ()
    assert [one.names for one in references_in("{% include 'a.html' %}{% if %}")] == [("a.html",)]


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("../a.html", None),
        ("/etc/hostname", None),
        ("parts/../../a.html", None),
        ("..", None),
        ("\\etc\\a", None),
        ("a\0.html", None),
        ("./a.html", "a.html"),
        ("parts/../a.html", "a.html"),
        ("parts//a.html", "parts/a.html"),
        ("parts\\a.html", "parts/a.html"),
    ],
)
def test_names_that_are_paths(name: str, inside: str | None) -> None:
    assert (leaves_theme(name), name_inside(name)) == (True, inside)


def test_names_that_are_none() -> None:
    assert not any(
        map(leaves_theme, ("a.html", "parts/a.html", "diglot/base.html", "..a.html", "a..b/c.html"))
    )


@pytest.mark.parametrize(
    "text", ["{{ lipsum() }}", "{{ lipsum(n=1) }}", "{{ [1, 2]|random }}", "{{ [1]|map('random')|list }}"]
)
def test_chance_is_an_error(text: str) -> None:
    found = mistake({"page.html": text})
    assert "would be left to chance" in (found.fix or "")


def test_a_function_has_no_text() -> None:
    found = mistake({"page.html": "{{ asset }}"}, asset=len)
    assert "len is a function, and has no text: call it" in found.message


def test_values_are_escaped_unless_they_are_html():
    templates = Templates({"page.html": source("page.html", "{{ text }}")})
    assert templates.render("page.html", text="<b>") == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ value }}", "&lt;a&gt; &amp; &#34;b&#34; &#39;c&#39;"),
        ("{{ value | safe }}", "<a> & \"b\" 'c'"),
        ("{{ number }} {{ none }} {{ html }} {{ own }}", "1 None <i>x</i> <own>"),
        ("{% autoescape false %}{{ value }}{% endautoescape %}", "<a> & \"b\" 'c'"),
        (
            "{% autoescape no %}{{ value }}{% endautoescape %}{% autoescape 1 %}{{ '<' }}{% endautoescape %}",
            "<a> & \"b\" 'c'&lt;",
        ),
        ("{% macro m(x) %}<u>{{ x }}</u>{% endmacro %}{{ m('<') }}", "<u>&lt;</u>"),
        ("{% set x %}<u>{{ '<' }}</u>{% endset %}{{ x }}{{ x ~ '<' }}", "<u>&lt;</u><u>&lt;</u>&lt;"),
        ("{{ '<' + html }}{{ 'plain' }}{{ '中' }}", "&lt;<i>x</i>plain中"),
    ],
)
def test_what_a_value_becomes_is_what_jinja_makes_of_it(template: str, text: str) -> None:
    view = {
        "value": "<a> & \"b\" 'c'",
        "number": 1,
        "none": None,
        "html": Markup("<i>x</i>"),
        "own": _Own(),
        "no": False,
    }
    templates = Templates({"page.html": source("page.html", template)})
    assert templates.render("page.html", **view) == text
    assert Environment(autoescape=True).from_string(template).render(**view) == text


class _Own:
    def __html__(self) -> str:
        return "<own>"


def test_an_undefined_value_has_file_line_and_source():
    diagnostic = mistake({"page.html": "<p>\n{{ titel }}\n"}, title="x")
    assert str(diagnostic.location) == "templates/page.html:2"
    assert diagnostic.source_line == "{{ titel }}"
    assert 'nothing here is named "titel"' in diagnostic.message


def test_a_mistake_in_an_included_template_is_placed_there():
    diagnostic = mistake({"page.html": '{% include "bar.html" %}', "bar.html": "\n\n{{ 1 + none }}"})
    assert str(diagnostic.location) == "templates/bar.html:3"
    assert diagnostic.message.startswith("TypeError")


def test_broken_syntax_has_file_line_and_source():
    diagnostic = mistake({"page.html": "<p>\n{% if x %}\n"})
    assert diagnostic.rule == "template-syntax"
    assert str(diagnostic.location).startswith("templates/page.html:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ 1 / 0 }}", "ZeroDivisionError: division by zero"),
        ('{% include "page.html" %}', "RecursionError: "),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "RecursionError: "),
        ("{{ 10.0 ** 1000 }}", "OverflowError: "),
        ("{{ 'x' * 10 ** 17 }}", "10,000,000 steps"),
        ("{{ [1] * 10 ** 8 }}", "10,000,000 steps"),
        ("{{ 10 ** 9 * 'x' }}", "10,000,000 steps"),
        ("{% set x = 10 ** (10 ** 9) %}", "10,000,000 steps"),
        ("{{ 'x'|center(10 ** 8) }}", "more than 10,000,000 characters"),
        ("{% for i in range(10 ** 12) %}{% endfor %}", "10,000,000 steps"),
        (
            "{% for i in range(10 ** 5) %}{% for j in range(10 ** 5) %}{% endfor %}{% endfor %}",
            "10,000,000 steps",
        ),
        ("{{ range(10 ** 12)|list }}", "10,000,000 steps"),
        ("{% for i in range(10 ** 30) %}{% endfor %}", "OverflowError: "),
        ("{% for a in s %}{% for b in s %}{% endfor %}{% endfor %}", "10,000,000 steps"),
        (
            "{% for a in s|map('upper') %}{% for b in s|map('upper') %}{% endfor %}{% endfor %}",
            "10,000,000 steps",
        ),
        (f"{'{% for a in [1, 2, 3, 4, 5, 6, 7, 8, 9] %}' * 9}{'{% endfor %}' * 9}", "10,000,000 steps"),
        (
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
            "10,000,000 steps",
        ),
    ],
)
def test_whatever_a_template_fails_of_is_told_with_its_line(text: str, message: str) -> None:
    found = mistake({"page.html": f"{{% set s = 'x' * 4000 %}}<p>\n{text}"})
    assert found.rule == "template-error"
    assert str(found.location) == "templates/page.html:2"
    assert message in found.message


@pytest.mark.parametrize("text", ['{{ "\\ud800" }}', '{{ "a\\udfff" }}', '{{ "\\x07" }}', '{{ "\\ufffe" }}'])
def test_a_character_that_pages_cannot_have_is_reported_where_a_template_prints_it(text: str) -> None:
    found = mistake({"page.html": f"<p>\n{text}"})
    assert (found.rule, str(found.location)) == ("character-forbidden", "templates/page.html:2")


def test_a_character_that_is_not_printed_is_no_mistake() -> None:
    assert rendered({"page.html": r'{{ "a"|replace("\x07", "b") }}'}) == "a"


def test_loops_are_counted_without_changing_what_they_do() -> None:
    text = (
        '{% for a in [1, 2] %}{{ loop.index }}/{{ loop.length }}{{ "," if not loop.last }}{% endfor %};'
        '{% for a in "ab"|map("upper") %}{{ a }}{{ loop.last }}{% endfor %};'
        '{% for k, v in {"a": 1}.items() %}{{ k }}{{ v }}{% endfor %};'
        "{% for x in [] %}{% else %}none{% endfor %};{% for a in range(3) if a %}{{ a }}{% endfor %};"
        "{% for a in [[1], [2]] recursive %}{{ loop(a) if a is iterable else a }}{% endfor %}"
    )
    assert rendered({"page.html": text}) == "1/2,2/2;AFalseBTrue;a1;none;12;12"


def test_a_template_that_is_missing_names_the_nearest():
    diagnostic = mistake({"page.html": '{% include "pagee.html" %}'})
    assert diagnostic.message == 'there is no template named "pagee.html"'
    assert diagnostic.fix == 'did you mean "page.html"?'
    assert str(diagnostic.location) == "templates/page.html:1"


def test_a_mistake_of_diglot_itself_is_not_blamed_on_a_template():
    templates = Templates({"page.html": source("page.html", "{{ f() }}")})

    def f() -> None:
        raise AssertionError("ours")

    with pytest.raises(AssertionError):
        templates.render("page.html", f=f)


def compiled_page(folder: Path, text: str = "Hello, {{ who }}.", template: str = "page.html") -> str:
    return Templates({template: source(template, text)}, compiled=folder).render(template, who="you")


def test_a_compiled_template_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert compiled_page(tmp_path) == "Hello, you."
    monkeypatch.setattr(Environment, "compile", lambda *_: pytest.fail("it was compiled"))
    assert compiled_page(tmp_path) == "Hello, you."


@pytest.mark.parametrize("change", ["letter", "cut", "append", "empty", "folder", "pipe"])
def test_a_compiled_template_that_is_not_whole_is_never_run(tmp_path: Path, change: str):
    """A changed byte of bytecode crashes Python; a changed letter in a constant makes another page."""
    compiled_page(tmp_path)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    match change:
        case "letter":
            assert b"Hello" in content
            file.write_bytes(content.replace(b"Hello", b"Jello"))
        case "cut":
            file.write_bytes(content[:-9])
        case "append":
            file.write_bytes(content + b"more")
        case "empty":
            file.write_bytes(b"")
        case "folder":
            file.unlink()
            file.mkdir()
        case _:
            file.unlink()
            os.mkfifo(file)
    assert compiled_page(tmp_path) == "Hello, you."
    assert file.is_file()


def test_compiled_templates_that_were_exchanged_are_never_run(tmp_path: Path):
    compiled_page(tmp_path)
    (file,) = tmp_path.iterdir()
    compiled_page(tmp_path, "Goodbye.", "other.html")
    (other,) = (one for one in tmp_path.iterdir() if one != file)
    file.write_bytes(other.read_bytes())
    assert compiled_page(tmp_path) == "Hello, you."


def test_no_folder_for_compiled_templates_is_no_trouble(tmp_path: Path):
    (tmp_path / "compiled").write_text("in the way")
    assert compiled_page(tmp_path / "compiled") == "Hello, you."
