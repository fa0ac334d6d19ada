"""Which installed distributions code depends on. Loaded where code, or what is installed, has changed."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

_NAME = re.compile(r"[A-Za-z0-9._-]+")


class Libraries:
    """The distributions of this installation."""

    def __init__(self, installed: Iterable[str]) -> None:
        """`installed` are names with versions, as folders have them: `ruamel_yaml-0.18`."""
        self._installed = {one: _normal(one.partition("-")[0]) for one in installed}
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
            met: set[str] = set()
            todo = [_normal(distribution)]
            while todo:
                if (name := todo.pop()) not in met:
                    met.add(name)
                    todo += map(_normal, _requirements(name))
            self._required[distribution] = frozenset(met)
        return self._required[distribution]


def _requirements(name: str) -> list[str]:
    try:
        lines = requires(name) or []
    except PackageNotFoundError:  # an extra that is not installed, or a module that no distribution has
        return []
    return [found[0] for line in lines if "extra ==" not in line and (found := _NAME.match(line))]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
