"""The parameters of `compute`, each with a finite set of values from which articles choose."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean, nearest
from diglot.figure_request import FigureRequest
from diglot.figures.records import Domain
from diglot.languages import Bilingual

MOST_VALUES = 1000
REFUSALS = frozenset(("figure-parameter-unknown", "figure-parameter-value"))
"""Rules of mistakes that are in a request and not in the script."""


class Range(msgspec.Struct, frozen=True):
    """The numbers from `start` up to and including `stop`: `Annotated[int, Range(1, 512, 1)]`.

    Raises ValueError if it is not ascending and finite, or has more than 1,000 values.
    """

    start: int | float
    stop: int | float
    step: int | float = 1

    def __post_init__(self) -> None:
        if not (self.step > 0 and math.isfinite(self.step)):
            raise ValueError(f"the step of a range must be above 0, not {self.step}")
        if not (self.start <= self.stop and math.isfinite(self.stop - self.start)):
            raise ValueError(f"a range must go up between finite ends, not from {self.start} to {self.stop}")
        if len(self) > MOST_VALUES:
            raise ValueError(f"a range can have at most {MOST_VALUES:,} values, not {len(self):,}")

    def __len__(self) -> int:
        return int((self.stop - self.start) / self.step + 1e-9) + 1

    def __iter__(self) -> Iterator[int | float]:
        whole = isinstance(self.start, int) and isinstance(self.step, int)
        for n in range(len(self)):
            value = self.start + n * self.step
            yield value if whole else round(float(value), 12)


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of `compute`."""

    name: str
    values: tuple[Any, ...]
    """Allowed values, in the script's order."""
    default: Any
    range: Range | None = None
    """Where its values come from; None for a list of them."""

    @property
    def known(self) -> str:
        """Its values for a message: all of them up to 12, otherwise the first two and the last."""
        texts = [text_of(value) for value in self.values]
        return ", ".join(texts) if len(texts) <= 12 else f"{texts[0]}, {texts[1]} … {texts[-1]}"

    def value_of(self, text: str) -> Any:
        """The value for an author's text. Raises KeyError if the parameter has no such value."""
        for value in self.values:
            if text_of(value) == text.strip():
                return value
        for value in self.values:  # 8.0 for 8, True for true
            if isinstance(value, int | float) and _number(text) == value:
                return value
        raise KeyError(text)


def domain_of(parameter: Parameter, labels: Mapping[str, Mapping[str, str]]) -> Domain:
    """A parameter as articles see it, with the labels that the script gives it."""
    of_values = f"{parameter.name}="
    range_ = parameter.range
    is_switch = all(isinstance(value, bool) for value in parameter.values)
    return Domain(
        name=parameter.name,
        kind="range" if range_ is not None else "switch" if is_switch else "choice",
        default=text_of(parameter.default),
        values=tuple(map(text_of, parameter.values)) if range_ is None else (),
        range=(range_.start, range_.stop, range_.step) if range_ is not None else None,
        label=_bilingual(labels[parameter.name]) if parameter.name in labels else None,
        value_labels=tuple(
            (key.removeprefix(of_values), _bilingual(texts))
            for key, texts in labels.items()
            if key.startswith(of_values)
        ),
    )


def _bilingual(texts: Mapping[str, str]) -> Bilingual:
    return Bilingual(zh=texts["zh"], en=texts["en"])


def values_of(domain: Domain) -> tuple[str, ...]:
    """All values of a parameter as authors write them."""
    return domain.values if domain.range is None else tuple(map(text_of, Range(*domain.range)))


def text_of(value: object) -> str:
    """A value as authors write it in Markdown: `fp8`, `16`, `true`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(text: str) -> float | None:
    try:
        return float({"true": "1", "false": "0"}.get(text.strip().lower(), text.strip()))
    except ValueError:
        return None


_OPTIONS = {
    "caption": "write the caption as text below the options.",
    "alt": "delete it: `describe` in the script says what the figure shows.",
    **dict.fromkeys(
        ("width", "height", "scale", "figwidth"), "delete it: the script says how large the figure is."
    ),
    **dict.fromkeys(("align", "class", "figclass"), "delete it: figures are as wide as the text."),
    "label": "write :name: instead.",
}
"""Options that figures of other tools have, each with what to do."""


def chosen_values(request: FigureRequest, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The arguments of `compute`: every parameter with its requested or default value.

    Raises DiagnosticError with one diagnostic for each unknown name and value. They have no location: the
    mistake is in an article, which only the caller knows.
    """
    known = {parameter.name: parameter for parameter in parameters}
    values = {parameter.name: parameter.default for parameter in parameters}
    mistakes = []
    for name, text in request.parameters:
        if name not in known:
            message = f'"{name}" is not a parameter of the figure "{request.figure_id}"'
            otherwise = _OPTIONS.get(name) or (None if known else "delete it: the figure has no parameters.")
            fix = did_you_mean(name, known, otherwise=otherwise)
            mistakes.append(Diagnostic(rule="figure-parameter-unknown", message=message, fix=fix))
            continue
        try:
            values[name] = known[name].value_of(text)
        except KeyError:
            message = f'"{text}" is not a value of the parameter "{name}" of the figure "{request.figure_id}"'
            fix = f"choose one of {known[name].known}."
            if (near := nearest(text, map(text_of, known[name].values))) is not None:
                fix = f'did you mean "{near}"? It can be {known[name].known}.'
            mistakes.append(Diagnostic(rule="figure-parameter-value", message=message, fix=fix))
    if mistakes:
        raise DiagnosticError(*mistakes)
    return values
