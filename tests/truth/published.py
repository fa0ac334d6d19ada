"""The published pairs as texts, and everything that the guards say of a copy of one."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from diglot.content.agreement import compare_contents, compare_front_matter
from diglot.content.document import parse_text
from diglot.content.front_matter import parse_front_matter
from diglot.content.glossary import check_terms
from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.records import FrontMatter, SharedText
from diglot.content.terms import read_glossary
from diglot.content.tree.nodes import ParsedText
from diglot.content.typed_numbers import Half
from diglot.diagnostics import Diagnostic, Location
from diglot.languages import LANGUAGES, Language
from diglot.render.values import Values
from diglot.rules.typed_numbers import report_numbers
from diglot.staleness.units import Units, units_of
from tests.site_figures.scripts import FIGURES, ROOT

ARTICLES = ("posts/gpu-vs-tpu", "talks/gpu-vs-tpu")
TERMS = read_glossary((ROOT / "site/glossary.yaml").read_text("utf-8"))
QUOTED = (
    *("roofline", "attention_time", "chips", "mxu_utilisation", "systolic_flow", "tpu_generations"),
    *("serving_breakdown", "wave_quantisation", "debate_claims"),
)


@cache  # not when the module is loaded: each process that collects the tests would compute for seconds
def quoted_data() -> dict[str, bytes]:
    """What the figures compute whose values the pairs quote, by the text of the request."""
    return {name: json.dumps(FIGURES[name].data()).encode() for name in QUOTED} | {
        f"roofline?dtype={dtype}": json.dumps(FIGURES["roofline"].data(dtype=dtype)).encode()
        for dtype in ("bf16", "int8")
    }


class Pair(NamedTuple):
    """Both halves of an article, as they stand in their files or with faults planted in them."""

    article: str
    zh: str
    en: str

    def of(self, language: Language) -> str:
        """The text of one half."""
        return self.zh if language == "zh" else self.en

    def path(self, language: Language) -> str:
        """The file of one half."""
        return f"content/{self.article}/{language}.md"

    @property
    def halves(self) -> tuple[Half, Half]:
        """Both halves, with their front matter."""
        zh, en = self.parsed
        return (
            Half(zh.tree, _front(self.zh, self.path("zh"), "zh")),
            Half(en.tree, _front(self.en, self.path("en"), "en")),
        )

    @property
    def parsed(self) -> tuple[ParsedText, ParsedText]:
        """Both bodies."""
        return _parsed(self.zh, self.path("zh"), "zh"), _parsed(self.en, self.path("en"), "en")

    @property
    def units(self) -> Units:
        """Its blocks, footnotes and texts of the front matter, each with its twin."""
        zh, en = self.parsed
        rows = pair_documents(zh.document, en.document)
        return units_of((zh.document, self.zh), (en.document, self.en), rows)


def published(article: str) -> Pair:
    """A pair as it is published."""
    zh, en = ((ROOT / "content" / article / f"{one}.md").read_text("utf-8") for one in LANGUAGES)
    return Pair(article, zh, en)


@cache
def values(language: Language) -> Values:
    """The values that the pairs may quote, as pages show them."""
    return Values(language, quoted_data())


@cache
def _parsed(text: str, path: str, language: Language) -> ParsedText:
    return parse_text(text, path, language)


def _front(text: str, path: str, language: Language) -> FrontMatter:
    meta = Path(path).with_name("meta.yaml").as_posix()
    shared = SharedText(path=meta, text=(ROOT / meta).read_text("utf-8"))
    return parse_front_matter(text, path, language, shared, is_talk="/talks/" in path)


def differences(pair: Pair) -> Iterator[Diagnostic]:
    """What a build and `diglot check pairs` say of a pair."""
    zh, en = pair.parsed
    rows = pair_documents(zh.document, en.document)
    yield from compare_halves(zh.document, en.document, rows)
    yield from compare_contents(zh.tree, en.tree, rows)
    yield from check_terms(zh.tree, en.tree, rows, TERMS)
    for one in compare_front_matter(*(half.front for half in pair.halves)):
        place = Location(path=zh.document.path, line=1)
        yield Diagnostic(rule=one.rule, message=one.message, location=place, fix=one.fix)


def typed(pair: Pair) -> Iterator[Diagnostic]:
    """What `diglot check numbers` says of a pair."""
    for half in pair.halves:
        yield from report_numbers(half, quoted_data())


def said_of(pair: Pair) -> Iterator[Diagnostic]:
    """Everything that the guards say of a pair."""
    yield from differences(pair)
    yield from typed(pair)
