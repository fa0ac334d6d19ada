"""Random valid arguments for the public functions, and all numbers in what they give back."""

import dataclasses
import inspect
import typing

import numpy as np

from diglot.hardware import (
    Chip,
    Layout,
    Roofline,
    TransformerModel,
    Workload,
    load_catalogue,
    load_models,
)
from diglot.hardware.chips.chip import Price
from tests.hardware.test_impossible_input import GIVEN, NUMBERS, SPECIAL, is_number, is_whole, takes_arrays

CHIPS = tuple(load_catalogue().values())
DECODERS = tuple(each.model for each in load_models().values() if each.model.kind == "decoder")
RANGES = {
    "_fraction": (0.01, 1.0),
    "_per_byte": (0.1, 1e4),
    "_flops_per_s": (1e9, 1e17),
    "_bytes_per_s": (1e7, 1e14),
    "requests_per_s": (1e-3, 1e4),
    "_per_s": (1e-2, 1e16),
    "_usd_per_chip_s": (1e-6, 1.0),
    "latency_s": (1e-9, 1e-3),
    "launch_s": (1e-9, 1e-3),
    "_s": (1e-9, 1e3),
    "_w": (1.0, 2e3),
    "_usd": (1.0, 1e6),
    "_ratio": (1.0, 10.0),
    "_per_j": (1e-10, 1e-6),
    "_j": (1e-13, 1.0),
    "_hz": (1e6, 1e10),
    "_per_cycle": (0.1, 1e6),
    "parameters_count": (1e6, 1e13),
    "axes_count": (1, 6),
    "memory_bytes": (1e9, 1e13),
    "_bytes": (1.0, 1e13),
    "flops": (1.0, 1e26),
}
"""Least and most of numbers, by the end of their names; the first that matches."""
MOST_SIZE = 4096
SMALL = {
    "simulate_cycles": 16,
    "simulate_systolic_array": 64,
    "find_row_distribution": 64,
    "find_busiest_rows": 64,
    "find_mean_wait_s": 64,
    "serve_arrivals": 64,
    "unfold_convolution": 2,
    "lower_convolution": 16,
    "ConvolutionShape": 16,
    "find_best_placement": 16,
    "schedule_pipeline": 8,
    "find_goodput": 8,
    "simulate_users": 16,
}
"""Largest sizes of what works step by step, or place by place."""
MADE = (Chip, TransformerModel, Roofline, Price, Layout)
"""Records that results hand on, whose numbers callers gave or the catalogue has."""


FIXED = {
    **{
        f"NetworkLinks.{name}_time_s": {"chips_count": 8}
        for name in ("all_reduce", "all_gather", "token_exchange")
    },
    "PlacedWays": {"parts": {}},
    "unfold_convolution": {"ifmap": np.ones((5, 5, 3)), "filters": np.ones((3, 3, 3, 2))},
}
"""Arguments that only few values fit."""


def draw_number(rng, name, *, whole, even, most=MOST_SIZE, count=None):
    """A number, or an array of `count`, spread evenly over orders of magnitude; `even`: a power of two."""
    low, high = next((span for end, span in RANGES.items() if name.endswith(end)), (1, most))
    numbers = np.exp(rng.uniform(np.log(low), np.log(high), count))
    if whole or not any(name.endswith(end) for end in RANGES):
        numbers = 2 ** np.log2(numbers).round() if even else numbers
        numbers = np.maximum(np.round(numbers), 1).astype(np.int64)
    return numbers if count is not None else numbers.item()


def draw_choice(rng, parameter):
    """One of the words of a Literal; None where the annotation is not one."""
    words = [
        word
        for part in (parameter.annotation, *typing.get_args(parameter.annotation))
        if typing.get_origin(part) is typing.Literal
        for word in typing.get_args(part)
    ]
    return words[rng.integers(len(words))] if words else None


def draw_record(rng, name):
    """A chip, model, layout or workload; None for other names."""
    if name == "chip":
        return CHIPS[rng.integers(len(CHIPS))]
    if name == "model":
        return DECODERS[rng.integers(len(DECODERS))]
    if name == "layout":
        ways = (int(ways) for ways in 2 ** rng.integers(0, 4, 3))
        return Layout(**dict(zip(("tensor_count", "pipeline_count", "data_count"), ways, strict=True)))
    if name == "workload":
        prompt, output = (int(tokens) for tokens in np.exp(rng.uniform(1, 10, 2)))
        return Workload(prompt_tokens=prompt, output_tokens=output)
    return None


def draw(rng, name, member, *, count=None):
    """Arguments for a callable. With `count`, parameters that take arrays get arrays of that length."""
    special, given = SPECIAL.get(name, {}), {}
    even = bool(rng.random() < 0.5)  # sizes that must divide each other do so more often
    for parameter in inspect.signature(member).parameters.values():
        required = parameter.default is inspect.Parameter.empty
        numeric = is_number(parameter.annotation)
        if parameter.name in special and not numeric:
            given[parameter.name] = special[parameter.name]
        elif numeric and parameter.name not in GIVEN:
            if required or rng.random() < 0.5:
                length = count if takes_arrays(parameter.annotation) else None
                whole = is_whole(parameter.annotation)
                most = SMALL.get(name, MOST_SIZE)
                drawn = draw_number(rng, parameter.name, whole=whole, even=even, most=most, count=length)
                given[parameter.name] = drawn
        elif (choice := draw_choice(rng, parameter)) is not None:
            if required or rng.random() < 0.5:
                given[parameter.name] = choice
        elif (record := draw_record(rng, parameter.name)) is not None:
            if required or rng.random() < 0.5:
                given[parameter.name] = record
        elif required:
            known = parameter.name in GIVEN
            given[parameter.name] = GIVEN[parameter.name] if known else valid_number(parameter.name)
    return {**given, **FIXED.get(name, {})}


def valid_number(name):
    """A number that is valid for a name."""
    return next(value for end, value in NUMBERS.items() if name.endswith(end))


def find_numbers(result, path=""):
    """Path and value of every number in a result: in records, their properties, tuples and mappings."""
    if isinstance(result, (bool, str, type(None), *MADE)) or callable(result):
        return
    if isinstance(result, int | float | np.ndarray | np.generic):
        if np.asarray(result).dtype.kind in "iuf":
            yield path, np.asarray(result)
    elif dataclasses.is_dataclass(result):
        names = [field.name for field in dataclasses.fields(result)]
        names += [
            name
            for name, member in inspect.getmembers(type(result), lambda member: isinstance(member, property))
            if not name.startswith("_")
        ]
        for name in names:
            yield from find_numbers(getattr(result, name), f"{path}.{name}")
    elif isinstance(result, dict):
        for key, value in result.items():
            yield from find_numbers(value, f"{path}[{key}]")
    elif isinstance(result, tuple | list):
        for index, value in enumerate(result):
            yield from find_numbers(value, f"{path}[{index}]")
