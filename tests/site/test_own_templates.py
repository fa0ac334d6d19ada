"""Templates of a project that extend the built-in ones, and messages about mistakes in them."""

import pytest

from diglot import DOCS_URL
from tests.space import Space, errors, ran, told

THEMES = f"{DOCS_URL}/themes.md"
FOOTER = """\
{% extends "diglot/base.html" %}
{% block footer %}{{ super() }}<span>ICP 12345</span>
{% endblock %}
"""
PAGES = ["", "zh", "en/tags", "zh/posts/a", "en/posts/a/both"]


@pytest.fixture
def space(space: Space) -> Space:
    """A project with one article."""
    space.post("a", zh="甲。", en="One.")
    return space


def mistake(space: Space) -> str:
    """The only error of a build."""
    (one,) = errors(space.build())
    return str(one)


def test_three_lines_change_one_block_of_every_page(space: Space) -> None:
    space.build()
    before = {path: space.page(path) for path in PAGES}
    space.write("templates/base.html", FOOTER)
    assert told(space.build()) == ""
    for path in PAGES:
        end = "</div></footer>"
        assert space.page(path) == before[path].replace(end, f"<span>ICP 12345</span>\n{end}")


def test_a_build_after_an_override_equals_a_clean_one(space: Space) -> None:
    with space.site() as site:
        clean = site.build() and space.outputs()
        space.write("templates/base.html", FOOTER)
        site.build()
        overridden = space.outputs()
        space.change("templates/base.html", "12345", "67890")
        site.build()
        assert b"ICP 67890" in space.outputs()["index.html"]
        space.write("templates/base.html", FOOTER)
        site.build()
        assert ran(site.build()) == []
        assert space.outputs() == overridden
        space.build(output="again")
        assert space.outputs("again") == overridden
        space.remove("templates/base.html")
        site.build()
        assert space.outputs() == clean


@pytest.mark.parametrize(
    ("name", "block", "before", "after"),
    [
        ("base.html", "title", "<title>", "</title>"),
        ("base.html", "scripts", "</script>\n", "</template>"),
        ("base.html", "head", '.css">\n', "</head>"),
        ("base.html", "header", "</a>\n", "<main"),
        ("base.html", "navigation", "</a>\n", '<nav class="langs"'),
        ("base.html", "body_end", 'aria-live="polite"></p>\n', "</body>"),
        ("article.html", "before_article", ">\n", "<article>"),
        ("article.html", "article_head", "<article>\n", '<div class="row'),
        ("article.html", "article_end", "</article>\n", "</main>"),
        ("article.html", "after_article", "</div>\n", "</main>"),
    ],
)
def test_a_block_is_where_its_name_says(space: Space, name: str, block: str, before: str, after: str) -> None:
    text = f'{{% extends "diglot/{name}" %}}{{% block {block} %}}<!-- here -->{{% endblock %}}'
    space.write(f"templates/{name}", text)
    assert told(space.build()) == ""
    assert f"{before}<!-- here -->{after}" in space.page("en/posts/a")


def test_an_override_reaches_built_in_templates_that_extend_it(space: Space) -> None:
    space.write("templates/base.html", FOOTER)
    space.write(
        "templates/article.html",
        '{% extends "diglot/article.html" %}{% block after_article %}<p>Cite this.</p>{% endblock %}',
    )
    assert told(space.build()) == ""
    assert "<p>Cite this.</p></main>" in space.page("en/posts/a")
    assert "ICP 12345" in space.page("en/posts/a")


def test_a_block_that_no_page_has_is_an_error_with_the_nearest(space: Space) -> None:
    space.write("templates/base.html", FOOTER.replace("block footer", "block foter"))
    assert mistake(space) == (
        'templates/base.html:2:10: error[template-unused]: no page shows the block "foter": diglot/base.html '
        "has no block of this name\n"
        "    {% block foter %}{{ super() }}<span>ICP 12345</span>\n"
        "             ^^^^^\n"
        f'  fix: did you mean "footer"? Templates and their blocks: {THEMES}'
    )


def test_text_outside_of_blocks_is_an_error(space: Space) -> None:
    space.write("templates/base.html", '{% extends "diglot/base.html" %}\n\n<p>Hello</p>\n')
    assert mistake(space) == (
        "templates/base.html:3: error[template-unused]: this is no part of a page: of a template that "
        "extends diglot/base.html, only blocks are\n"
        "    <p>Hello</p>\n"
        "  fix: put it into a block, as in `{% block footer %}{{ super() }} … {% endblock %}`. "
        f"Templates and their blocks: {THEMES}"
    )


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ('{% include "x.html" %}', False),
        ('{% if page.lang %}{% include "x.html" %}{% endif %}', False),
        ("{% for n in [1, 2] %}\n<p>{{ n }}</p>{% endfor %}", False),
        ("{% set word %}Hello{% endset %}", True),
        ("{% macro hello() %}Hello{% endmacro %}", True),
        ('{% from "x.html" import hello %}', True),
    ],
)
def test_whatever_would_be_shown_outside_of_blocks_is_an_error(
    text: str, is_right: bool, space: Space
) -> None:
    space.write("templates/x.html", "{% macro hello() %}Hello{% endmacro %}")
    space.write("templates/base.html", f'{{% extends "diglot/base.html" %}}\n{text}\n')
    rules = [one.rule for one in space.build().diagnostics]
    assert rules == ([] if is_right else ["template-unused"])


