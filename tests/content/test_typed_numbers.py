"""Which numbers in prose have to come from a figure or a source, and which are free."""

import json
import re
from typing import Any

import pytest

from diglot.content.computed_numbers import KnownNumbers, Numbers
from diglot.content.document import parse_text
from diglot.content.front_matter import parse_front_matter
from diglot.content.prose import without_stand_ins
from diglot.content.sums import report_wrong_sums
from diglot.content.typed_numbers import Half, find_bindings, report_typed_numbers, typed_numbers
from diglot.content.value_units import report_odd_units
from diglot.expressions.numbers_of import numbers_of
from diglot.languages import Language
from diglot.render.values import Values

DATA = (
    b'{"h200": {"ridge": 206.2, "peak_fraction": 0.974, "memory_bytes_per_s": 4.8e12, "on": true}, "a-b": 1,'
    b' "tpu_v6e": {"bandwidth": 1.64e12, "cache": 8.2e9, "wait": 0.0042}}'
)
NUMBERS = numbers_of("roofline", DATA)


def half_of(text: str, language: Language, title: str = "x") -> Half:
    path = f"content/posts/a/{language}.md"
    matter = f"---\ntitle: {title}\ndate: 2026-01-01\n---\n\n"
    return Half(parse_text(matter + text, path, language).tree, parse_front_matter(matter, path, language))


def typed(text: str, language: Language, title: str = "x") -> list[str]:
    return [one.quantity.text for one in typed_numbers(half_of(text, language, title))]


def warnings(text: str, language: Language = "en") -> list[tuple[str, str]]:
    return [
        (one.rule, one.fix) for one in report_typed_numbers(half_of(text, language), KnownNumbers(NUMBERS))
    ]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("It takes 3 ms.", "en", ["3 ms"]),
        ("要3毫秒。", "zh", ["3毫秒"]),
        ("占市场的20-25%。", "zh", ["20-25%"]),
        ("快2–4 倍。", "zh", ["2–4 倍"]),
        ("Twice as fast.", "en", ["Twice"]),
        ("只剩三分之一。", "zh", ["三分之一"]),
        ("用了1.2 万颗芯片。", "zh", ["1.2 万颗芯片"]),
        ("![takes 3 ms](a.png)", "en", ["3 ms"]),
        ("| a |\n|---|\n| 3 ms |", "en", ["3 ms"]),
        ("It takes 3 ms. [Others](https://a.org) say 4 ms.", "en", ["3 ms"]),
        ("A note.[^a]\n\n[^a]: It takes 3 ms.", "en", ["3 ms"]),
        ("It takes {cite-number}`3 ms|https://a.org`, not 4 ms.", "en", ["4 ms"]),
        ("It takes 4 ms, not {cite-number}`3 ms|a`.\n\n[^a]: As [said](https://a.org).", "en", ["4 ms"]),
    ],
)
def test_a_typed_number(text: str, language: Language, found: list[str]):
    assert typed(text, language) == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It takes {eval}`a.time_ms | number(1)` ms.", "en"),
        ("见[1]与［2］。", "zh"),
        ("见【2】、［1，2］和［3－5］，又见〔4；6〕。", "zh"),
        ("It takes 3 ms ([measured](https://a.org)).", "en"),
        ("It takes 3 ms.[^a]\n\n[^a]: As [measured](https://a.org): 2.9 ms.", "en"),
        ("It takes {cite-number}`3 ms|https://a.org`.", "en"),
        ("要{cite-number}`3毫秒|a`。\n\n[^a]: 见[文](https://a.org)。", "zh"),
        ("| a | b |\n|---|---|\n| 3 ms | [x](https://a.org) |", "en"),
        ("In 2025, Llama 3 70B ran on H100; see figure 3 and version 1.2.", "en"),
        ("2025年第3季度，见图3。", "zh"),
        ("Arrays of 128×128, with 2:4 sparsity.", "en"),
        ("Three models and eight chips.", "en"),
        ("`3 ms` and $t = 3$.", "en"),
        ("At {eval}`a.b` it is twice as fast.", "en"),
        ("```python\nt = 3  # 3 ms\n```", "en"),
        ("It takes 3 ms\nas [measured](https://a.org).", "en"),
    ],
)
def test_bound_cited_and_free_numbers(text: str, language: Language):
    assert typed(text, language) == []


