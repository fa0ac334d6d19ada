"""The rules of all tasks; a change of the code of the module that declares them runs them again.

The modules are imported when the first task runs, so that a build with nothing to do imports none.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from diglot.engine import Key, LateRules, Rule
from diglot.rules.code import task_codes

SITE = Key("site")
"""The task of a whole build: `assembly.outputs.list_outputs`."""


def site_rules(cache: Path) -> LateRules:
    """The rules of every kind of task. `cache` is the site's."""
    codes = task_codes(cache)
    return LateRules(codes, lambda: _load(codes))


def _load(codes: Mapping[str, str]) -> Mapping[str, Rule]:
    from diglot.rules.tasks import Task  # noqa: PLC0415  (imported only when the first task runs)

    return {
        one.kind: one.rule(code)
        for module, code in codes.items()
        for one in vars(import_module(module)).values()
        if isinstance(one, Task) and one.module == module
    }
