"""Wherever a public function takes a chip or a model, a name of one does too, and nothing else does."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

import diglot.hardware
from diglot.hardware import (
    Chip,
    Layout,
    find_links,
    load_calibration,
    load_catalogue,
    load_model,
    load_models,
)
from tests.hardware.random_inputs import find_numbers
from tests.hardware.test_impossible_input import GIVEN, call, fill

OTHERS = {
    "find_twisted_torus": {"chip": load_catalogue()["tpu-v4"]},
    "find_power_curve": {"chip": next(chip for chip in load_catalogue().values() if chip.has("power.idle"))},
    "find_achievable_roofline": {"calibration": load_calibration()},
    "replicate_experts": {"model": load_model("mixtral-8x7b")},
    "train_on_chip": {"plan": replace(GIVEN["plan"], layout=Layout(tensor_count=8))},
}
"""Arguments of functions that those of all others do not fit."""


def find_named():
    for name in dir(diglot.hardware):
        member = getattr(diglot.hardware, name)
        if inspect.isfunction(member) and name != "plan":
            for parameter in inspect.signature(member).parameters.values():
                if parameter.name in ("chip", "model"):
                    yield name, parameter.name


NAMED = list(find_named())
IDS = [f"{name}.{parameter}" for name, parameter in NAMED]


def name_of(record):
    if isinstance(record, Chip):
        return record.id
    return next(id_ for id_, sourced in load_models().items() if sourced.model == record)


@pytest.mark.parametrize(("name", "parameter"), NAMED, ids=IDS)
def test_a_name_gives_what_the_record_gives(name, parameter):
    member = getattr(diglot.hardware, name)
    given = {**fill(name, member), **OTHERS.get(name, {})}
    by_name = {**given, parameter: name_of(given[parameter])}
    before, after = (dict(find_numbers(call(member, each))) for each in (given, by_name))
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[path], after[path]) for path in before)


@pytest.mark.parametrize(("name", "parameter"), NAMED, ids=IDS)
def test_an_unknown_name_and_anything_else_are_refused(name, parameter):
    member = getattr(diglot.hardware, name)
    given = {**fill(name, member), **OTHERS.get(name, {})}
    with pytest.raises(KeyError, match="nonsense"):
        call(member, {**given, parameter: "nonsense"})
    with pytest.raises(TypeError, match=f"{parameter} must be"):
        call(member, {**given, parameter: None})


def test_the_catalogue_suggests_the_nearest_name():
    with pytest.raises(KeyError, match="h100-sxm"):
        find_links("h10", Layout(tensor_count=2))
    assert load_model("llama-3.3-70b") == load_model("llama-3-70b")


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("NVIDIA H100", "h100-sxm"),
        ("nvidia-h200", "h200-sxm"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),  # as nvidia-smi prints it
        ("NVIDIA A100-SXM4-80GB", "a100-80"),
        ("NVIDIA GB200 NVL72", "gb200"),
        ("AMD Instinct MI300X", "mi300x"),
        ("Google TPU v5p", "tpu-v5p"),
        ("Google Cloud TPU v6e", "tpu-v6e"),
        ("Google Ironwood", "tpu-v7"),
    ],
)
def test_a_chip_is_found_by_the_name_that_its_vendor_prints(name, id_):
    assert load_catalogue().find(name).id == id_


def test_the_name_of_a_vendor_alone_is_no_chip():
    for name in ("NVIDIA", "AMD H100", "NVIDIA TPU v5p"):
        with pytest.raises(LookupError, match="there is no chip"):
            load_catalogue().find(name)


def test_one_format_by_its_name_is_answered_with_what_to_write():
    with pytest.raises(ValueError, match=r'such as Formats\(weights="fp8".*not \'fp8\'$'):
        diglot.hardware.deploy("llama-3-8b", "h100", formats="fp8")
    with pytest.raises(ValueError, match="formats must be Formats"):
        diglot.hardware.list_operators("llama-3-8b", diglot.hardware.prefill(10), formats="fp8")