@pytest.mark.parametrize(
    ("text", "rule", "fix"),
    [
        (
            "H200’s ridge is at 206 FLOP/B.",
            "number-typed",
            "write {eval}`roofline.h200.ridge | number(0)` FLOP/B, in both",
        ),
        (
            "It reaches 97% of the peak.",
            "number-typed",
            "write {eval}`roofline.h200.peak_fraction | percent`, in",
        ),
        ("It reaches 97.4%.", "number-typed", "write {eval}`roofline.h200.peak_fraction | percent(1)`, in"),
        (
            "H200 has 4.8 TB/s.",
            "number-typed",
            'write {eval}`roofline.h200.memory_bytes_per_s | unit("TB/s", 1)`',
        ),
        (
            "H200 has 4.9 TB/s.",
            "number-differs",
            'write {eval}`roofline.h200.memory_bytes_per_s | unit("TB/s", 1)`',
        ),
        (
            "The TPU v6e reads 1.7 TB/s.",
            "number-differs",
            'write {eval}`roofline.tpu_v6e.bandwidth | unit("TB/s", 1)` if',
        ),
        ("The TPU v6e reads 8.2 GB.", "number-typed", 'write {eval}`roofline.tpu_v6e.cache | unit("GB", 1)`'),
        ("The TPU v6e waits 4.2 ms.", "number-typed", 'write {eval}`roofline.tpu_v6e.wait | unit("ms", 1)`'),
        ("It takes 17 ms.", "number-unbound", "compute it in a figure"),
        ("It reaches 12%.", "number-unbound", "compute it in a figure"),
    ],
)
def test_what_to_write_instead(text: str, rule: str, fix: str):
    ((found, told),) = warnings(text)
    assert found == rule
    assert told.startswith(fix)


@pytest.mark.parametrize(
    ("text", "language", "typed", "expression"),
    [
        ("It reaches 97.4 % of it.", "en", "97.4 %", "roofline.h200.peak_fraction | percent(1)"),
        ("It reaches 97 percent of it.", "en", "97", "(roofline.h200.peak_fraction * 100) | number(0)"),
        ("达到97%。", "zh", "97%", "roofline.h200.peak_fraction | percent"),
        ("达到97％。", "zh", "97％", "roofline.h200.peak_fraction | percent"),
        ("要12.5毫秒。", "zh", "12.5", "(a.step_s * 1000) | number(1)"),
        ("It takes 12.5 milliseconds.", "en", "12.5", "(a.step_s * 1000) | number(1)"),
        ("It takes 12.5 ms.", "en", "12.5 ms", 'a.step_s | unit("ms", 1)'),
        ("用了1.23万个词元。", "zh", "1.23", "(a.all_tokens / 10000) | number(2)"),
        ("It has 12.3K tokens.", "en", "12.3", "(a.all_tokens / 1000) | number(1)"),
        ("It has 12,345 tokens.", "en", "12,345", "a.all_tokens | number(0)"),
    ],
)
def test_words_and_precision_stay(text: str, language: Language, typed: str, expression: str):
    numbers = (*NUMBERS, ("a.step_s", 0.0125), ("a.all_tokens", 12345.0))
    (found,) = find_bindings(half_of(text, language), numbers)
    assert (found.typed, found.expression) == (typed, f"{{eval}}`{expression}`")


def test_titles_and_html_are_prose():
    assert typed("", "en", title="It takes 3 ms") == ["3 ms"]
    assert typed("", "en", title="It takes {eval}`a.time_ms | number(1)` ms") == []
    assert typed("<p>It takes 3 ms.</p>", "en") == ["3 ms"]


def test_what_front_matter_says_is_reported_on_its_line():
    half = half_of("x", "en", title="It takes 17 ms.")
    (known,) = report_typed_numbers(half._replace(lines={"title": 2}), KnownNumbers(NUMBERS))
    (unknown,) = report_typed_numbers(half, KnownNumbers(NUMBERS))
    assert known.location is not None
    assert unknown.location is not None
    assert (known.location.line, unknown.location.line) == (2, 1)


def test_a_title_may_say_what_the_body_cites():
    body = "It takes 3 ms ([measured](https://a.org)). Or 4 ms."
    assert typed(body, "en", title="It takes 3 ms") == ["4 ms"]
    assert typed(body, "en", title="It takes 4 ms") == ["4 ms", "4 ms"]


def test_a_number_that_a_figure_nearly_computes_is_an_error():
    (found,) = report_typed_numbers(half_of("H200 has 4.9 TB/s.", "en"), KnownNumbers(NUMBERS))
    assert (found.rule, found.severity) == ("number-differs", "error")


def test_numbers_of_data_have_paths():
    assert NUMBERS == (
        ("roofline.h200.ridge", 206.2),
        ("roofline.tpu_v6e.wait", 0.0042),
        ("roofline.tpu_v6e.cache", 8.2e9),
        ("roofline.tpu_v6e.bandwidth", 1.64e12),
        ("roofline.h200.peak_fraction", 0.974),
        ("roofline.h200.memory_bytes_per_s", 4.8e12),
    )