def test_a_template_that_extends_itself_is_led_to_the_built_in_one(space: Space) -> None:
    space.write("templates/base.html", '{% extends "base.html" %}\n')
    assert mistake(space) == (
        "templates/base.html:1: error[template-unused]: this template extends itself\n"
        '    {% extends "base.html" %}\n'
        '  fix: write `{% extends "diglot/base.html" %}` to extend the built-in one. '
        f"Templates and their blocks: {THEMES}"
    )


def test_a_built_in_template_that_is_missing_names_the_nearest(space: Space) -> None:
    space.write("templates/base.html", '{% extends "diglot/bse.html" %}\n')
    assert mistake(space) == (
        'templates/base.html:1:13: error[template-missing]: the theme has no template "diglot/bse.html"\n'
        '    {% extends "diglot/bse.html" %}\n'
        "                ^^^^^^^^^^^^^^^\n"
        '  fix: did you mean "diglot/base.html"?'
    )


@pytest.mark.parametrize(
    ("name", "wanted", "fix"),
    [
        ("base.html", "!base.html", 'write "diglot/base.html" for the built-in one.'),
        ("article.html", "artcle.html", 'write "diglot/article.html" for the built-in one.'),
        ("article.html", "bse.html", 'did you mean "base.html"?'),
    ],
)
def test_a_missing_template_is_never_taken_for_the_one_that_asks(
    space: Space, name: str, wanted: str, fix: str
) -> None:
    space.write(f"templates/{name}", f'{{% extends "{wanted}" %}}\n')
    assert errors(space.build())[0].fix == fix


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("{{ pge }}", 'nothing here is named "pge"', 'did you mean "page"?'),
        ("{{ page.titel }}", '`page` has no "titel"', 'did you mean "title"?'),
        ("{{ site.zzz }}", '`site` has no "zzz"', "known are: analytics, comments, "),
        (
            "{{ zzzzz }}",
            'nothing here is named "zzzzz"',
            f"the values that templates receive are listed in {THEMES}",
        ),
        ("{{ page.title | uper }}", 'there is no filter named "uper"', 'did you mean "upper"?'),
        (
            "{% if page.title is strng %}{% endif %}",
            'there is no test named "strng"',
            'did you mean "string"?',
        ),
        ("{% blok x %}", 'there is no tag named "blok"', 'did you mean "block"?'),
        ("{{ page.title | nubmer }}", 'there is no filter named "nubmer"', "known are: abs, attr, batch"),
        (
            "{% if x %}{% for y in x %}{% endif %}",
            '"endif" comes before the end of "for"',
            "write {% endfor %} before it.",
        ),
        ("{{ page.title() }}", "'str' object is not callable", "delete the parentheses after it"),
        ("{{ page.title + 1 }}", "can only concatenate", "join texts and numbers with ~"),
        ("{{ 1 / 0 }}", "division by zero", "divide only where"),
        (
            '{{ words("hme") }}',
            'there is no text "hme" in strings/',
            'did you mean "home"? If not, add a line `hme: …` to templates/strings/',
        ),
        ('{{ asset("stile.css") }}', 'no static file "stile.css"', ""),
    ],
)
def test_a_mistake_in_a_template_says_what_was_meant(space: Space, text: str, message: str, fix: str) -> None:
    space.write(
        "templates/article.html",
        f'{{% extends "diglot/article.html" %}}\n{{% block after_article %}}\n{text}\n{{% endblock %}}\n',
    )
    one = errors(space.build())[0]
    assert one.location is not None
    assert (one.location.path, one.location.line) == ("templates/article.html", 3)
    assert message in one.message
    assert (one.fix or "").startswith(fix)


def test_mistakes_in_all_templates_are_found_at_once(space: Space) -> None:
    space.change("site/site.yaml", "cards: none", "cards: nonne")
    space.write("templates/article.html", "{% if %}")
    space.write("templates/home.html", "{% for %}")  # this home page has few articles, and is made by another
    space.write("templates/list.html", b"\xed\xa0\x80")
    space.write("templates/mine.html", "{% if %}")  # nothing asks for it
    found = [(one.rule, one.location.path) for one in errors(space.build()) if one.location is not None]
    assert found == [
        ("field-type", "site/site.yaml"),
        ("template-syntax", "templates/article.html"),
        ("template-syntax", "templates/home.html"),
        ("file-encoding", "templates/list.html"),
    ]


