"""Every number of a hardware record says its unit in its name, and the library knows nothing of the site."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import diglot.hardware

MODULES = [
    importlib.import_module(f"diglot.hardware.{module.name}")
    for module in pkgutil.iter_modules(diglot.hardware.__path__)
    if module.name != "__main__"
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
    ("Claim", "value"),  # as printed, in the unit of the figure it is about
    ("Conflict", "used"),
    ("Routing", "skew"),  # an exponent
    ("Located", "line"),
    ("Table", "line"),
}


def numbers_of(record):
    for field in dataclasses.fields(record):
        parts = {part.strip() for part in str(getattr(field.type, "__name__", field.type)).split("|")}
        if parts & set(NUMBERS) or "NDArray[np.int64]" in str(field.type):
            yield field.name


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_numeric_field_ends_in_a_known_unit(record):
    for name in numbers_of(record):
        assert name.endswith(SUFFIXES) or (record.__name__, name) in WITHOUT_SUFFIX, name


def test_the_check_sees_numbers():
    from diglot.hardware.kernels import Kernel
    from diglot.hardware.systolic import SystolicRun

    assert set(numbers_of(Kernel)) == {"flops", "read_bytes", "written_bytes"}
    assert len(list(numbers_of(SystolicRun))) == len(dataclasses.fields(SystolicRun)) - 1


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_record_is_frozen_and_named_by_keyword(record):
    assert record.__dataclass_params__.frozen
    assert all(field.kw_only for field in dataclasses.fields(record))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_library_is_a_leaf(module):
    imported = set()
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module)
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
    ours = {name for name in imported if name.split(".")[0] == "diglot"}
    assert all(name.startswith("diglot.hardware") for name in ours)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_everything_public_says_what_it_is(module):
    for name, member in inspect.getmembers(module):
        if name.startswith("_") or getattr(member, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(member) or inspect.isfunction(member):
            assert member.__doc__, f"{module.__name__}.{name}"