@pytest.mark.parametrize(
    ("text", "language", "right"),
    [
        ("It falls from {eval}`a.b | percent`\nto 55%, a drop of 32 points.", "en", ["42 points"]),
        ("从{eval}`a.b | percent`掉到55%，掉了32个百分点。", "zh", ["42个百分点"]),
        ("It falls from {eval}`a.b | percent` to 55%, a drop of 43 points.", "en", []),
        ("It falls from 97% to 55%, a drop of 43 points.", "en", ["42 points"]),
        ("It has {eval}`a.b | percent`, and 3 × 4 = 13.", "en", ["12"]),
        ("It falls from {eval}`a.c` to 55%, a drop of 32 points.", "en", []),
        ("| a |\n|---|\n| 3 × 4 = 13 |", "en", ["12"]),
    ],
)
def test_sums_with_values_filled_in(text: str, language: Language, right: list[str]):
    found = [*report_wrong_sums(half_of(text, language), {"a.b | percent": "97%"}.get)]
    assert [one.fix.partition(",")[0] for one in found] == [f"write {one}" for one in right]
    assert {one.rule for one in found} <= {"number-sum"}


@pytest.mark.parametrize(
    ("text", "language", "odd"),
    [
        ("{eval}`a.h200.peak_tflops_per_s | number(0)` GB/s.", "en", ["GB/s"]),
        ("{eval}`a.h200.peak_tflops_per_s | number(0)`&nbsp;TFLOP/s。", "zh", []),
        ("{eval}`a.time_ms | number(1)`秒。", "zh", ["秒"]),
        ('{eval}`a.time_s | unit("ms", 1)`, {eval}`(a.time_s * 1000) | number(1)` ms.', "en", []),
        (
            '{eval}`a.x.ridge` FLOP/B, {eval}`a.y.ridge` FLOP/B, {eval}`a(p="q").z.ridge` FLOP/s.',
            "en",
            ["FLOP/s"],
        ),
        ("{eval}`a.x.ridge` FLOP/B, {eval}`b.x.ridge` FLOP/s.", "en", []),
        ("{eval}`a.x.all` ms, {eval}`a.y.all` s.", "en", ["ms", "s"]),
        ("{eval}`a.usd_per_chip_hour` USD an hour, later {eval}`a.usd_per_chip_hour` USD.", "en", []),
        ("{eval}`a.x.latency_ms` ms a token, {eval}`a.y.latency_ms` ms.", "en", []),
        ("{eval}`a.x.memory_gb` GB/s.", "en", ["GB/s"]),
        ("租金{eval}`a.rents.list`美元，{eval}`a.days.list`天。", "zh", []),
        ("{eval}`a.x.count`行，{eval}`a.y.count`列。", "zh", []),
    ],
)
def test_units_that_values_cannot_have(text: str, language: Language, odd: list[str]):
    found = [*report_odd_units(half_of(text, language))]
    assert [one.message.partition("”")[0].removeprefix("“") for one in found] == odd
    assert {one.rule for one in found} <= {"number-unit"}


BEFORE = (
    ("roofline.h200.ridge", 183.4),
    ("roofline.h200.peak_fraction", 0.91),
    ("roofline.h200.memory_bytes_per_s", 4.0e12),
    ("roofline.v5p.ridge", 331.0),
    ("roofline.h200.lanes", 12.0),
    ("roofline.h200.near", 206.24),
)
NOW = (*NUMBERS, ("roofline.h200.lanes", 16.0), ("roofline.h200.near", 206.17))


