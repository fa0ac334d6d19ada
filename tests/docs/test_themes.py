"""`docs/themes.md` is true: its examples do what it says, and it names all there is, and nothing else."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import jinja2
import msgspec
import pytest
import yaml
from jinja2.defaults import DEFAULT_FILTERS, DEFAULT_NAMESPACE, DEFAULT_TESTS
from msgspec.structs import fields

from diglot.figures import catalogue_sheets
from diglot.languages import LANGUAGES
from diglot.render import views
from diglot.render.templates import Templates
from diglot.render.theme import built_in_theme
from diglot.services import Analytics, Giscus
from tests.docs.pages import DOCS, code, rows, section
from tests.few_chips import two_chips
from tests.render.sample import site_files
from tests.space import BARS, SITE_YAML, Space, told

THEMES = (DOCS / "themes.md").read_text("utf-8")
TEMPLATES = {path.name: path.read_text("utf-8") for path in built_in_theme().glob("*.html")}
CSS = (built_in_theme() / "static/style.css").read_text("utf-8")


def tables(heading: str) -> list[tuple[tuple[str, ...], ...]]:
    """The tables below a heading, without heads."""
    return [found for part in section(THEMES, heading).split("\n\n") if (found := rows(part))]


# The examples, a project for each section

EXAMPLE = re.compile(r"^`([\w./-]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRIED = [
    one
    for one in re.findall(r"^## (.*)$", THEMES, re.MULTILINE)
    if EXAMPLE.search(section(THEMES, f"## {one}"))
]
SHOWN = {
    "A colour": ("en", 'href="/custom.css?v='),
    "A font": ("en", 'href="/custom.css?v='),
    "A menu entry": ("en", '<a href="https://github.com/ada/site">Source</a>'),
    "A word": ("en/posts/roofline", '<a href="/">Front page</a>'),
    "A part of a page": ("zh", "京ICP备00000000号</a></span>\n</div></footer>"),
    "A param": ("zh/posts/roofline", '<img src="/cover.svg" alt="">\n<p>先算后说</p>\n<article>'),
    "A comment box": ("zh/posts/roofline", 'data-term="posts/roofline"'),
    "Counting visits": ("zh/tags", 'data-goatcounter="https://ada.goatcounter.com/count"'),
}


def write_examples(space: Space, heading: str) -> None:
    """The files of a section's examples, in a project with an article."""
    space.post("roofline", zh="一段。", en="A paragraph.")
    for path, text in EXAMPLE.findall(section(THEMES, f"## {heading}")):
        space.write(path, SITE_YAML + text if path == "site/site.yaml" else text)


@pytest.mark.parametrize("heading", TRIED)
def test_an_example_does_what_it_is_for(heading: str, space: Space) -> None:
    write_examples(space, heading)
    assert told(space.build()) == ""
    path, text = SHOWN[heading]
    assert text in space.page(path)


def test_every_change_has_an_example() -> None:
    assert list(SHOWN) == TRIED


def test_a_template_that_asks_for_a_language_is_shown_in_it_alone(space: Space) -> None:
    write_examples(space, "A part of a page")
    space.build()
    cite = re.compile(r'<p><a href="/assets/cite\.[0-9a-f]{8}\.bib">Cite this article</a></p>\n<article>')
    assert cite.search(space.page("en/posts/roofline"))
    assert "Cite this article" not in space.page("zh/posts/roofline") + space.page("en/posts/roofline/both")


# The reference


def test_every_template_and_block_is_listed() -> None:
    templates, blocks = tables("## Templates and blocks")
    listed = {code(row[0])[0]: code(row[2]) for row in templates}
    there = {name: re.findall(r"\{% block (\w+)(?: scoped)? %\}", text) for name, text in TEMPLATES.items()}
    known = there["base.html"]
    known_to_home = [*known, *there["article.html"]]
    extending = {name for name, text in TEMPLATES.items() if "{% extends" in text}
    assert extending == listed.keys() - {
        *(
            "base.html",
            "redirect.html",
            "talk.html",
            "slides.html",
            "embedded.html",
            "embed.html",
            "values.html",
            "table.html",
            "controls.html",
            "entry.html",
            "comments.html",
            "analytics.html",
            "meta.html",
            "head.html",
        )
    }
    for name in there.keys() - {"base.html", "talk.html"}:
        above = known_to_home if name in ("home.html", "manual.html") else known
        there[name] = [one for one in there[name] if one not in above]
    assert {name: sorted(found) for name, found in listed.items()} == {
        name: sorted(found) for name, found in there.items()
    }
    assert [code(row[0])[0] for row in blocks] == [
        *dict.fromkeys(one for found in listed.values() for one in found)
    ]


def records() -> dict[str, type[msgspec.Struct]]:
    """The records that templates receive."""
    return {
        name: one
        for name, one in vars(views).items()
        if inspect.isclass(one) and issubclass(one, msgspec.Struct) and one.__module__ == views.__name__
    }


def test_every_record_is_described() -> None:
    assert re.findall(r"^#### (\w+)$", THEMES, re.MULTILINE) == list(records())


