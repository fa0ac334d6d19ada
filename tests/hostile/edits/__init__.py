"""Every kind of edit: the public functions of these modules, each saying what a person or a tool does."""

from collections.abc import Iterator
from inspect import isfunction
from types import ModuleType

from tests.hostile.edits import (
    articles,
    bodies,
    configuration,
    figures,
    front,
    pictures,
    shown,
    static,
    surroundings,
    theme,
    tools,
)
from tests.hostile.edits.project import Kind


def kinds_of(*modules: ModuleType) -> Iterator[tuple[str, Kind]]:
    """The kinds of some modules, by names such as `front: set_a_slug`."""
    for module in modules:
        for name, value in vars(module).items():
            if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{module.__name__.rpartition('.')[2]}: {name}", value


OF_FILES = (bodies, pictures, shown, front, articles, figures, configuration, static, theme, tools)
"""What only changes files, and so can be done beside a preview, too."""
KINDS = dict(kinds_of(*OF_FILES, surroundings))
