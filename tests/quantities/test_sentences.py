"""Sentences with every way of writing quantities, in both languages."""

from pathlib import Path

import pytest
import yaml

from diglot.languages import LANGUAGES, Language
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in

HERE = Path(__file__).parent
_FILES = {"en": "english_sentences.yaml", "zh": "chinese_sentences.yaml"}
_SENTENCES = [
    (language, sentence, [str(quantity) for quantity in quantities])
    for language in LANGUAGES
    for sentence, quantities in yaml.safe_load((HERE / _FILES[language]).read_text("utf-8")).items()
]


@pytest.mark.parametrize(("language", "sentence", "expected"), _SENTENCES)
def test_the_quantities_of_a_sentence(language: Language, sentence: str, expected: list[str]):
    found = quantities_in(sentence, language)
    assert len(found) == len(expected), [*map(_shown, found)]
    for quantity, written in zip(found, expected, strict=True):
        _assert_says(quantity, written)


def test_there_are_fifty_of_each():
    assert all(sum(of == language for of, _, _ in _SENTENCES) >= 50 for language in LANGUAGES)


def _assert_says(quantity: Quantity, written: str) -> None:
    number, _, unit = written.partition(" ")
    if number in ("shape", "ratio"):
        assert quantity.unit == written
        return
    low, _, high = number.partition("..")
    assert (quantity.low, quantity.high, quantity.unit) == (
        pytest.approx(float(low)),
        pytest.approx(float(high or low)),
        unit,
    ), _shown(quantity)


def _shown(quantity: Quantity) -> str:
    return f"{quantity.text!r}: {quantity.low:g}..{quantity.high:g} {quantity.unit}"
