"""The theme's files: all are used, all exist, all are published under hashed names."""

import gzip
import re

import pytest

from diglot.content.highlighting import highlighted
from diglot.diagnostics import DiagnosticError
from diglot.figures.chip_marks import SHAPES
from diglot.figures.palette import DARK, LIGHT, TOKENS
from diglot.languages import LANGUAGES
from diglot.render.assets import css_references, hashed_name, rewrite_css, without_comments, without_gaps
from diglot.render.strings import compare_strings, parse_strings
from diglot.render.template_references import plain_references_in
from diglot.render.theme import built_in_theme
from tests.render.sample import built_in

PAGES = [
    "article.html",
    "home.html",
    "landing.html",
    "list.html",
    "few.html",
    "term.html",
    "terms.html",
    "archive.html",
    "year.html",
    "not_found.html",
    "redirect.html",
    "figures.html",
    "figure.html",
    "embedded.html",
    "table.html",
    "hardware.html",
    "chip.html",
    "talk.html",
    "talks.html",
    "glossary.html",
    "manual.html",
]
CSS = (built_in_theme() / "static/style.css").read_text()
SCRIPTS = {path.name: path.read_text() for path in (built_in_theme() / "static").glob("*.js")}


def test_the_theme_has_every_page_template_and_nothing_it_does_not_use():
    used, waiting = set(), [*PAGES]
    while waiting:
        name = waiting.pop()
        used.add(name)
        waiting += [
            one
            for reference in plain_references_in((built_in_theme() / name).read_text())
            for one in reference.names
            if one not in used
        ]
    assert used == {path.name for path in built_in_theme().glob("*.html")}


def test_published_names_carry_the_content():
    assert hashed_name("fonts/a.b.woff2", "3f9a1c2bdeadbeef") == "fonts/a.b.3f9a1c2b.woff2"


def test_style_sheets_lead_to_published_names():
    css = """a{src:url("fonts/a.woff2")} b{x:url( 'icons/i.svg#half' )} c{y:url(data:x)} /* url(old.png) */"""
    assert css_references(css, "style.css") == {"fonts/a.woff2": 1, "icons/i.svg": 1}
    published = {"fonts/a.woff2": "fonts/a.1.woff2", "icons/i.svg": "icons/i.2.svg"}
    assert rewrite_css(css, "style.css", published.__getitem__) == (
        """a{src:url("fonts/a.1.woff2")} b{x:url("icons/i.2.svg#half")} c{y:url(data:x)} /* url(old.png) */"""
    )


def test_a_style_sheet_in_a_folder_leads_relative_to_it():
    assert css_references("a{src:url(../fonts/a.woff2)}", "css/x.css") == {"fonts/a.woff2": 1}
    assert (
        rewrite_css("a{src:url(../fonts/a.woff2)}", "css/x.css", lambda n: n)
        == 'a{src:url("../fonts/a.woff2")}'
    )


