"""Strict YAML: what files mean, and the diagnostics for what it rejects."""

import datetime
import math

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.languages import Bilingual
from diglot.strict_yaml import Fields, read_mapping, why_no_date


def value_of(scalar: str) -> object:
    return read_mapping(f"key: {scalar}", "site.yaml").values["key"]


def mistakes_of(text: str, *, first_line: int = 1) -> str:
    with pytest.raises(DiagnosticError) as caught:
        read_mapping(text, "site.yaml", first_line=first_line)
    return str(caught.value)


def fields_of(text: str, *, first_line: int = 1) -> Fields:
    return Fields(read_mapping(text, "site.yaml", first_line=first_line))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("off", "off"),
        ("true", True),
        ("false", False),
        ("12:30", "12:30"),
        ("1:1", "1:1"),
        ("010", 10),
        ("0x1F", 31),
        ("0o17", 15),
        ("1e3", 1000.0),
        ("1.5", 1.5),
        ("-.5", -0.5),
        (".inf", math.inf),
        ("1_000", "1_000"),
        ("~", None),
        ("", None),
        ("2026-11-20", datetime.date(2026, 11, 20)),
        ("2026-11-20 10:00", "2026-11-20 10:00"),
        ('"2026-11-20"', "2026-11-20"),
        ("'no'", "no"),
        ("[a, 1]", ["a", 1]),
        ("{zh: 中, en: x}", {"zh": "中", "en": "x"}),
        ("<<", "<<"),
    ],
)
def test_a_scalar_means_what_it_looks_like(written: str, meant: object) -> None:
    found = value_of(written)
    assert found == meant
    assert type(found) is type(meant)


def test_every_key_and_item_knows_its_line() -> None:
    mapping = read_mapping("title: a\nlinks:\n  - name: x\n  -\n    name: y\n", "site.yaml", first_line=2)
    assert mapping.line_of("title") == 2
    assert mapping.line_of("links", 1, "name") == 6
    assert mapping.line_of("links", 0, "unheard") == 4, "the nearest thing around it"
    assert mapping.source_line(2) == "title: a"


def test_an_empty_text_is_an_empty_mapping() -> None:
    assert read_mapping("", "site.yaml").values == {}
    assert read_mapping("# nothing yet\n", "site.yaml").values == {}


def test_a_key_that_stands_twice_is_refused_with_both_lines() -> None:
    assert mistakes_of("a: 1\nb: 2\na: 3\n") == (
        'site.yaml:3:1: error[yaml-duplicate-key]: the key "a" is repeated, first on line 1\n    a: 3\n'
        "    ^\n  fix: keep one of them."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "title: GPU: a story",
            "site.yaml:1:11: error[yaml-syntax]: invalid YAML: a second colon in an unquoted text\n"
            "    title: GPU: a story\n              ^\n"
            '  fix: put the text in quotes: title: "GPU: a story"',
        ),
        (
            "a: x\n\tb: y",
            "site.yaml:2:1: error[yaml-syntax]: invalid YAML: a tab where only spaces are allowed\n    b: y\n"
            "  fix: indent with spaces.",
        ),
        (
            "title：中文\ndate: 2026-01-01",
            "site.yaml:1: error[yaml-syntax]: invalid YAML: a line without a colon\n    title：中文\n"
            "  fix: write each key as `key: value`, with an ASCII colon followed by a space.",
        ),
        (
            "title: {eval}`x.y` 倍",
            "site.yaml:1:14: error[yaml-syntax]: invalid YAML: a text must not begin with this character\n"
            "    title: {eval}`x.y` 倍\n                 ^\n"
            '  fix: put the text in quotes: title: "{eval}`x.y` 倍"',
        ),
        (
            "a: 'x\nb: 1",
            "site.yaml:1:4: error[yaml-syntax]: invalid YAML: a quotation mark is never closed\n"
            "    a: 'x\n       ^\n"
            "  fix: close it on the same line.",
        ),
        (
            "a: [1,\nb: 2",
            "site.yaml:1:4: error[yaml-syntax]: invalid YAML: a { or [ is never closed\n    a: [1,\n"
            "       ^\n"
            "  fix: close it, or put a text that begins with { or [ in quotes.",
        ),
        (
            "a: 1\n  b: 2",
            "site.yaml:2:4: error[yaml-syntax]: invalid YAML: an indented key below a key that has a "
            "value\n    b: 2\n     ^\n"
            "  fix: indent it like the keys around it.",
        ),
        (
            "- a\n- b",
            "site.yaml:1:1: error[yaml-syntax]: expected `key: value` lines, found a list\n    - a\n    ^\n"
            "  fix: write each key as `key: value`, with an ASCII colon followed by a space.",
        ),
        (
            "a: 2026-02-30",
            "site.yaml:1:4: error[yaml-date]: the date 2026-02-30 does not exist\n    a: 2026-02-30\n"
            "       ^\n"
            "  fix: February 2026 has 28 days.",
        ),
    ],
)
def test_broken_syntax_gets_its_place_its_line_and_a_fix(text: str, told: str) -> None:
    assert mistakes_of(text) == told


