"""Words of the interface that a project replaces or adds, one by one."""

import pytest

from tests.space import Space, errors, ran, told

OWN = "templates/strings/en.yaml"


@pytest.fixture
def space(space: Space) -> Space:
    """A project with one article."""
    space.post("a", zh="甲。", en="One.")
    return space


def test_one_word_is_replaced_and_all_others_stay(space: Space) -> None:
    space.build()
    before = space.outputs()
    space.write(OWN, "home: Start\n")
    assert told(space.build()) == ""
    after = space.outputs()
    assert after["en/index.html"] == before["en/index.html"].replace(b">Home<", b">Start<")
    assert after["zh/index.html"] == before["zh/index.html"]


def test_a_build_after_a_word_equals_a_clean_one(space: Space) -> None:
    with space.site() as site:
        clean = site.build() and space.outputs()
        space.write(OWN, "home: Start\n")
        site.build()
        space.write(OWN, "home: Front\n")
        site.build()
        assert ran(site.build()) == []
        space.build(output="again")
        assert space.outputs() == space.outputs("again")
        space.remove(OWN)
        site.build()
        assert space.outputs() == clean


def test_a_count_may_get_a_singular_or_lose_its_number(space: Space) -> None:
    space.write("templates/strings/zh.yaml", "minutes: 几分钟\nminutes_one: '{n} 分钟'\n")
    assert told(space.build()) == ""
    assert "1 分钟" in space.page("zh/posts/a")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "home: 5",
            "templates/strings/en.yaml:1: error[strings-kind]: home: 5 is not a text\n    home: 5\n"
            "  fix: put it into quotes.",
        ),
        (
            "minutes: '{m} min'",
            "templates/strings/en.yaml:1:11: error[strings-kind]: minutes: there is nothing to put in the "
            "place of {m}\n    minutes: '{m} min'\n              ^^^\n  fix: use {n}, or no braces.",
        ),
        (
            "home: '{title}'",
            "templates/strings/en.yaml:1:8: error[strings-kind]: home: there is nothing to put in the place "
            "of {title}\n    home: '{title}'\n           ^^^^^^^\n  fix: write the text without braces.",
        ),
    ],
)
def test_a_word_that_cannot_be_shown_names_its_line(space: Space, word: str, message: str) -> None:
    space.write(OWN, f"{word}\n")
    assert told(space.build()) == message


def test_a_word_that_nothing_shows_is_a_warning_with_the_nearest(space: Space) -> None:
    space.write(OWN, "hoome: Start\n")
    space.write("templates/strings/zh.yaml", "hoome: 起点\nhoome_one: 起点\n")
    text = told(space.build())
    assert (
        'templates/strings/en.yaml:1:1: warning[strings-unknown]: no page shows the text "hoome"\n'
        '    hoome: Start\n    ^^^^^\n  fix: did you mean "home"?'
    ) in text
    assert text.count("no page shows") == 3


def test_a_word_of_its_own_is_shown_by_its_template(space: Space) -> None:
    for language, word in (("zh", "备案"), ("en", "Registered")):
        space.write(f"templates/strings/{language}.yaml", f"registered: {word}\nof_a: x\n")
    space.write(
        "templates/base.html",
        '{% extends "diglot/base.html" %}{% block footer %}'
        '{{ words("registered") }}{{ words("of_" ~ "a") }}{% endblock %}',
    )
    assert told(space.build()) == ""
    assert "备案x" in space.page("zh")


def test_a_word_that_one_language_lacks_is_a_warning(space: Space) -> None:
    space.write(OWN, "registered: Registered\n")
    space.write(
        "templates/list.html",
        '{% extends "diglot/list.html" %}{% block main %}'
        '{% if page.language == "en" %}{{ words("registered") }}{% endif %}{% endblock %}',
    )
    result = space.build()
    assert errors(result) == []
    assert told(result) == (
        'templates/strings/zh.yaml: warning[strings-missing]: there is no text "registered", but '
        "templates/strings/en.yaml has one\n  fix: add a line `registered: …`."
    )


def test_a_file_of_words_that_nothing_reads_is_a_warning(space: Space) -> None:
    space.write("templates/strings/en.yml", "home: Start\n")
    assert told(space.build()) == (
        'templates/strings/en.yml: warning[file-name]: nothing reads "en.yml": diglot reads "en.yaml"\n'
        "  fix: rename it to templates/strings/en.yaml."
    )
