"""What differs between two states of a project, and which sentences to read again."""

from collections.abc import Mapping

import msgspec
import pytest

from diglot.comparing.changes import Changes, compare
from diglot.comparing.html_report import html_report
from diglot.comparing.markdown_report import MOST_CHARACTERS, markdown_report
from diglot.comparing.records import BoundValue, Facts, Sentence, ShownFigure, TextBlock, TextHalf
from diglot.comparing.text_report import text_report
from diglot.languages import Language


def sentence(template: str, numbers: Mapping[str, float], *, line: int = 7) -> Sentence:
    """A sentence from one with `{expression}` in it; `share` is shown in percent, `rate` in GB/s."""
    text, values = template, []
    for expression, number in numbers.items():
        if f"{{{expression}}}" not in template:
            continue
        key = expression.rpartition(".")[2]
        said = f"{number:.0%}" if key == "share" else f"{number:g} GB/s" if key == "rate" else f"{number:g}"
        dimension = {"share": "%", "rate": "B/s"}.get(key, f".{key}")
        value = BoundValue(expression=expression, text=said, line=line, number=number, dimension=dimension)
        values.append(value)
        text = text.replace(f"{{{expression}}}", said)
    return Sentence(text=text, template=template, values=tuple(values), line=line)


def facts(
    templates: Mapping[str, str] | str,
    numbers: Mapping[str, float],
    *,
    language: Language = "en",
    is_table: bool = False,
) -> Facts:
    """A project of one half, whose blocks are sentences by their id."""
    blocks = {"one": templates} if isinstance(templates, str) else templates
    half = TextHalf(
        article="a",
        kind="post",
        language=language,
        path=f"content/posts/a/{language}.md",
        blocks=tuple(
            TextBlock(
                id=id_,
                is_table=is_table,
                sentences=tuple(sentence(one, numbers) for one in text.split("\n")),
            )
            for id_, text in blocks.items()
        ),
    )
    return Facts(halves={f"a:{language}": half}, figures={}, files={}, chips={}, mistakes=())


def doubts(text: str, then: Mapping[str, float], now: Mapping[str, float], **settings: object) -> list[str]:
    """The messages about a text whose numbers have moved."""
    found = compare(facts(text, then, **settings), facts(text, now, **settings), threshold=0.05)  # type: ignore[arg-type]  # the settings are those of `facts`
    return [f"{one.rule}: {one.message}" for one in found.doubts]


# Words that may no longer hold


def test_a_percentage_that_crosses_half() -> None:
    said = doubts("Over half: {a.share}.", {"a.share": 0.52}, {"a.share": 0.48})
    assert said == ["half: `a.share` crossed 50%: 52% → 48%"]
    assert doubts("Over half: {a.share}.", {"a.share": 0.62}, {"a.share": 0.54}) == []


@pytest.mark.parametrize(
    ("expression", "then", "now", "message"),
    [
        ("a.share", 0.34, 1.09, "`a.share` crossed 100%: 34% → 109%"),
        ("a.rate / b.rate", 2.9, 0.9, "`a.rate / b.rate` crossed 1: 2.9 GB/s → 0.9 GB/s"),
        ("a.prefill_speedup", 1.2, 0.7, "`a.prefill_speedup` crossed 1: 1.2 → 0.7"),
        ("a.layers", 2, 0.5, ""),
        ("a.share", 0.08, -0.03, "`a.share` changed its sign: 8% → -3%"),
        ("a.layers", 2, 3, ""),
    ],
)
def test_what_says_which_of_two_is_more(expression: str, then: float, now: float, message: str) -> None:
    said = doubts(f"It is {{{expression}}}.", {expression: then}, {expression: now})
    assert said == ([f"ranking: {message}"] if message else [])