@pytest.mark.parametrize(
    "text", ["a: &x [*x]", "a: &x 1\nb: *x", "a: !!python/name:os.system 1", "? [a]\n: 1"]
)
def test_aliases_tags_and_keys_that_are_no_words_are_refused(text: str) -> None:
    assert "fix:" in mistakes_of(text)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("a: !foo 1", "!foo"),
        ("a: !!binary eA==", "!!binary"),
        ("a: !!python/object/apply:os.system [id]", "!!python/object/apply:os.system"),
        ("a: {b: !!set {x}}", "!!set"),
        ("a: !!omap [b: 1]", "!!omap"),
        ("a: !foo {b: 1}", "!foo"),
        ("a: !foo\n  - 1", "!foo"),
        ("!foo\na: 1", "!foo"),
        ("!foo a: 1", "!foo"),
        ("!!python/name:os.system a: 1", "!!python/name:os.system"),
    ],
)
def test_a_tag_is_refused_at_whatever_it_stands(text: str, tag: str) -> None:
    assert f'error[yaml-tag]: the tag "{tag}" is not supported' in mistakes_of(text)


def test_tags_that_say_what_is_there_are_read() -> None:
    text = "!!map\na: !!seq [1]\nb: !!map {c: 1}\n!!str d: !!str 5\n6: !!int 7\n"
    assert read_mapping(text, "site.yaml").values == {"a": [1], "b": {"c": 1}, "d": "5", "6": 7}


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "a: " + "- " * 100_000, "{a: " * 100_000, "a: \x07", "1" * 5000]
)
def test_hostile_text_is_refused_and_nothing_worse(text: str) -> None:
    assert "site.yaml:" in mistakes_of(text)


def test_fields_are_read_with_their_types() -> None:
    fields = fields_of(
        "title: GPU\ndate: 2026-11-20\ndraft: true\ntags: [a, b]\none: alone\nkind: post\nn: 3\nx: 1.5\n"
    )
    assert fields.text("title") == "GPU"
    assert fields.date("date") == datetime.date(2026, 11, 20)
    assert fields.flag("draft") is True
    assert fields.texts("tags") == ("a", "b")
    assert fields.texts("one") == ("alone",)
    assert fields.choice("kind", ("post", "page")) == "post"
    assert fields.integer("n") == 3
    assert fields.number("x") == 1.5
    assert fields.text("unheard", "default") == "default"
    fields.finish()
    assert fields.diagnostics == ()