@pytest.mark.parametrize("name", records())
def test_every_value_of_a_record_is_described(name: str) -> None:
    (table,) = tables(f"#### {name}")
    assert [code(row[0])[0] for row in table] == [one.name for one in fields(records()[name])]


def test_every_value_of_a_service_is_described() -> None:
    described = {code(row[0])[0]: code(row[1]) for row in tables("#### SiteView")[0]}
    assert described["comments"] == [*(one.name for one in fields(Giscus)), "comments: giscus:"]
    services = [
        name
        for service in fields(Analytics)
        for name in (service.name, *(one.name for one in fields(service.type.__args__[0])))
    ]
    assert described["analytics"] == services


def test_every_value_of_its_own_that_a_template_gets_is_described(
    monkeypatch: pytest.MonkeyPatch, space: Space
) -> None:
    given: dict[str, set[str]] = {}
    render = Templates.render

    def spy(self: Templates, name: str, **view: Any) -> str:
        given.setdefault(name, set()).update(view)
        return render(self, name, **view)

    monkeypatch.setattr(Templates, "render", spy)
    monkeypatch.setattr(catalogue_sheets, "read_catalogue_texts", two_chips)
    site_files()
    for language in LANGUAGES:
        space.write(f"content/pages/home/{language}.md", "---\ntitle: x\n---\n\n.\n")
        space.write(f"content/talks/x/{language}.md", "---\ntitle: x\n---\n\n.\n")
        space.write(f"content/pages/x/{language}.md", "---\ntitle: x\n---\n\n.\n")
    manual = "manual: {sections: [{title: x, pages: [x]}]}"
    space.write("site/site.yaml", f"{SITE_YAML}gallery: true\nhardware: true\nglossary: true\n{manual}\n")
    space.write("figures/bars.py", BARS)
    assert told(space.build()) == ""
    for language in LANGUAGES:
        space.remove(f"content/pages/home/{language}.md")
    space.post("one")
    assert told(space.build()) == ""
    everywhere = {"page", "site", "words", "strings", "asset"}
    assert all(names >= everywhere for names in given.values())
    (table,) = tables("## Values")[:1]
    described = {code(row[0])[0]: _names(row[1]) for row in table}
    assert described == {name: names - everywhere for name, names in given.items()}
    functions = {re.match(r"\w+", code(row[0])[0])[0] for row in tables("## Functions and filters")[0]}
    assert functions == everywhere - {"page", "site"}


def _names(cell: str) -> set[str]:
    """The values that a cell describes: those at the beginnings of its parts."""
    return {match[1] for part in cell.split("; ") if (match := re.match(r"`(\w+)`", part))}


def test_templates_have_the_filters_tests_and_functions_of_jinja_but_for_chance() -> None:
    environment = Templates({})._environment
    assert isinstance(environment, jinja2.Environment)
    assert {
        name for name in environment.filters if not name.startswith("diglot_")
    } == DEFAULT_FILTERS.keys() - {"random"} | {"titled"}
    assert environment.tests == DEFAULT_TESTS
    assert environment.globals.keys() == DEFAULT_NAMESPACE.keys() - {"lipsum"}


def variables() -> Iterator[tuple[str, str]]:
    """The variables of the style sheet with their values."""
    root = CSS.partition("\n:root {\n")[2].partition("\n}\n")[0]
    yield from re.findall(r"(--[\w-]+): ([^;]+);", re.sub(r"/\*.*?\*/", "", root, flags=re.DOTALL))


def test_every_css_variable_is_listed_with_its_default() -> None:
    (table,) = tables("## CSS variables")
    listed = [name for row in table for name in code(row[0])]
    assert len(listed) == len(set(listed))
    there = dict(variables())
    assert set(listed) == there.keys()
    for row in table:
        if row[1]:
            assert code(row[1]) == [there[name] for name in code(row[0])]
    used = set(re.findall(r"var\((--[\w-]+)", CSS))
    assert used - {"--chip", "--stops", "--running-title"} <= there.keys()
    unused = there.keys() - used
    assert {name for name in unused if not name.startswith("--fig-")} == set()


def test_colours_faces_and_sizes_of_text_are_variables() -> None:
    """Outside of the variables themselves, the style sheet of screens names no colour and no face."""
    screen = re.sub(r"/\*.*?\*/", "", CSS.partition("\n}\n[data-theme")[2], flags=re.DOTALL)
    assert re.findall(r"#[0-9a-f]{3,8}\b(?=[;\s])|rgb\(|hsl\(", screen) == []
    faces = re.findall(r"font-family: ([^;}]+)", screen) + re.findall(r"font: [^;}]*?/\S+ ([^;}]+)", screen)
    assert faces
    assert [
        one
        for one in faces
        if not re.fullmatch(r'(("Diglot \w+"|var\(--own-\w+\)), )*var\(--\w+\)', one.strip())
    ] == []


def test_every_word_is_listed() -> None:
    (table,) = tables("## Words")
    words: dict[str, dict[str, str]] = {
        language: yaml.safe_load((built_in_theme() / f"strings/{language}.yaml").read_text("utf-8"))
        for language in LANGUAGES
    }
    assert [(code(row[0])[0], row[1], row[2]) for row in table] == [
        (key, text.strip(), words["zh"].get(key, "").strip()) for key, text in words["en"].items()
    ]