@pytest.mark.parametrize(
    ("text", "language", "message", "written"),
    [
        (
            "H200’s ridge is at 183 FLOP/B.",
            "en",
            "“183 FLOP/B” is typed, and was roofline.h200.ridge, which is 206 FLOP/B now",
            "{eval}`roofline.h200.ridge | number(0)` FLOP/B",
        ),
        (
            "脊点在183 FLOP/B。",
            "zh",
            "which is 206 FLOP/B now",
            "{eval}`roofline.h200.ridge | number(0)` FLOP/B",
        ),
        ("It reaches 91%.", "en", "which is 97% now", "{eval}`roofline.h200.peak_fraction | percent`"),
        (
            "达到峰值的百分之91。",
            "zh",
            "which is 百分之97 now",
            "百分之{eval}`(roofline.h200.peak_fraction * 100) | number(0)`",
        ),
        ("达到91％。", "zh", "which is 97％ now", "{eval}`roofline.h200.peak_fraction | percent`"),
        (
            "H200 has 4.0 TB/s.",
            "en",
            "which is 4.8 TB/s now",
            '{eval}`roofline.h200.memory_bytes_per_s | unit("TB/s", 1)`',
        ),
        (
            "每秒4000 GB/s。",
            "zh",
            "which is 4,800 GB/s now",
            '{eval}`roofline.h200.memory_bytes_per_s | unit("GB/s")`',
        ),
        (
            "| H200 |\n|---|\n| 183.4 |",
            "en",
            "which is 206.2 now",
            "{eval}`roofline.h200.ridge \\| number(1)`",
        ),
        ("- H200: 12 lanes", "en", "which is 16 now", "{eval}`roofline.h200.lanes | number(0)`"),
        ("> H200 needs 183.", "en", "which is 206 now", "{eval}`roofline.h200.ridge | number(0)`"),
        ("v5p’s ridge is at 331 FLOP/B.", "en", "which no figure computes any more", ""),
        ("It takes 12 ms.", "en", "", ""),  # a short number, with no word of the path
        ("H200 takes 5 ms.", "en", "", ""),
    ],
)
def test_a_number_that_was_a_figures_value(text: str, language: Language, message: str, written: str):
    (found,) = report_typed_numbers(half_of(text, language), KnownNumbers(NOW, BEFORE))
    assert (found.rule == "number-outdated") == bool(message)
    assert found.message.endswith(message or found.message)
    assert (found.fix or "").startswith(f"write {written}, in both" if written else "compute it")


def test_a_change_that_rounding_hides_is_none():
    (found,) = report_typed_numbers(half_of("H200 is near 206.", "en"), KnownNumbers(NOW, BEFORE))
    assert found.rule == "number-typed"


def test_what_a_message_says_to_write_is_accepted():
    for text in ("H200’s ridge is at 183 FLOP/B.", "It reaches 91%.", "H200 has 4.0 TB/s."):
        half = half_of(text, "en")
        (found,) = report_typed_numbers(half, KnownNumbers(NOW, BEFORE))
        instead = (found.fix or "").partition("write ")[2].partition(", in both")[0]
        number = found.message.partition("“")[2].partition("”")[0]
        written = text.replace(number, instead)
        assert not report_typed_numbers(half_of(written, "en"), KnownNumbers(NOW, BEFORE))


SHOWN = (
    ("hw.memory", 4.8e12),
    ("hw.wait", 0.0042),
    ("hw.dec", 0.0371),
    ("hw.b200.speed", 2.9),
    ("hw.v6e.speed", 1.7),
    ("hw.cap", 80 * 2.0**30),
    ("hw.tok", 1.2e8),
    ("hw.power", 700.0),
    ("hw.latency", 12.5),
)
"""Numbers whose names say no unit."""
SHOWING = (
    '{eval}`hw.memory | si("B/s")`; {eval}`hw.wait | si("s")`; {eval}`hw.dec | percent(1)`;'
    ' {eval}`hw.b200.speed | number(1)` times; {eval}`hw.cap | unit("GiB")`; {eval}`hw.tok | si("tokens")`;'
    " {eval}`hw.power | number` W; {eval}`hw.latency | number(1)` ms.\n\n"
)
TYPED_IN_UNITS: dict[Language, dict[str, str]] = {
    "en": {
        **{"4.8 TB/s": "memory", "4800 GB/s": "memory", "4,800,000 MB/s": "memory", "4.2 ms": "wait"},
        **{"4200 µs": "wait", "4.2 milliseconds": "wait", "0.0042 seconds": "wait", "3.7%": "dec"},
        **{"3.71 percent": "dec", "2.9 times": "b200.speed", "2.9x": "b200.speed", "2.9×": "b200.speed"},
        **{"1.7 times": "v6e.speed", "80 GiB": "cap", "86 GB": "cap", "120 million tokens": "tok"},
        **{"120M tokens": "tok", "0.12 billion tokens": "tok", "700 W": "power", "0.7 kW": "power"},
        **{"12.5 ms": "latency", "0.0125 s": "latency", "12,500 µs": "latency"},
    },
    "zh": {
        **{"4.8万亿字节/秒": "memory", "4.8 TB/s": "memory", "48000亿字节/秒": "memory", "4.2毫秒": "wait"},
        **{
            "2.9倍": "b200.speed",
            "1.2亿个词元": "tok",
            "12000万词元": "tok",
            "3.7%": "dec",
            "百分之3.7": "dec",
        },
        **{"700瓦": "power", "80 GiB": "cap", "12.5毫秒": "latency", "0.7千瓦": "power"},
    },
}


