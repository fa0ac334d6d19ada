"""Numbers that figures computed in earlier builds and do not compute any more, kept in the cache.

A trace knows only the last value of a task. But an author who typed a number has typed one that was right
then: that it was tells which number of now is meant. So each build that computed a figure anew writes down
which of its numbers have changed.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.expressions.numbers_of import earlier_numbers, numbers_of
from diglot.figure_request import FigureRequest

FOLDER = "numbers"
_MOST_EARLIER = 2_000
"""Numbers of before that are kept of a figure, the last ones."""
_MOST_STATES = 32
"""States of a figure that are kept: a sweep may ask for thousands, of which prose means few."""
_PURPOSE = "earlier numbers 1"

Earlier = tuple[tuple[str, float], ...]
"""Paths and numbers that were there, the last ones first."""


class _State(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a figure in one state."""

    now: dict[str, float]
    earlier: Earlier = ()


_States = dict[str, _State]


def path_of(cache: Path, figure_id: str) -> Path:
    """The file that keeps the numbers of a figure."""
    return cache / FOLDER / figure_id


def earlier_in(content: bytes | None, request: FigureRequest) -> Earlier:
    """The earlier numbers of a figure, by the paths of expressions; `content` is that of its file."""
    state = _states_in(content).get(str(request))
    return () if state is None else state.earlier


def remember(cache: Path, computed: Mapping[FigureRequest, bytes]) -> None:
    """Note the data of figures that were computed now, and which of their numbers are others than before."""

    def renewed(state: _State, numbers: Earlier) -> _State:
        return _state(numbers, (*state.now.items(), *state.earlier))

    _change(cache, computed, renewed)


def note_earlier(cache: Path, computed: Mapping[FigureRequest, bytes]) -> None:
    """Note the data that figures had before those that are noted already."""

    def with_earlier(state: _State, numbers: Earlier) -> _State:
        return _state((*state.now.items(),), (*state.earlier, *numbers))

    _change(cache, computed, with_earlier)


def _state(now: Earlier, before: Earlier) -> _State:
    earlier = earlier_numbers(dict.fromkeys(before), now)
    return _State(now=dict(now), earlier=earlier[:_MOST_EARLIER])


def _change(
    cache: Path, computed: Mapping[FigureRequest, bytes], change: Callable[[_State, Earlier], _State]
) -> None:
    by_figure: dict[str, list[FigureRequest]] = {}
    for request in computed:
        by_figure.setdefault(request.figure_id, []).append(request)
    for figure_id, requests in by_figure.items():
        path = path_of(cache, figure_id)
        before = _states_in(read_file(path))
        after = dict(before)
        for request in requests:
            state = after.pop(str(request), _State(now={}))
            after[str(request)] = change(state, numbers_of(request.expression, computed[request]))
        if after != before:
            last = dict([*after.items()][-_MOST_STATES:])
            write_file(path, sealed(msgspec.msgpack.encode(last), _PURPOSE))


def _states_in(content: bytes | None) -> _States:
    inner = unsealed(content, _PURPOSE)
    return {} if inner is None else msgspec.msgpack.decode(inner, type=_States)
