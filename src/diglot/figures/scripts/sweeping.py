"""`sweep`, for use in `compute`: evaluates a function over a grid, distributed over all processes."""

import functools
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from diglot.figures.scripts.code_slice import code_slice_digest
from diglot.figures.scripts.input_requests import InputRequest, InputRequested, Points
from diglot.figures.scripts.plain_data import plain_data
from diglot.figures.scripts.worker_state import Door, state

if TYPE_CHECKING:
    import numpy as np

MOST_POINTS = 1_000_000


def sweep(
    function: Callable[..., Any], grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]]
) -> Any:
    """The function's results at all points of a grid, as numpy arrays in the shape of the grid.

    A mapping of names to values is the grid of their product: `sweep(f, {"m": range(8), "n": [1, 2]})` calls
    `f(m=…, n=…)` 16 times and returns an array of shape (8, 2). A sequence of mappings lists the points and
    gives arrays with one axis for them. If the function returns mappings, the result is a mapping of arrays;
    if it returns arrays or lists of numbers, their axes follow those of the grid. Results that are not
    numbers (text, None, lists of different lengths) give an array of objects in the grid's shape.

    The function must be defined at the top level of a script or module. Arguments and results are plain data;
    results may be NaN or infinite. The random seed is the same at each point. Points are stored: one is
    computed again only if its arguments, or the code or data on which it depends, have changed.

    Raises TypeError or ValueError for an unsuitable function or grid.
    """
    shape, points = _points_of(grid)
    arguments = tuple(_json(point) for point in points)
    if state.door is not None:
        results = state.door(function, arguments) if arguments else ()
    else:  # not in a worker: the script is run by hand or by a test
        results = [call_at(function, one) for one in arguments]
    return _stacked([json.loads(one) for one in results], shape)


def call_at(function: Callable[..., Any], arguments: bytes) -> bytes:
    """The function's result at one point, both as JSON."""
    return _json(plain_data(function(**json.loads(arguments)), "result", finite=False))


def set_door(door: Door) -> None:
    """Set the source of results for `sweep`. Changes the state of this process, which must be a worker."""
    state.door = door


def door_of(known: Mapping[str, tuple[bytes, ...]], script_module: str, source: str | bytes) -> Door:
    """A door that returns the results in `known`, by the digest of the sweep, and requests all others.

    The door raises InputRequested for points that are not known.
    """

    def door(function: Callable[..., Any], arguments: tuple[bytes, ...]) -> Sequence[bytes]:
        module, name = _place_of(function, script_module)
        code = "" if module else code_slice_digest(source, name)
        points = Points(module=module, function=name, code=code, arguments=arguments)
        results = known.get(points.digest)
        if results is None:
            raise InputRequested(InputRequest(points=points))
        return results

    return door


def closed_door(function: Callable[..., Any], arguments: tuple[bytes, ...]) -> Sequence[bytes]:
    """The door of processes in which no sweep can be made."""
    raise RuntimeError("`sweep` can only be used in `compute`, and not inside another sweep")


def find_function(module: object, name: str) -> Callable[..., Any]:
    """The function with this qualified name, which has dots if it is in a class."""
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    return cast("Callable[..., Any]", found)


def _place_of(function: Callable[..., Any], script_module: str) -> tuple[str, str]:
    """The module (empty for the script) and qualified name by which another process finds a function.

    Raises TypeError if it cannot be found in this way.
    """
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    found = None
    if isinstance(module, str) and isinstance(name, str) and module in sys.modules:
        try:
            found = find_function(sys.modules[module], name)
        except AttributeError:
            found = None
    if found is not function or not callable(function):
        shown = name if isinstance(name, str) else repr(function)
        raise TypeError(
            f"sweep takes a function defined at the top level of a script or module, which {shown} is not; "
            "pass such a function, and pass what it needs as values of the grid"
        )
    return cast("tuple[str, str]", ("" if module == script_module else module, name))


def _points_of(grid: Any) -> tuple[tuple[int, ...], list[dict[str, Any]]]:
    """The shape of a grid, and its points in order, the last axis varying fastest."""
    if isinstance(grid, Mapping):
        axes = {name: _values_of(name, values) for name, values in grid.items()}
        shape = tuple(len(values) for values in axes.values())
        count = functools.reduce(lambda a, b: a * b, shape, 1)
        if count > MOST_POINTS:
            raise ValueError(f"the grid has {count:,} points; at most {MOST_POINTS:,} are allowed")
        return shape, [dict(zip(axes, one, strict=True)) for one in itertools.product(*axes.values())]
    if isinstance(grid, str | bytes) or not isinstance(grid, Iterable):
        raise TypeError(f"a grid must be a mapping of names to values or a list of points, not {grid!r}")
    points = list(grid)
    for number, point in enumerate(points):
        if not isinstance(point, Mapping) or not all(isinstance(name, str) for name in point):
            raise TypeError(f"point {number} is not a mapping of names to values: {point!r}")
    if len(points) > MOST_POINTS:
        raise ValueError(f"the grid has {len(points):,} points; at most {MOST_POINTS:,} are allowed")
    return (len(points),), [dict(plain_data(point, f"grid[{n}]")) for n, point in enumerate(points)]


def _values_of(name: Any, values: Any) -> list[Any]:
    if not isinstance(name, str):
        raise TypeError(f"the names of parameters in a grid must be text, not {name!r}")
    if isinstance(values, str | bytes | Mapping) or not (
        isinstance(values, Iterable) or hasattr(values, "tolist")
    ):
        raise TypeError(
            f'the values of "{name}" are not a list: {values!r}; write a single value as [{values!r}]'
        )
    plain = plain_data(list(values), f'grid["{name}"]')
    return cast("list[Any]", plain)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _stacked(values: list[Any], shape: tuple[int, ...]) -> Any:
    """The values of all points as arrays whose first axes are those of the grid."""
    import numpy as np  # noqa: PLC0415  (only scripts that use it load it)

    if values and all(isinstance(value, dict) for value in values):
        names = list(values[0])
        if all(list(value) == names for value in values):
            return {name: _stacked([value[name] for value in values], shape) for name in names}
    if values and _are_numbers(values):
        try:
            array = np.array(values)
        except (ValueError, OverflowError):  # lists of different lengths
            array = None
        if array is not None and array.dtype.kind in "biuf":
            return array.reshape(shape + array.shape[1:])
    if not values:
        return np.zeros(shape)
    return _objects(values, shape)


def _are_numbers(values: Any) -> bool:
    if isinstance(values, list):
        return all(_are_numbers(value) for value in values)
    return isinstance(values, bool | int | float)


def _objects(values: list[Any], shape: tuple[int, ...]) -> "np.ndarray[Any, Any]":
    import numpy as np  # noqa: PLC0415  (only scripts that use it load it)

    array = np.empty(len(values), dtype=object)
    for number, value in enumerate(values):
        array[number] = value
    return array.reshape(shape)
