"""Converts what readers can turn in a figure to the views that templates receive."""

import math
import re
from itertools import pairwise

from diglot.expressions.number_formats import as_number
from diglot.figures.frames.plan import Axis
from diglot.figures.records import Domain
from diglot.languages import Language
from diglot.render.addresses import Addresses
from diglot.render.materials import Exploration
from diglot.render.views import ChoiceView, ControlsView, ControlView, Link
from diglot.years import are_named, naming_of, ungrouped

PLAYED = ("cycle", "time")
"""Names of parameters whose frames can be played."""
_MOST_WORDS = 6
"""Numbers in a row of words, at most; more become a slider."""


def controls_view(
    name: str,
    exploration: Exploration,
    language: Language,
    addresses: Addresses,
    *,
    following: tuple[Link, ...],
    svg: str,
) -> ControlsView:
    """The controls of a figure, which has this name in the article. `svg` is one of its drawings."""
    controls = tuple(_control_view(axis, language, svg) for axis in exploration.plan.axes)
    return ControlsView(
        figure=name,
        controls=controls,
        following=following,
        state=", ".join(
            state_text(axis.domain, axis.values[axis.default], language) for axis in exploration.plan.axes
        ),
        frames={size: addresses.path(path) for size, path in exploration.files.items()},
    )


def _control_view(axis: Axis, language: Language, svg: str) -> ControlView:
    domain = axis.domain
    choices = tuple(
        ChoiceView(value=value, text=value_text(domain, value, language), is_default=at == axis.default)
        for at, value in enumerate(axis.values)
    )
    return ControlView(
        name=domain.name,
        label=label_text(domain, language),
        kind="range" if domain.kind == "choice" and _are_many_numbers(axis) else domain.kind,
        choices=choices,
        default=axis.default,
        plays=domain.name in PLAYED,
        on_axis=_lies_on_axis(axis, svg),
    )


def _lies_on_axis(axis: Axis, svg: str) -> bool:
    """Whether the drawing offers its axis as a track, and the values are evenly spaced along it."""
    scale = re.search(rf' data-track-{axis.domain.name}="(\w+) ', svg)
    if scale is None or not all(map(_is_number, axis.values)):
        return False
    places = [float(value) for value in axis.values]
    if scale[1] == "log":
        places = [math.log(place) for place in places]
    even = (places[-1] - places[0]) / (len(places) - 1)
    return all(math.isclose(b - a, even, rel_tol=1e-6) for a, b in pairwise(places))


def _are_many_numbers(axis: Axis) -> bool:
    return len(axis.values) > _MOST_WORDS and all(map(_is_number, axis.values))


def label_text(domain: Domain, language: Language) -> str:
    """What readers call a parameter."""
    return domain.label.of(language) if domain.label else domain.name


def state_text(domain: Domain, value: str, language: Language) -> str:
    """A parameter with its value, as readers see both."""
    return f"{label_text(domain, language)} = {value_text(domain, value, language)}"


def value_text(domain: Domain, value: str, language: Language) -> str:
    """A value as readers see it: as the script calls it, or a number in the form of the language."""
    label = dict(domain.value_labels).get(value)
    if label is not None:
        return label.of(language)
    if not _is_number(value):
        return value
    number = float(value) if "." in value or "e" in value else int(value)
    if are_named((number,), naming_of(domain.name, *(domain.label or ()))):
        return ungrouped(number)
    return as_number(number, len(value.partition(".")[2]))


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
