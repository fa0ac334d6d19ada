"""Which states a figure has: every combination of the values that an article lets readers choose."""

from collections.abc import Sequence
from itertools import pairwise, product
from math import isclose, prod

import msgspec

from diglot.diagnostics import did_you_mean
from diglot.exploration import Explored
from diglot.figure_request import FigureRequest
from diglot.figures.records import Domain
from diglot.figures.scripts.parameters import values_of

_MOST_NAMED = 12


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """One parameter with the values that readers can choose."""

    domain: Domain
    values: tuple[str, ...]
    default: int
    """Index of the value that is shown first."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The states of a figure, called frames, in the order of the product: the last parameter is fastest."""

    request: FigureRequest
    """The figure as the article shows it: the default state."""
    axes: tuple[Axis, ...]

    @property
    def default(self) -> int:
        """The frame that is shown first."""
        frame = 0
        for axis in self.axes:
            frame = frame * len(axis.values) + axis.default
        return frame

    def requests(self) -> tuple[FigureRequest, ...]:
        """The figure of every frame. A value that is the script's own default is left out, as authors do."""
        fixed = dict(self.request.parameters)
        found = []
        for values in product(*(axis.values for axis in self.axes)):
            chosen = fixed | {axis.domain.name: value for axis, value in zip(self.axes, values, strict=True)}
            for axis in self.axes:
                if chosen[axis.domain.name] == axis.domain.default:
                    del chosen[axis.domain.name]
            found.append(FigureRequest.of(self.request.figure_id, tuple(chosen.items())))
        found[self.default] = self.request
        return tuple(found)


class PlanError(Exception):
    """Parameters that cannot be explored as written."""

    def __init__(self, rule: str, message: str, fix: str, at: int) -> None:
        """`at` is the character of the option, from 0, at which the parameter is."""
        super().__init__(message)
        self.rule, self.message, self.fix, self.at = rule, message, fix, at


def plan_frames(
    request: FigureRequest,
    explored: Sequence[Explored],
    domains: Sequence[Domain],
    current: Sequence[tuple[str, str]],
    *,
    most: int | None = None,
) -> Plan:
    """The states of a figure. `current` are the values that it is shown with first.

    Raises PlanError for unknown parameters and values, and for more than `most` states.
    """
    known = {domain.name: domain for domain in domains}
    axes = []
    for one in explored:
        if one.name not in known:
            fix = did_you_mean(
                one.name,
                known,
                otherwise=None if known else "delete the option: the figure has no parameters.",
            )
            message = f'"{one.name}" is not a parameter of the figure "{request.figure_id}"'
            raise PlanError("explore-parameter", message, fix, one.at)
        axes.append(_axis(one, known[one.name], dict(current)[one.name]))
    plan = Plan(request=request, axes=tuple(axes))
    count = prod(len(axis.values) for axis in axes)
    if most is not None and count > most:
        raise _too_many(plan, explored, count, most)
    return plan


def _axis(one: Explored, domain: Domain, shown: str) -> Axis:
    everything = values_of(domain)
    if one.values:
        chosen = []
        for text in one.values:
            value = next((value for value in everything if _is_same(value, text)), None)
            if value is None:
                raise PlanError(
                    "explore-value", f'"{text}" is not a value of "{one.name}"', _allowed(everything), one.at
                )
            chosen.append(value)
        values = tuple(dict.fromkeys(chosen))
    else:
        values = tuple(value for value in everything if not one.low or _is_between(value, one))
    if len(values) < 2:
        message = f"`{one}` has {'one value' if values else 'no value'} to choose from"
        raise PlanError("explore-value", message, _allowed(everything), one.at)
    if shown not in values:
        raise PlanError(
            "explore-default",
            f"the figure is shown with {one.name} = {shown}, which is not among the values of `{one}`",
            f"add it, or begin with another value: write `:{one.name}: {values[0]}` on a line of its own.",
            one.at,
        )
    return Axis(domain=domain, values=values, default=values.index(shown))


def _allowed(values: Sequence[str]) -> str:
    shown = ", ".join(values) if len(values) <= _MOST_NAMED else f"{values[0]}, {values[1]} … {values[-1]}"
    return f"the script allows {shown}."


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_same(value: str, text: str) -> bool:
    return value == text or (_number(value) is not None and _number(value) == _number(text))


def _is_between(value: str, one: Explored) -> bool:
    number = _number(value)
    if number is None or not float(one.low) <= number <= float(one.high):
        return False
    if not one.step:
        return True
    steps = (number - float(one.low)) / float(one.step) if float(one.step) else 0.5
    return isclose(steps, round(steps), abs_tol=1e-9)


def _too_many(plan: Plan, explored: Sequence[Explored], count: int, most: int) -> PlanError:
    """The error for too many states. It names the parameter with the most values, and how to thin it out."""
    at, axis = max(enumerate(plan.axes), key=lambda pair: len(pair[1].values))
    room = max(2, most // (count // len(axis.values)))
    every = -(-(len(axis.values) - 1) // (room - 1))
    kept = axis.values[::every]
    if axis.values[axis.default] not in kept:  # the value that is shown first must stay
        kept = axis.values[axis.default % every :: every]
    name = axis.domain.name
    product_ = " × ".join(f"{len(one.values):,}" for one in plan.axes)
    sum_ = f"{product_} = {count:,}" if len(plan.axes) > 1 else f"{count:,}"
    names = " × ".join(one.domain.name for one in plan.axes)
    return PlanError(
        "explore-frames",
        f'{names} gives {sum_} states of the figure "{plan.request.figure_id}"; at most {most:,} are allowed',
        f'give "{name}" at most {room:,} values{_example(name, kept)}, or raise `frames` in site/site.yaml.',
        explored[at].at,
    )


def _example(name: str, values: Sequence[str]) -> str:
    """How an author would write these values; empty if that is too long."""
    numbers = [number for value in values if (number := _number(value)) is not None]
    steps = {round(after - before, 9) for before, after in pairwise(numbers)}
    if len(numbers) == len(values) and len(steps) == 1:
        return f", as in `{name} = {values[0]}..{values[-1]} step {steps.pop():g}`"
    return f", as in `{name} = [{', '.join(values)}]`" if len(values) <= _MOST_NAMED else ""
