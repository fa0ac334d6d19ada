"""Compiles each template once a process, and not for each site that is built in it."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment


def compile_once() -> None:
    """Keep the code of templates. All environments of diglot compile alike."""
    compile_really = Environment.compile
    known: dict[tuple[object, ...], Any] = {}

    def compile_it(self: Environment, source: Any, *where: Any, **options: Any) -> Any:
        key = (type(self), source, where, *options.items())
        if key not in known:
            known[key] = compile_really(self, source, *where, **options)
        return known[key]

    Environment.compile = compile_it  # type: ignore[method-assign, assignment]  (it stands in for the method)


@cache
def compile_all() -> None:
    """Compile the templates of the theme that comes with diglot, as the build of a small site does."""
    from tests.space import Space  # here, because it loads what builds sites

    with TemporaryDirectory() as folder:
        space = Space(Path(folder))
        space.post("a", zh="好。", en="Good.")
        space.build(jobs=1)