def test_a_number_in_its_unit_needs_no_word_of_the_values_name():
    data = {"hw": json.dumps(nested(SHOWN)).encode()}
    missed, wrong = [], []
    for language, numbers in TYPED_IN_UNITS.items():
        values = Values(language, data)
        for number, path in numbers.items():
            half = half_of(f"{SHOWING}{number}", language)
            (found,) = report_typed_numbers(half, KnownNumbers(SHOWN))
            instead = (found.fix or "").removeprefix("write ").removesuffix(", in both halves.")
            if found.rule != "number-typed" or f"hw.{path} " not in instead.replace(")", " "):
                missed.append(number)
                continue
            before, expression, behind = re.split("{eval}`|`", instead)
            text = values.text(expression, path="", line=1).replace("\u00a0", " ")
            shown = f"{before}{text}{behind}"
            if shown.replace(",", "") != number.replace(",", ""):
                wrong.append((number, shown))
    assert (missed, wrong) == ([], [])


def test_a_number_that_was_in_its_unit_is_outdated_without_a_word_of_its_name():
    before = tuple((path, value * 0.75) for path, value in SHOWN)
    numbers = ("3.6 TB/s", "3.15 ms", "2.78%", "2.17 times", "60 GiB", "90 million tokens", "525 W", "9.4 ms")
    half = half_of(SHOWING + "".join(f"- {number}\n" for number in numbers), "en")
    rules = [one.rule for one in report_typed_numbers(half, KnownNumbers(SHOWN, before))]
    assert rules == ["number-outdated"] * len(numbers)


def test_other_units_and_short_numbers_are_no_values_of_a_figure():
    for number in ("4.8 GB", "4.2 W", "3.7 times", "2.9 kg", "12.5 tokens", "4.8%", "12 layers"):
        (found,) = report_typed_numbers(half_of(SHOWING + number, "en"), KnownNumbers(SHOWN))
        assert found.rule == "number-unbound", number


def test_a_wrong_unit_behind_a_value_does_not_hide_what_its_name_says():
    wrong = "It draws {eval}`roofline.h200.memory_bytes_per_s | number(0)` W."
    (found,) = report_typed_numbers(half_of(f"{wrong}\n\nIt has 4.8 TB/s.", "en"), KnownNumbers(NUMBERS))
    assert found.rule == "number-typed"


def nested(numbers: Numbers) -> dict[str, Any]:
    """The data that have these numbers at their paths."""
    data: dict[str, Any] = {}
    for path, number in numbers:
        _, *keys, last = path.split(".")
        inner = data
        for key in keys:
            inner = inner.setdefault(key, {})
        inner[last] = number
    return data


def test_prose_is_shown_without_what_stands_for_values() -> None:
    prose = "The ridge is \ufffc FLOP/B\ufff9, not \ufffa206\ufffb."
    assert without_stand_ins(prose) == "The ridge is … FLOP/B, not 206."


@pytest.mark.parametrize(
    ("text", "language", "written"),
    [
        ("It is 2.5 times as fast.", "en", "{eval}`f.speed | number(1)` times"),
        ("It is two and a half times as fast.", "en", "{eval}`f.speed | number(1)` times"),
        ("快2.5倍。", "zh", "{eval}`f.speed | number(1)`倍"),
        ("快两倍半。", "zh", "{eval}`f.speed | number(1)`倍"),
        ("带宽是它的1.4倍。", "zh", "{eval}`f.bandwidth_ratio | number(1)`倍"),
        ("It is 2.5 times as heavy.", "en", None),
    ],
)
def test_a_multiple_is_a_ratio_that_the_words_of_its_sentence_name(
    text: str, language: Language, written: str | None
) -> None:
    known = KnownNumbers(numbers_of("f", b'{"speed": 2.5, "bandwidth_ratio": 1.4328}'))
    (typed_number,) = report_typed_numbers(half_of(text, language), known)
    assert typed_number.fix is not None
    assert (typed_number.rule == "number-typed") is (written is not None)
    assert typed_number.fix.startswith(f"write {written}," if written else "compute it")
    (*bindings,) = find_bindings(half_of(text, language), known.now)
    assert len(bindings) == (written is not None and "两" not in text and "two" not in text)


def test_numbers_in_quotation_marks_are_somebody_s_words() -> None:
    assert typed('They say "4 to 10 times cheaper", and 25% of us agree.', "en") == ["25%"]
    assert typed("有人说“省65%”，又说「便宜4倍」，我们算得省12%。", "zh") == ["12%"]