def test_what_a_figure_says_is_read_by_its_numbers() -> None:
    def said(text: str) -> Facts:
        one = Sentence(text=text, template="{said 0.0}", values=(), line=7, is_said=True)
        found = facts("", {})
        half = found.halves["a:en"]
        block = msgspec.structs.replace(half.blocks[0], sentences=(one,))
        return msgspec.structs.replace(found, halves={"a:en": msgspec.structs.replace(half, blocks=(block,))})

    def told(then: str, now: str) -> list[str]:
        return [one.message for one in compare(said(then), said(now), threshold=0.05).doubts]

    assert told("A needs 213, B needs 614, C 9 ms.", "A needs 735, B needs 614, C 9 ms.") == [
        "in what the figure says, the order was reversed: 213 < 614 → 735 > 614"
    ]
    assert told("A uses 58% of it.", "A uses 45% of it.") == [
        "in what the figure says, a number crossed 50%: 58% → 45%"
    ]
    assert told("A needs 213, B needs 614.", "A needs 735.") == [], "it says something else"


def test_an_order_that_turns_over() -> None:
    text = "{a.rate} beats {b.rate}."
    said = doubts(text, {"a.rate": 5, "b.rate": 4}, {"a.rate": 3, "b.rate": 4})
    assert said == ["ranking: the order was reversed: 5 GB/s > 4 GB/s → 3 GB/s < 4 GB/s (`a.rate`, `b.rate`)"]
    assert doubts(text, {"a.rate": 5, "b.rate": 4}, {"a.rate": 6, "b.rate": 4}) == []


def test_numbers_of_other_kinds_have_no_order() -> None:
    text = "{a.layers} layers in {a.seconds} seconds, {b.share}."
    then, now = (
        {"a.layers": 5, "a.seconds": 4, "b.share": 0.1},
        {"a.layers": 3, "a.seconds": 4, "b.share": 0.1},
    )
    assert doubts(text, then, now) == []


def test_rows_of_a_table_are_one_ranking() -> None:
    text = "H200 | {a.rate}\nv6e | {b.rate}"
    then, now = {"a.rate": 5, "b.rate": 4}, {"a.rate": 3, "b.rate": 4}
    assert len(doubts(text, then, now, is_table=True)) == 1
    assert doubts(text, then, now) == []  # two sentences


@pytest.mark.parametrize(
    ("language", "text", "now", "word", "ratio"),
    [
        ("en", "Twice as fast: {a.rate} against {b.rate}.", 3.4, "Twice", "1.7"),
        ("zh", "是{b.rate}的两倍：{a.rate}。", 3.4, "两倍", "1.7"),
        ("en", "Half of it: {b.rate} of {a.rate}.", 6, "Half", "3"),
        ("en", "Twice as fast: {a.rate} against {b.rate}.", 4.0, "", ""),
        ("en", "Three times as fast: {a.rate} against {b.rate}.", 3.4, "", ""),
    ],
)
def test_a_ratio_in_words_that_moves_away(
    language: Language, text: str, now: float, word: str, ratio: str
) -> None:
    found = doubts(text, {"a.rate": 4.2, "b.rate": 2}, {"a.rate": now, "b.rate": 2}, language=language)
    said = f"ratio: “{word}”: `a.rate` ÷ `b.rate` was 2.1, and is {ratio} now"
    assert found == ([said] if word else [])


def test_a_ratio_that_the_figure_computes() -> None:
    said = doubts("A factor of {a.gain}, so twice.", {"a.gain": 2.0}, {"a.gain": 1.7})
    assert said == ["ratio: “twice”: `a.gain` was 2, and is 1.7 now"]


def test_values_in_the_sentence_before_count_for_a_word() -> None:
    text = "It moves {a.rate}.\nThe other one moves {b.rate}, so this is twice as fast."
    assert len(doubts(text, {"a.rate": 4, "b.rate": 2}, {"a.rate": 3, "b.rate": 2})) == 1


def test_a_sentence_that_its_author_changed_is_not_doubted() -> None:
    then = facts("Over half: {a.share}.", {"a.share": 0.52})
    now = facts("Under half: {a.share}.", {"a.share": 0.48})
    found = compare(then, now, threshold=0.05)
    assert found.doubts == ()
    (block,) = found.blocks
    assert [(one.before, one.after) for one in block.sentences["en"]] == [
        ("Over half: 52%.", "Under half: 48%.")
    ]


# Sentences and values


def changes(then: Facts, now: Facts) -> Changes:
    """The changes with the default threshold."""
    return compare(then, now, threshold=0.05)


