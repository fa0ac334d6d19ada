"""`LABELS` of a script: what readers call its parameters and their values, in both languages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.parameters import Parameter, text_of
from diglot.languages import LANGUAGES

Labels = Mapping[str, Mapping[str, str]]
EXAMPLE = 'LABELS = {"dtype": {"zh": "精度", "en": "Precision"}, "dtype=fp8": {"zh": "8位", "en": "8-bit"}}'


def check_labels(labels: Any, parameters: Sequence[Parameter]) -> Iterator[tuple[str, str]]:
    """Each mistake in `LABELS` as a message and how to mend it."""
    if not isinstance(labels, Mapping):
        yield f"LABELS is a {type(labels).__name__}, not a mapping", f"write it as in {EXAMPLE}."
        return
    values = {parameter.name: [text_of(value) for value in parameter.values] for parameter in parameters}
    for key, texts in labels.items():
        name, is_of_value, value = str(key).partition("=")
        if name not in values:
            yield f'LABELS names "{name}", which is not a parameter of `compute`', did_you_mean(name, values)
        elif is_of_value and value not in values[name]:
            yield (
                f'LABELS names "{value}", which is not a value of `{name}`',
                did_you_mean(value, values[name]),
            )
        for language in LANGUAGES:
            text = texts.get(language) if isinstance(texts, Mapping) else None
            if not isinstance(text, str) or not text.strip():
                yield f'LABELS["{key}"] has no text in "{language}"', f"write it as in {EXAMPLE}."
            elif (character := forbidden_in(text)) is not None:
                message = f'LABELS["{key}"]["{language}"] contains the character {code_of(character)}'
                yield message, "delete it: it is not allowed on pages."
