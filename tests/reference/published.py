"""The committed cases by id, and what a case expects of one answer."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

DATA = Path(__file__).parent / "data" / "worked_cases.yaml"


@lru_cache(maxsize=1)
def _read_by_id() -> Mapping[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with open(DATA, encoding="utf-8") as file:
        return {case["id"]: case for case in yaml.load(file, Loader=loader)["cases"]}


def read_inputs(id_: str) -> Mapping[str, Any]:
    """What a case gives."""
    return _read_by_id()[id_]["inputs"]


def list_group(group: str) -> list[str]:
    """Ids of the cases of one group."""
    return [id_ for id_, case in _read_by_id().items() if case.get("group") == group]


def expect(id_: str, name: str, *, unit: float = 1.0) -> Any:
    """What the case expects under a name, times `unit`, within the tolerance that it states."""
    return pytest.approx(find_value(id_, name) * unit, rel=_read_by_id()[id_]["tolerance"]["rel"])


def find_value(id_: str, name: str) -> float:
    """The figure itself, in the unit that the case prints it in."""
    (value,) = [entry["value"] for entry in _read_by_id()[id_]["expected"] if entry["name"] == name]
    return float(value)
