"""Files of cases, and what is wrong with them: told by file and line, while all else is judged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """Something in a file of cases that cannot be judged."""

    path: str
    line: int
    """From 1; 0 where the file as a whole is meant."""
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" if self.line else f"{self.path}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """The cases of a file that can be judged, and its mistakes."""

    cases: tuple[Mapping[str, Any], ...]
    mistakes: tuple[Mistake, ...]


def read_text(path: Path) -> str | Mistake:
    """The text of a file, or why it cannot be had."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        return Mistake(path=str(path), line=0, what=error.strerror or str(error))
    except UnicodeDecodeError:
        return Mistake(path=str(path), line=0, what="not a text in UTF-8")


def read_case_file(path: Path) -> CaseFile:
    """The cases of a file of the schema `worked-cases/1`."""
    text = read_text(path)
    return CaseFile(cases=(), mistakes=(text,)) if isinstance(text, Mistake) else _parse_once(text, path)


@cache
def _parse_once(text: str, path: Path) -> CaseFile:
    try:
        document, node = yaml.load(text, Loader=LOADER), yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error)
        return _refuse(path, mark.line + 1 if mark else 1, f"no YAML: {what}")
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        return _refuse(path, 1, "needs a list `cases`")
    assert isinstance(node, yaml.MappingNode)  # noqa: S101  (what was loaded from it is a dict)
    lines = _find_lines(node)
    good: list[Mapping[str, Any]] = []
    mistakes: list[Mistake] = []
    places: dict[str, int] = {}
    for case, line in zip(document["cases"], lines, strict=True):
        wrong = [*_find_mistakes(case)]
        if not wrong and case["id"] in places:
            wrong = [f'"{case["id"]}" is already defined on line {places[case["id"]]}']
        if wrong:
            mistakes += [Mistake(path=str(path), line=line, what=what) for what in wrong]
        else:
            places[case["id"]] = line
            good.append(case)
    return CaseFile(cases=tuple(good), mistakes=tuple(mistakes))


def _refuse(path: Path, line: int, what: str) -> CaseFile:
    return CaseFile(cases=(), mistakes=(Mistake(path=str(path), line=line, what=what),))


def _find_lines(node: yaml.MappingNode) -> list[int]:
    (cases,) = [value for key, value in node.value if key.value == "cases"][-1:]
    return [case.start_mark.line + 1 for case in cases.value]


def _find_mistakes(case: Any) -> Iterator[str]:
    if not isinstance(case, dict):
        yield f"a case is a mapping, not {case!r}"
        return
    name = case.get("id")
    if not isinstance(name, str) or not name:
        yield f"a case needs an `id` that is text, not {name!r}"
    if not isinstance(case.get("category"), str):
        yield f"{name}: `category` must be text, not {case.get('category')!r}"
    if not isinstance(case.get("inputs"), dict):
        yield f"{name}: `inputs` must be a mapping, not {case.get('inputs')!r}"
    if case.get("compare") not in ("equal", "bound"):
        yield f"{name}: `compare` must be equal or bound, not {case.get('compare')!r}"
    expected = case.get("expected")
    if not isinstance(expected, list) or not expected:
        yield f"{name}: `expected` must be a list of values, not {expected!r}"
        return
    for value in expected:
        if not isinstance(value, dict) or {"name", "value", "unit"} - value.keys():
            yield f"{name}: an expected value needs name, value and unit, not {value!r}"
        elif not is_number(value["value"]):
            yield f"{name}: {value['name']} must be a number, not {value['value']!r}"
    tolerance = case.get("tolerance")
    relative = tolerance.get("rel") if isinstance(tolerance, dict) else None
    if case.get("compare") == "equal" and not (is_number(relative) and float(relative or 0) >= 0):
        yield f"{name}: `tolerance.rel` must be a number from 0 on, not {relative!r}"


def is_number(value: Any) -> bool:
    """Whether it can be taken for a finite number: YAML 1.1 takes `1e12` for text."""
    try:
        return not isinstance(value, bool) and abs(float(value)) < float("inf")
    except (TypeError, ValueError):
        return False
