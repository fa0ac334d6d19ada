"""Every number of a hardware record has its unit in its name, and the library imports nothing of the site."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import diglot.hardware

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(diglot.hardware.__path__, "diglot.hardware.")
    # `validation` reads others' files, in their units, and reports their mistakes by line.
    if not module.name.endswith(".__main__") and ".validation" not in module.name
]
RECORDS = sorted(
    {
        record
        for module in MODULES
        for _, record in inspect.getmembers(module, inspect.isclass)
        if dataclasses.is_dataclass(record) and record.__module__ == module.__name__
    },
    key=lambda record: record.__name__,
)
SUFFIXES = (
    "_bytes", "_bits", "_elements", "_tokens", "_flops", "_macs", "_cycles", "_s", "_hz", "_j", "_w",
    "_flops_per_byte", "_fraction", "_count", "_index", "_usd",
)  # fmt: skip
NUMBERS = ("int", "float", "Size", "Real")
WITHOUT_SUFFIX = {
    ("Kernel", "flops"),  # a suffix of its own
    ("LayeredKernel", "flops"),
    ("Chip", "year"),
    ("Quantity", "value"),  # its unit is a field
    ("Claim", "value"),  # as printed, in the unit of its figure
    ("Conflict", "used"),
    ("Routing", "skew"),
    ("StepOptions", "routing_skew"),  # an exponent
    ("CatalogueProblem", "line"),
    ("NumberFormat", "bias"),  # of an exponent
    ("PowerCurve", "load_exponent"),
    ("Finding", "found_low"),  # their unit is a field
    ("Finding", "found_high"),
    ("Finding", "claimed_low"),
    ("Finding", "claimed_high"),
    ("Estimate", "value"),  # of any unit
    ("Estimate", "low"),
    ("Estimate", "high"),
    ("Spread", "ratio"),
    ("SpreadFit", "ratio"),
    ("Located", "line"),
    ("Table", "line"),
}


def numbers_of(record):
    for field in dataclasses.fields(record):
        parts = {part.strip() for part in str(getattr(field.type, "__name__", field.type)).split("|")}
        if parts & set(NUMBERS) or "NDArray[np.int64]" in str(field.type):
            yield field.name


def test_every_numeric_field_ends_in_a_known_unit():
    fields = {(record.__name__, name) for record in RECORDS for name in numbers_of(record)}
    assert {field for field in fields if not field[1].endswith(SUFFIXES)} - WITHOUT_SUFFIX == set()


def test_the_check_sees_numbers():
    from diglot.hardware import Kernel
    from diglot.hardware.arrays.systolic import SystolicRun

    assert set(numbers_of(Kernel)) == {"flops", "read_bytes", "written_bytes"}
    assert len(list(numbers_of(SystolicRun))) == len(dataclasses.fields(SystolicRun)) - 1


def test_every_record_is_frozen_and_named_by_keyword():
    assert [record for record in RECORDS if not record.__dataclass_params__.frozen] == []
    assert [
        f"{record.__name__}.{field.name}"
        for record in RECORDS
        for field in dataclasses.fields(record)
        if not field.kw_only
    ] == []


def test_the_library_is_a_leaf():
    imported = set()
    for module in MODULES:
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported.add((module.__name__, node.module))
            elif isinstance(node, ast.Import):
                imported |= {(module.__name__, name.name) for name in node.names}
    ours = {(module, name) for module, name in imported if name.split(".")[0] == "diglot"}
    assert {(module, name) for module, name in ours if not name.startswith("diglot.hardware")} == set()


def test_everything_public_says_what_it_is():
    public = {
        f"{module.__name__}.{name}": member
        for module in MODULES
        for name, member in inspect.getmembers(module)
        if not name.startswith("_") and getattr(member, "__module__", None) == module.__name__
        if inspect.isclass(member) or inspect.isfunction(member)
    }
    assert {name for name, member in public.items() if not member.__doc__} == set()


NOT_MODELS = ("spreads", "sizes", "tables", "catalogue_schema", "located_yaml", "units")
"""Modules that check and read numbers of any unit."""
FUNCTIONS = [
    function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__
    and not name.startswith("_")
    and module.__name__.rpartition(".")[2] not in NOT_MODELS
]
METHODS = [
    member.fget if isinstance(member, property) else member
    for record in RECORDS
    for name, member in vars(record).items()
    if not name.startswith("_")
    and not record.__name__.startswith("_")
    and record.__module__.rpartition(".")[2] not in NOT_MODELS
    and (isinstance(member, property) or inspect.isfunction(member))
]
DIMENSIONS = {
    "m", "k", "n", "batch", "rows", "cols", "columns", "elements", "inputs", "tokens", "width", "channels",
    "filters", "stride", "ifmap_height", "ifmap_width", "filter_height", "filter_width", "chips", "ways",
    "flops",
}  # fmt: skip
"""Conventional names of counts: of array elements, or of what the name says."""
NOT_QUANTITIES = {
    ("find_pareto_front", "throughput"), ("find_best_within", "throughput"),  # only their order matters
    ("simulate_systolic_array", "a"), ("simulate_systolic_array", "b"), ("simulate_cycles", "a"),
    ("simulate_cycles", "b"), ("unfold_convolution", "ifmap"),  # matrices
    ("find_best_within", "return"),  # an index
    ("Torus.axes", "return"), ("lower_convolution", "return"), ("ConvolutionShape.gemm_sizes", "return"),
    ("unfold_convolution", "return"), ("Operator.flops", "return"),  # sizes of arrays, FLOPs
    ("NumberFormat.largest", "return"), ("NumberFormat.smallest_normal", "return"),
    ("NumberFormat.smallest", "return"), ("NumberFormat.epsilon", "return"),
    ("NumberFormat.round", "return"), ("NumberFormat.round", "values"), ("BlockFormat.round", "return"),
    ("BlockFormat.round", "values"),  # numbers without a unit
}  # fmt: skip
PER = r"(_(chip|cycle|sequence|element|layer|host|million_tokens|s|byte|flop|j|usd))"
ENDS = "|".join((*SUFFIXES, "_ways", "_ratio", "_rows", "_depth", "_pools"))
UNIT_OF_NAME = re.compile(rf"({ENDS})(_per{PER})?$|^_(bytes|chips)_")
UNIT_IN_WORDS = re.compile(
    r"\b(bytes?|[Bb]its|decibels|Powers of ten|decimal digits"
    r"|seconds?|in s|in J|FLOPs?(/s)?|tokens?|elements?|cycles?|joules?|dollars?|USD|watts?"
    r"|fractions?|share|ratio|rows?|Number of|How many)\b",
    re.IGNORECASE,
)


def is_quantity(annotation):
    text = str(annotation)
    return annotation in (int, float) or "NDArray[np" in text or "SizeLike" in text


def test_every_numeric_parameter_says_its_unit():
    unnamed = {
        (function.__qualname__, name)
        for function in FUNCTIONS + METHODS
        for name, parameter in inspect.signature(function).parameters.items()
        if is_quantity(parameter.annotation)
        and not (UNIT_OF_NAME.search(f"_{name}") or name in DIMENSIONS or f"`{name}`" in function.__doc__)
    }
    assert unnamed - NOT_QUANTITIES == set()


def test_every_number_given_back_says_its_unit():
    unnamed = {
        (function.__qualname__, "return")
        for function in FUNCTIONS + METHODS
        if is_quantity(inspect.signature(function).return_annotation)
        and not UNIT_OF_NAME.search(f"_{function.__name__}")
        and not function.__name__.startswith("count_")
        and not UNIT_IN_WORDS.search(function.__doc__)
    }
    assert unnamed - NOT_QUANTITIES == set()