def test_the_same_is_no_change() -> None:
    one = facts("Over half: {a.share}.", {"a.share": 0.52})
    assert changes(one, one).is_empty
    assert [*text_report(changes(one, one))] == []


def test_values_beyond_the_threshold_come_first_and_apart_from_the_others() -> None:
    text = "{a.rate}, {b.rate} and {c.rate}."
    then, now = {"a.rate": 100, "b.rate": 100, "c.rate": 100}, {"a.rate": 101, "b.rate": 110, "c.rate": 50}
    lines = [*text_report(changes(facts(text, then), facts(text, now)))]
    values = lines[lines.index("Values") + 1 : lines.index("Sentences") - 1]
    assert [one.partition(" (")[0] for one in values if "content/" not in one] == [
        "  c.rate: 100 GB/s → 50 GB/s",
        "  b.rate: 100 GB/s → 110 GB/s",
        "  and by no more than the threshold:",
        "  a.rate: 100 GB/s → 101 GB/s",
    ]


def test_a_new_block_shifts_no_other() -> None:
    then = facts({"one": "First {a.rate}.", "two": "Second {b.rate}."}, {"a.rate": 1, "b.rate": 2})
    now = facts(
        {"one": "First {a.rate}.", "new": "Between.", "two": "Second {b.rate}."}, {"a.rate": 1, "b.rate": 3}
    )
    found = changes(then, now)
    told = [(one.id, [(s.before, s.after) for s in one.sentences["en"]]) for one in found.blocks]
    assert told == [("new", [("", "Between.")]), ("two", [("Second 2 GB/s.", "Second 3 GB/s.")])]
    (value,) = found.values
    assert (value.expression, value.texts["en"], value.share) == ("b.rate", ("2 GB/s", "3 GB/s"), 0.5)
    assert value.places == ("content/posts/a/en.md:7",)


def test_values_beyond_the_threshold_come_first_and_the_largest_on_top() -> None:
    text = "{a.rate} {b.rate} {c.rate} {d.rate}"
    then = dict.fromkeys(("a.rate", "b.rate", "c.rate", "d.rate"), 100.0)
    now = {"a.rate": 101.0, "b.rate": 110.0, "c.rate": 50.0, "d.rate": 100.0}
    found = changes(facts(text, then), facts(text, now)).values
    assert [(one.expression, one.is_large) for one in found] == [
        ("c.rate", True),
        ("b.rate", True),
        ("a.rate", False),
    ]


def test_a_value_that_reads_the_same_has_not_changed() -> None:
    text = "Over half: {a.share}."
    assert changes(facts(text, {"a.share": 0.521}), facts(text, {"a.share": 0.519})).is_empty


def test_reports_keep_what_authors_write_as_text() -> None:
    text = "<script>alert(1)</script> | @all *{a.rate}* [x](y)"
    found = changes(facts(text, {"a.rate": 1}), facts(text, {"a.rate": 2}))
    page, comment = html_report(found, "<main>"), markdown_report(found, "main")
    assert "<script>" not in page
    assert "Changes since &lt;main&gt;" in page
    assert comment.startswith("**diglot diff** against `main`: changed: 1 value, 1 sentence.\n")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; \\| @\N{WORD JOINER}all \\*2 GB/s\\* \\[x\\](y)" in comment


def test_expressions_in_a_comment_are_code() -> None:
    text = "Over half: {a.share | percent}, {a_b.share}."
    then, now = {"a.share | percent": 0.1, "a_b.share": 0.52}, {"a.share | percent": 0.1, "a_b.share": 0.48}
    comment = markdown_report(changes(facts(text, then), facts(text, now)), "main")
    assert "<code>a\\_b.share</code> crossed 50%: 52% → 48%" in comment
    assert "| <code>a\\_b.share</code> | 52% → 48% |" in comment


def test_a_comment_is_no_longer_than_it_may_be() -> None:
    text = "\n".join(f"Sentence {n} has {{a.rate}}, and some words of its own." for n in range(2000))
    found = changes(facts(text, {"a.rate": 1}), facts(text, {"a.rate": 2}))
    comment = markdown_report(found, "main")
    assert MOST_CHARACTERS - 500 < len(comment) < MOST_CHARACTERS + 500
    assert comment.endswith("`diglot diff --html` shows everything.")


