"""Which tasks exist: every kind, the module that has it, and the code whose change runs it again.

The modules are imported when one of their tasks first runs: a build with nothing to do imports none of them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec

from diglot.crew import Crew
from diglot.engine import Key, Rule
from diglot.rules.code import code_digest
from diglot.rules.options import SiteOptions
from diglot.rules.tasks import Setting, Task

if TYPE_CHECKING:
    from diglot.figures.workers import FigureWorkers
    from diglot.rules.figure_calls import FigureCalls

SITE = Key("site")

_BASE = ("diagnostics.py", "digests.py", "figure_request.py", "languages.py", "strict_yaml.py", "rules")
_RENDERING = (
    "render",
    "content/expressions.py",
    "content/records.py",
    "figures/palette.py",
    "figures/records.py",
    "project.py",
    "site_map.py",
)


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks of one module of this package, which has a function `tasks`."""

    module: str
    kinds: tuple[str, ...]
    code: tuple[str, ...]
    """Parts of diglot that make the values, besides this package and what all stages share."""


GROUPS = (
    Group(module="sources", kinds=("posts", "post"), code=()),
    Group(
        module="halves",
        kinds=("front-matter", "document", "outline", "frame", "wants"),
        code=("content", "render/parts.py"),
    ),
    Group(module="articles", kinds=("alignment",), code=("content",)),
    Group(
        module="figures",
        kinds=("scripts", "script", "data", "drawing", "download", "dataset", "dataset-row"),
        code=("figures",),
    ),
    Group(
        module="summaries",
        kinds=("project", "summary", "address", "article-at", "site-map", "sequence", "neighbours"),
        code=_RENDERING,
    ),
    Group(
        module="theme",
        kinds=("templates", "words", "same-words", "asset", "asset-path", "assets"),
        code=_RENDERING,
    ),
    Group(module="needs", kinds=("needs",), code=_RENDERING),
    Group(
        module="pages",
        kinds=(
            *("article-page", "both-page", "redirect-page"),
            *("home-page", "terms-page", "term-page", "landing-page", "not-found-page"),
            *("feed", "sitemap", "robots"),
        ),
        code=_RENDERING,
    ),
    Group(module="files", kinds=("copy", "picture-size", "no-jekyll"), code=()),
    Group(module="outputs", kinds=("article-outputs", SITE.kind), code=_RENDERING),
)


def site_rules(
    options: SiteOptions, workers: "Callable[[], FigureWorkers]", calls: "FigureCalls", crew: Crew
) -> Mapping[str, Rule]:
    """The rules of every kind of task; `workers` gives the figure workers when a figure needs them."""
    setting = Setting(options=options, workers=workers, calls=calls, crew=crew)
    return {kind: _rule(kind, group, setting) for group in GROUPS for kind in group.kinds}


def _rule(kind: str, group: Group, setting: Setting) -> Rule:
    def task() -> Task:
        return _tasks(group.module, setting)[kind]

    return Rule(
        kind=kind,
        run=lambda fetch, name: task().run(fetch, name),
        value_type=lambda: task().value_type,
        code=code_digest(*_BASE, *group.code),
    )


@cache
def _tasks(module: str, setting: Setting) -> Mapping[str, Task]:
    tasks: Mapping[str, Task] = import_module(f"diglot.rules.{module}").tasks(setting)
    return tasks
