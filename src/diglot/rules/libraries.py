"""Which installed distributions code depends on. Loaded where code, or what is installed, has changed."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from typing import NamedTuple

_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([^\"']+)")


class Requirement(NamedTuple):
    """A distribution that is required, with extras."""

    name: str
    extras: tuple[str, ...] = ()


def read_requirement(line: str) -> Requirement:
    """What a line such as `diglot[search, hant]==0.1` requires, without versions and conditions."""
    found = _REQUIREMENT.match(line)
    if found is None:
        return Requirement("")
    extras = (one.strip() for one in (found[2] or "").split(","))
    return Requirement(normal_name(found[1]), tuple(map(normal_name, filter(None, extras))))


def with_required(requirements: Iterable[Requirement]) -> frozenset[str]:
    """The names of distributions, and of all that they require, as far as they are installed here."""
    met: set[Requirement] = set()
    todo = list(requirements)
    while todo:
        if (requirement := todo.pop()) not in met:
            met.add(requirement)
            todo += _requirements(requirement)
    return frozenset(requirement.name for requirement in met)


class Libraries:
    """The distributions of this installation."""

    def __init__(self, installed: Iterable[str]) -> None:
        """`installed` are names with versions, as folders have them: `ruamel_yaml-0.18`."""
        self._installed = {one: normal_name(one.partition("-")[0]) for one in installed}
        self._of_modules = packages_distributions()
        self._required: dict[str, frozenset[str]] = {}

    def needed_by(self, modules: Iterable[str]) -> list[str]:
        """Those that some top-level modules are from, with all that these require; names with versions."""
        needed: set[str] = set()
        for module in modules:
            for name in (module, *(self._of_modules.get(module) or ())):
                needed |= self._with_required(name or module)
        return [one for one, name in self._installed.items() if name in needed]

    def _with_required(self, distribution: str) -> frozenset[str]:
        if distribution not in self._required:
            self._required[distribution] = with_required([Requirement(normal_name(distribution))])
        return self._required[distribution]


def _requirements(requirement: Requirement) -> list[Requirement]:
    try:
        lines = requires(requirement.name) or []
    except (
        PackageNotFoundError,
        ValueError,
    ):  # an extra that is not installed, or a module of no distribution
        return []
    extras = {line: _EXTRA.search(line) for line in lines}
    return [
        read_requirement(line)
        for line, extra in extras.items()
        if extra is None or normal_name(extra[1]) in requirement.extras
    ]


def normal_name(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