def test_wrong_types_name_key_line_and_fix_and_are_all_collected() -> None:
    fields = fields_of(
        "title: [a]\ndate: yesterday\ndraft: no\ntags: [2024, x]\nkind: pots\nn: many\n", first_line=2
    )
    fields.text("title")
    fields.date("date")
    fields.flag("draft")
    fields.texts("tags")
    fields.choice("kind", ("post", "page"))
    fields.integer("n")
    assert [str(d) for d in fields.diagnostics] == [
        "site.yaml:2:8: error[field-type]: title: expected text, found a list\n    title: [a]\n           ^",
        'site.yaml:3:7: error[field-type]: date: expected a date, found the text "yesterday"\n'
        "    date: yesterday\n          ^^^^^^^^^\n"
        "  fix: write it without quotes and without a time, as in `date: 2026-11-20`.",
        'site.yaml:4:8: error[field-type]: draft: expected true or false, found the text "no"\n'
        "    draft: no\n           ^^\n"
        "  fix: write `draft: true` or `draft: false`.",
        "site.yaml:5:8: error[field-type]: tags[0]: expected text, found the number 2024\n"
        "    tags: [2024, x]\n           ^\n"
        "  fix: put it in quotes.",
        'site.yaml:6:7: error[field-type]: kind: expected one of post, page, found the text "pots"\n'
        "    kind: pots\n          ^^^^\n"
        '  fix: did you mean "post"?',
        'site.yaml:7:4: error[field-type]: n: expected a whole number, found the text "many"\n'
        "    n: many\n       ^^^^\n"
        "  fix: write it in digits, without a unit and without quotes.",
    ]
    with pytest.raises(DiagnosticError):
        fields.raise_mistakes()


def test_an_unknown_key_gets_the_nearest_known_one() -> None:
    fields = fields_of("titel: a\n")
    fields.text("title")
    fields.finish()
    assert str(fields.diagnostics[0]) == (
        'site.yaml:1:1: error[field-unknown]: unknown key "titel"\n    titel: a\n    ^^^^^\n'
        '  fix: did you mean "title"?'
    )


def test_a_missing_key_is_reported_where_the_mapping_begins() -> None:
    fields = fields_of("title:\n", first_line=2)
    fields.require("title", "date")
    assert [(d.rule, d.message, d.location and d.location.line) for d in fields.diagnostics] == [
        ("field-missing", "title is missing", 2),
        ("field-missing", "date is missing", 2),
    ]


def test_nested_mappings_and_lists_are_read_in_the_same_way() -> None:
    fields = fields_of(
        "tags:\n  gpu: {zh: 显卡, en: GPUs}\n  tpu: TPU\n"
        "authors:\n  - name: A\n    mial: x\n  - name: [B]\n"
        "  - just text\n"
    )
    tags = fields.nested("tags")
    assert tags is not None
    assert {key: tags.bilingual(key) for key in tags} == {
        "gpu": Bilingual(zh="显卡", en="GPUs"),
        "tpu": Bilingual(zh="TPU", en="TPU"),
    }
    names = [(author.text("name"), author.text("mail")) for author in fields.items("authors")]
    assert names == [("A", None), (None, None)]
    fields.finish()
    assert [(d.message, d.location and d.location.line) for d in fields.diagnostics] == [
        ('authors[2]: expected a mapping of `key: value` lines, found the text "just text"', 8),
        ("authors[1].name: expected text, found a list", 7),
        ('unknown key "authors[0].mial"', 6),
    ]


def test_a_bilingual_text_wants_both_languages_and_no_third() -> None:
    fields = fields_of("title: {zh: 中文, fr: non}\n")
    assert fields.bilingual("title") is None
    fields.finish()
    assert [d.message for d in fields.diagnostics] == [
        "title.en is missing",
        'title: "fr" is not a language of the site',
    ]


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("2026-11-31", "November has 30 days."),
        ("2027-02-29", "February 2027 has 28 days."),
        ("2026-13-01", "months are 01 to 12: write the date as YYYY-MM-DD."),
        ("2026-12-00", "write the date as YYYY-MM-DD."),
        ("0000-01-01", "write the date as YYYY-MM-DD."),
    ],
)
def test_a_date_that_does_not_exist_is_told_why(written: str, fix: str) -> None:
    assert why_no_date(written) == fix
