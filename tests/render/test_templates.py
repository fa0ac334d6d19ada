"""Templates: what they refer to, and where a mistake in one is."""

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.render.templates import Templates, TemplateSource, references


def source(name: str, text: str) -> TemplateSource:
    return TemplateSource(path=f"templates/{name}", text=text)


def mistake(sources: dict[str, str], name: str = "page.html", **view: object):
    templates = Templates({one: source(one, text) for one, text in sources.items()})
    with pytest.raises(DiagnosticError) as caught:
        templates.render(name, **view)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_a_template_names_what_it_extends_includes_and_imports():
    text = """{% extends "base.html" %}{%- from 'embed.html' import x -%}
    {% include "a.html" %}{% import "a.html" as a %}"""
    assert references(text) == ("base.html", "embed.html", "a.html")


def test_values_are_escaped_unless_they_are_html():
    templates = Templates({"page.html": source("page.html", "{{ text }}")})
    assert templates.render("page.html", text="<b>") == "&lt;b&gt;"


def test_an_undefined_value_has_file_line_and_source():
    diagnostic = mistake({"page.html": "<p>\n{{ titel }}\n"}, title="x")
    assert str(diagnostic.location) == "templates/page.html:2"
    assert diagnostic.source_line == "{{ titel }}"
    assert "'titel' is undefined" in diagnostic.message


def test_a_mistake_in_an_included_template_is_placed_there():
    diagnostic = mistake({"page.html": '{% include "bar.html" %}', "bar.html": "\n\n{{ 1 + none }}"})
    assert str(diagnostic.location) == "templates/bar.html:3"
    assert diagnostic.message.startswith("TypeError")


def test_broken_syntax_has_file_line_and_source():
    diagnostic = mistake({"page.html": "<p>\n{% if x %}\n"})
    assert diagnostic.rule == "template-syntax"
    assert str(diagnostic.location).startswith("templates/page.html:")


def test_a_template_that_is_missing_names_the_nearest():
    diagnostic = mistake({"page.html": '{% include "pagee.html" %}'})
    assert diagnostic.message == 'no template named "pagee.html"'
    assert diagnostic.fix == 'did you mean "page.html"?'
    assert str(diagnostic.location) == "templates/page.html:1"


def test_a_mistake_of_diglot_itself_is_not_blamed_on_a_template():
    templates = Templates({"page.html": source("page.html", "{{ f() }}")})

    def f() -> None:
        raise AssertionError("ours")

    with pytest.raises(AssertionError):
        templates.render("page.html", f=f)