def test_scripts_of_the_theme_are_published_without_comments_and_their_lines_keep_their_numbers():
    script = """/* What it
   does. */
{
  // Why.
  const url = "http://a";  // px
  const text = `a ${x ? `b ${y}` : ""}`;
}
"""
    assert (
        without_comments(script)
        == """\n\n{

const url = "http://a";  // px
const text = `a ${x ? `b ${y}` : ""}`;
}
"""
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_text_in_a_script_of_the_theme_goes_over_several_lines(name: str):
    # Such a text would lose its indentation when the script is published.
    lines = without_comments(SCRIPTS[name]).split("\n")
    assert [line for line in lines if line.count("`") % 2 or line.endswith("\\")] == []
    assert len(lines) == SCRIPTS[name].count("\n") + 1


def test_the_scripts_of_an_article_with_everything_take_at_most_15_kb():
    base = (built_in_theme() / "base.html").read_text()
    sizes = {name: len(gzip.compress(without_comments(SCRIPTS[name]).encode())) for name in SCRIPTS}
    at_once = set(re.findall(r'src="{{ asset\("(.+?\.js)"\)', base))
    assert at_once == {"diglot.js", "controls.js", "readings.js"}
    assert sum(sizes[name] for name in (*at_once, "aids.js")) <= 15_100, "aids.js comes when the page rests"
    later = set(re.findall(r'data-\w+="{{ asset\("(.+?\.js)"\)', base)) - {"aids.js"}
    assert later == {"forms.js", "sorting.js", "enlarging.js", "cards.js", "provenance.js", "search.js"}, (
        "when a reader reaches for them"
    )
    assert all(sizes[name] <= 3_500 for name in later)


def test_the_scripts_of_a_talk_take_at_most_10_5_kb():
    # As a talk that is one file has them, which is compressed as a whole.
    together = "".join(without_comments(SCRIPTS[name]) for name in ("deck.js", "controls.js"))
    assert len(gzip.compress(together.encode())) <= 10_500


def test_the_style_sheet_of_pages_arrives_in_the_first_flight():
    # A server sends ten packets, about 14.6 kB, before it waits for an answer: a larger one is there a round
    # trip later, and so is all text.
    assert len(gzip.compress(without_gaps(CSS).encode())) <= 13_500
    assert "@media print" not in CSS, "print.css has the rules for paper, for which no screen waits"


def test_style_sheets_of_the_theme_are_published_without_gaps():
    css = """/* Why. */
@media (min-width: 700px) {
  .a > :is(b, i) :hover { list-style: "–  "; margin: calc(1px + 2em) 0; }  /* "no text */
}
[lang="a, b"]::after { content: "{ ; /* \\" */ }"; }
"""
    assert without_gaps(css) == (
        '@media (min-width:700px){.a > :is(b,i) :hover{list-style:"–  ";margin:calc(1px + 2em) 0}}'
        '[lang="a, b"]::after{content:"{ ; /* \\" */ }"}'
    )


@pytest.mark.browser
def test_a_style_sheet_without_gaps_says_the_same(browser):
    rules = """css => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      // Values of custom properties and conditions are kept as they are written.
      return [...sheet.cssRules].map(rule => rule.cssText.replaceAll(/([,:]) /g, "$1"));
    }"""
    page = browser.new_page()
    for name in ("style", "print", "deck", "search", "chips", "cards", "traditional"):
        css = (built_in_theme() / "static" / f"{name}.css").read_text("utf-8")
        written, read = page.evaluate(rules, css), page.evaluate(rules, without_gaps(css))
        assert read == written, name
        assert read, name
    page.close()


def test_every_file_the_style_sheet_names_is_in_the_theme():
    for name in css_references(CSS, "style.css"):
        assert (built_in_theme() / "static" / name).is_file()


def test_the_style_sheet_has_every_colour_of_figures_from_their_palette():
    in_css = dict(re.findall(r"--(?:fig-)?(\w+): palette\((\w+)\)", CSS))
    assert in_css == {token: token for token in TOKENS}
    published = rewrite_css(CSS, "style.css", lambda name: name)
    assert "palette(" not in published
    for token in TOKENS:
        assert f"-{token}: light-dark({LIGHT[token]}, {DARK[token]});" in published


def test_every_mark_of_a_chip_has_its_classes_in_the_style_sheet():
    shapes = {name for shape in SHAPES.values() for name in shape.split()} - {"square"}  # the plain mark
    assert shapes <= set(re.findall(r"\.chip\.(\w+)::before", CSS))
    hues = {token for token in TOKENS if token.startswith(("gpu", "tpu"))}
    assert set(re.findall(r"\.(\w+) \{ --chip: var\(--fig-\1\); \}", CSS)) == hues


def test_code_has_no_hues():
    rules = re.findall(r"pre [^{]*\{([^}]*)\}", CSS)
    assert len(rules) > 5
    assert not any(re.search(r"#[0-9a-f]{3}", rule) for rule in rules)


def test_the_classes_of_highlighted_code_are_known_to_the_style_sheet():
    html = highlighted("def f():\n    return 'x'  # why\n", "python")
    for name in ("k", "c1", "s1"):
        assert f'class="{name}"' in html
        assert re.search(rf"pre :is\([^)]*\.{name}[,)]", CSS)


def test_both_languages_have_every_word():
    strings = built_in()[0].strings
    paths = {one: f"templates/strings/{one}.yaml" for one in LANGUAGES}
    assert compare_strings(strings, paths) == ()


def test_a_word_that_one_language_lacks_is_a_diagnostic():
    strings = {
        "zh": parse_strings("a: 甲", "zh.yaml", "zh"),
        "en": parse_strings("a: A\nb: B\nb_one: one", "en.yaml", "en"),
    }
    (diagnostic,) = compare_strings(strings, {"zh": "zh.yaml", "en": "en.yaml"})
    assert diagnostic.message == 'there is no text "b", but en.yaml has one'


def test_words_take_values_and_count():
    en = built_in()[0].strings["en"]
    assert en("minutes", n=1) == "1 minute"
    assert en("minutes", n=5) == "5 minutes"
    with pytest.raises(LookupError, match="minuets"):
        en("minuets", n=1)


def test_a_word_that_is_no_text_is_a_diagnostic_with_its_line():
    with pytest.raises(DiagnosticError) as caught:
        parse_strings("a: x\nb: 3\n", "strings/zh.yaml", "zh")
    assert str(caught.value.diagnostics[0].location) == "strings/zh.yaml:2"