def test_what_a_built_in_template_cannot_use_is_the_mistake_of_who_gave_it(space: Space) -> None:
    space.write(
        "templates/article.html",
        '{% extends "diglot/article.html" %}\n{% from "embed.html" import caption %}\n'
        "{% block after_article %}\n{{ caption(page, words) }}\n{% endblock %}\n",
    )
    one = errors(space.build())[0]
    assert one.location is not None
    assert (one.location.path, one.location.line) == ("templates/article.html", 4)
    assert one.message == '`page` has no "label"'


DYNAMIC = """\
{% extends "diglot/base.html" %}
{% block footer %}{% include TAG %}{% endblock %}
"""


@pytest.mark.parametrize(
    ("tag", "first", "then"),
    [
        ('["parts/a.html", "parts/b.html"]', "of b", "of a"),
        ('"parts/a.html" ignore missing', "", "of a"),
        ('["parts/a.html", "parts/c.html"] ignore missing', "", "of a"),
        ('["parts/" ~ "a.html", "parts/b.html"]', "of b", "of a"),
        ('"parts/b.html" if page.draft else "parts/b.html"', "of b", "of b"),
        ('("parts/a" ~ ".html") ignore missing', "", "of a"),
    ],
)
def test_a_template_that_appears_later_is_noticed(space: Space, tag: str, first: str, then: str) -> None:
    space.write("templates/base.html", DYNAMIC.replace("TAG", tag))
    space.write("templates/parts/b.html", "<i>of b</i>")
    with space.site() as site:
        assert told(site.build()) == ""
        shown = f"<i>{first}</i>" if first else ""
        assert shown in space.page("en/posts/a")
        before = space.outputs()
        space.write("templates/parts/a.html", "<i>of a</i>")
        assert told(site.build()) == ""
        assert f"<i>{then}</i>" in space.page("en/posts/a")
        space.build(output="clean")
        assert space.outputs("clean") == space.outputs()
        space.write("templates/parts/a.html", "<i>of another a</i>")
        assert told(site.build()) == ""
        assert ("of another a" in space.page("en/posts/a")) == (then == "of a")
        space.remove("templates/parts/a.html")
        assert told(site.build()) == ""
        assert space.outputs() == before


def test_what_is_extended_may_be_chosen_by_a_page(space: Space) -> None:
    space.write(
        "templates/base.html",
        '{% set under = "diglot/base.html" %}{% extends under %}{% block footer %}<i>mine</i>{% endblock %}',
    )
    assert told(space.build()) == ""
    assert "<i>mine</i>" in space.page("en/posts/a")


def test_macros_may_be_imported_by_a_computed_name(space: Space) -> None:
    space.write("templates/parts/m.html", "{% macro hello() %}<i>hello</i>{% endmacro %}")
    for tag in (
        '{% import "parts/" ~ "m.html" as m %}{{ m.hello() }}',
        '{% from ["parts/m.html"][0] import hello %}{{ hello() }}',
    ):
        space.write("templates/base.html", DYNAMIC.replace("{% include TAG %}", tag))
        assert told(space.build()) == ""
        assert "<i>hello</i>" in space.page("en/posts/a")


@pytest.mark.parametrize(
    ("tag", "message", "fix"),
    [
        ('"../secret.html"', "is no name of a template: it is a path out of the theme", "move the file into"),
        ('"/etc/hostname" ignore missing', "it is a path out of the theme", "move the file into"),
        ('["b.html", "parts/../../secret.html"]', "it is a path out of the theme", "move the file into"),
        ('"./parts/b.html"', "is no name of a template: it is a path", 'write "parts/b.html"'),
        ('"part/b.html"', 'the theme has no template "part/b.html"', 'did you mean "parts/b.html"?'),
        ('["x.html", "y.html"]', 'has no template "x.html", and no "y.html"', "fix: "),
        ('"../" ~ "secret.html"', 'there is no template named "../secret.html"', ""),
    ],
)
def test_what_is_no_template_of_the_theme_is_refused(space: Space, tag: str, message: str, fix: str) -> None:
    space.write("secret.html", "secret")
    space.write("templates/parts/b.html", "<i>of b</i>")
    space.write("templates/base.html", DYNAMIC.replace("TAG", tag))
    said = mistake(space)
    assert said.startswith("templates/base.html:2")
    assert message in said
    assert fix in said


def test_builds_are_not_left_to_chance(space: Space) -> None:
    space.write("templates/base.html", DYNAMIC.replace("{% include TAG %}", "{{ range(100000)|random }}"))
    said = mistake(space)
    assert "templates/base.html:2" in said
    assert "would be left to chance" in said
