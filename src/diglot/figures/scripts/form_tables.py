"""The table of a form: what a script answers at all points of its grid, as browsers fetch it."""

import gzip
import json
import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from diglot.diagnostics import did_you_mean, nearest
from diglot.digests import digest_of
from diglot.figures.chips import chip
from diglot.figures.records import Between, FormAnswer, FormField, FormPreset, FormTable
from diglot.figures.scripts.forms import Answer, Field, Form
from diglot.languages import LANGUAGES, Bilingual

MOST_FIELDS = 3
MOST_BYTES = 60_000
"""Size of a table as browsers fetch it, compressed."""
_MOST_DIGITS = 6


class FormMistake(Exception):
    """A form that cannot be shown, with a fix. `at` is where the script says so: `FORM` or `def answer`."""

    def __init__(self, message: str, fix: str, at: str = "FORM") -> None:
        super().__init__(message)
        self.message, self.fix, self.at = message, fix, at


def make_form(form: Form, answer: Callable[..., Any], parameters: Mapping[str, Any]) -> FormTable:
    """The table of a form, from one call of `answer` with all points of the grid as NumPy arrays.

    `parameters` are those of `compute`, of which `answer` gets the ones that it takes. Raises FormMistake.
    """
    fields = tuple(_field(name, field) for name, field in form.fields.items())
    if not 1 <= len(fields) <= MOST_FIELDS:
        raise FormMistake(
            f"the form has {len(fields)} fields", f"give it one to {MOST_FIELDS}: others can be parameters."
        )
    answers = tuple(_answer(name, one) for name, one in form.answers.items())
    presets = tuple(_preset(label, values, fields) for label, values in form.presets)
    if not presets:
        raise FormMistake("the form has no preset", "give at least one; its answers are shown first.")
    shape = tuple(len(field.values) for field in fields)
    grid = np.meshgrid(*(np.array(field.values) for field in fields), indexing="ij")
    points = {field.name: axis.ravel() for field, axis in zip(fields, grid, strict=True)}
    returned = answer(**points, **parameters)
    table = {one.name: _scaled(one, returned, shape) for one in answers}
    for one in answers:
        if one.between == "monotone":
            _check_monotone(one, table[one.name], fields)
    first = tuple(field.values.index(value) for field, value in zip(fields, presets[0].values, strict=True))
    file = json.dumps(
        {name: _steps(values.ravel().tolist()) for name, values in table.items()}, separators=(",", ":")
    ).encode()
    if (size := len(gzip.compress(file, mtime=0))) > MOST_BYTES:
        counts = " × ".join(str(count) for count in shape)
        widest = max(fields, key=lambda field: len(field.values))
        raise FormMistake(
            f"the table of {counts} shapes with {len(answers)} answers has {size / 1000:,.0f} kB, "
            f"and at most {MOST_BYTES / 1000:,.0f} kB may be fetched",
            f'give "{widest.name}" fewer than {len(widest.values)} values, or the answers fewer digits.',
        )
    return FormTable(
        fields=fields,
        answers=answers,
        presets=presets,
        first=tuple(int(table[one.name][first]) / 10**one.digits for one in answers),
        file=file,
        digest=digest_of(file)[:8],
    )


def _field(name: str, field: Field) -> FormField:
    values = tuple(field.values)
    if len(values) < 2 or any(not isinstance(one, int) for one in values):
        raise FormMistake(f'the field "{name}" has no list of whole numbers', "write LogRange(1, 65536).")
    if any(low >= high for low, high in pairwise(values)) or values[0] < 0:
        raise FormMistake(f'the values of "{name}" do not go up from 0', "sort them, and name each one once.")
    if not 0 <= field.digits <= _MOST_DIGITS:
        raise FormMistake(f'the field "{name}" has {field.digits} digits', f"choose 0 to {_MOST_DIGITS}.")
    label = _both(field.label, f'the field "{name}"')
    return FormField(name=name, label=label, values=values, digits=field.digits)


def _answer(name: str, answer: Answer) -> FormAnswer:
    if answer.between not in get_args(Between):
        fix = did_you_mean(answer.between, get_args(Between))
        raise FormMistake(f'the answer "{name}" has between="{answer.between}"', fix)
    if not 0 <= answer.digits <= _MOST_DIGITS:
        raise FormMistake(f'the answer "{name}" has {answer.digits} digits', f"choose 0 to {_MOST_DIGITS}.")
    return FormAnswer(
        name=name,
        label=_both(answer.label, f'the answer "{name}"'),
        unit=answer.unit,
        digits=answer.digits,
        chip=chip(answer.chip) if answer.chip is not None else None,
        between=answer.between,
    )


def _preset(label: Mapping[str, str], values: Mapping[str, int], fields: tuple[FormField, ...]) -> FormPreset:
    name = _both(label, "a preset")
    for key in values:
        if key not in {field.name for field in fields}:
            known = [field.name for field in fields]
            raise FormMistake(f'the preset "{name.en}" has "{key}"', did_you_mean(key, known))
    for field in fields:
        value = values.get(field.name)
        if value not in field.values:
            near = min(field.values, key=lambda one: abs(one - (value or 0)))
            message = f'the preset "{name.en}" has {field.name} = {value}, which is not on the grid'
            raise FormMistake(message, f"the nearest value is {near}.")
    return FormPreset(label=name, values=tuple(values[field.name] for field in fields))


def _both(label: Mapping[str, str], whose: str) -> Bilingual:
    texts = [label.get(language) for language in LANGUAGES]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise FormMistake(f"{whose} has no label in both languages", 'write {"zh": "…", "en": "…"}.')
    return Bilingual(*map(str, texts))


def _scaled(answer: FormAnswer, returned: Any, shape: tuple[int, ...]) -> np.ndarray:
    """The values of an answer as whole numbers of its last digit, in the shape of the grid."""
    at = "def answer"
    if not isinstance(returned, Mapping) or answer.name not in returned:
        names = list(returned) if isinstance(returned, Mapping) else []
        near = nearest(answer.name, names)
        fix = f'is it "{near}"?' if near else "return a mapping with an array for each answer of the form."
        raise FormMistake(f'`answer` returned no "{answer.name}"', fix, at)
    try:
        values = np.broadcast_to(np.asarray(returned[answer.name], dtype=float), (math.prod(shape),))
    except (TypeError, ValueError):
        count = math.prod(shape)
        message = f'`answer` returned something for "{answer.name}" that is not an array of {count} numbers'
        raise FormMistake(message, "compute with the arrays that it is given.", at) from None
    if not np.isfinite(values).all():
        raise FormMistake(f'"{answer.name}" is not finite at some shapes', "give every shape a number.", at)
    scaled: np.ndarray = np.rint(values * 10**answer.digits).astype(np.int64).reshape(shape)
    return scaled


def _check_monotone(answer: FormAnswer, values: np.ndarray, fields: tuple[FormField, ...]) -> None:
    """Raise FormMistake if the answer rises and falls along a field."""
    for axis, field in enumerate(fields):
        steps = np.diff(values, axis=axis)
        if (steps > 0).any() and (steps < 0).any():
            raise FormMistake(
                f'the answer "{answer.name}" is not monotone: it rises and falls along "{field.name}"',
                'write between="nearest".',
            )


def _steps(values: list[int]) -> list[int]:
    """The first value, then the differences, which compress to half."""
    return [values[0], *(after - before for before, after in pairwise(values))]