def test_marks_are_at_whole_numbers_also_between_han_characters() -> None:
    text = "H200的屋顶在{a.rate}处，H100在别处。"
    found = changes(facts(text, {"a.rate": 4.8}, language="zh"), facts(text, {"a.rate": 4.4}, language="zh"))
    page = html_report(found, "main")
    assert "H200的屋顶在<del>4.8</del> GB/s处，H100在别处。" in page
    assert "H200的屋顶在<ins>4.4</ins> GB/s处，H100在别处。" in page


def test_a_picture_stands_before_and_after_with_ids_of_its_own() -> None:
    def with_figure(number: int) -> Facts:
        svg = f'<svg><g id="clip"/><use href="#clip"/><rect clip-path="url(#clip)" width="{number}"/></svg>'
        shown = ShownFigure(
            script="figures/f.py",
            parameters=(),
            data={"x": number},
            rows=(),
            files=(),
            pictures={"en": svg},
        )
        return Facts(halves={}, figures={"f": shown}, files={}, chips={}, mistakes=())

    page = html_report(changes(with_figure(1), with_figure(2)), "main")
    for word, number in (("before", 1), ("after", 2)):
        name = f"en-{word}-clip"
        assert (
            f'<g id="{name}"/><use href="#{name}"/><rect clip-path="url(#{name})" width="{number}"/>' in page
        )


# What figures rest on


def with_chip(changed: Mapping[str, object], *rows: str) -> Facts:
    """A project with a chip, and a figure that has read some rows of the catalogue."""
    chip = {"id": "one", "name": "One", "memory": {"bandwidth": {"value": 4}, "capacity": {"value": 80}}}
    shown = ShownFigure(
        script="figures/f.py",
        parameters=(),
        data={"x": len(changed)},
        rows=tuple(f"diglot.hardware.chips.loading:digest_rows#{row}" for row in rows),
        files=("site/hardware/a.yaml",),
        pictures={},
    )
    file = "site/hardware/a.yaml"
    files, chips = {file: str(changed)}, {f"{file}#one": chip | changed}
    return Facts(halves={}, figures={"f": shown}, files=files, chips=chips, mistakes=())


FASTER = {"memory": {"bandwidth": {"value": 5}, "capacity": {"value": 80}}}


@pytest.mark.parametrize(
    ("rows", "changed", "is_told"),
    [
        (["quantity:one:memory.bandwidth"], FASTER, True),
        (["quantity:one:memory.capacity"], FASTER, False),
        (["quantities:one"], FASTER, True),
        (["quantity:one:clock.boost"], {"clock": {"boost_ghz": {"value": 1}}}, True),
        (["prices:one"], {"prices": [{"usd_per_chip_hour": 2}]}, True),
        (["quantity:one:memory.bandwidth"], {"prices": [{"usd_per_chip_hour": 2}]}, False),
        ([], {"name": "Two"}, True),
    ],
)
def test_a_figure_rests_on_what_it_has_read_of_a_changed_chip(
    rows: list[str], changed: Mapping[str, object], is_told: bool
) -> None:
    then, now = with_chip({}, "chip:one", *rows), with_chip(changed, "chip:one", *rows)
    (figure,) = compare(then, now, threshold=0.05).figures
    assert figure.rests_on == (("site/hardware/a.yaml#one",) if is_told else ())


def test_a_figure_whose_defaults_are_spelled_out_is_the_same_figure() -> None:
    def with_value(number: int) -> Facts:
        def shown(dtype: str) -> ShownFigure:
            return ShownFigure(
                script="figures/f.py",
                parameters=(("dtype", dtype),),
                data={"x": number},
                rows=(),
                files=(),
                pictures={},
            )

        figures = {"f": shown("bf16"), "f?dtype=bf16": shown("bf16"), "f?dtype=fp8": shown("fp8")}
        return Facts(halves={}, figures=figures, files={}, chips={}, mistakes=())

    found = changes(with_value(1), with_value(2)).figures
    assert [one.request for one in found] == ["f", "f?dtype=fp8"]
