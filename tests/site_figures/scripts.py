"""The site's own figure scripts, found and run as an author would run them: no build, no workers."""

import functools
import inspect
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from diglot.figure_request import FigureRequest
from diglot.figures.scripts.columns import read_columns
from diglot.figures.scripts.plain_data import canonical_json
from diglot.figures.scripts.sweeping import sweep
from diglot.figures.scripts.words import Words
from diglot.languages import Language

ROOT = Path(__file__).parents[2]
ARTICLE = ROOT / "content" / "posts" / "gpu-vs-tpu"
FENCE = re.compile(r"^```\{figure-script\} (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFigure:
    """A script that has been run, from a file or from a fence in the article."""

    figure_id: str
    module: ModuleType

    def data(self, **parameters: Any) -> Any:
        """The values that articles may quote: plain numbers and strings, as a build keeps them.

        They are computed once for each choice of parameters, and each caller gets a copy.
        """
        return json.loads(_compute(self, **parameters))

    def choices(self) -> Iterator[dict[str, Any]]:
        """Every combination of parameters that a reader can choose."""
        domains = {
            name: get_args(hint)
            for name, hint in get_type_hints(self.module.compute).items()
            if get_origin(hint) is Literal
        }
        for values in itertools.product(*domains.values()):
            yield dict(zip(domains, values, strict=True))

    def request(self, choice: dict[str, Any]) -> FigureRequest:
        """What a page asks for to show a choice: the parameters that are not as the script has them."""
        own = inspect.signature(self.module.compute).parameters
        chosen = ((name, str(value)) for name, value in choice.items() if own[name].default != value)
        return FigureRequest.of(self.figure_id, tuple(chosen))

    def words(self, language: Language) -> Words:
        """The `t` of the script."""
        columns, mistakes = read_columns(getattr(self.module, "COLUMNS", {}))
        if mistakes:
            raise ValueError(mistakes)
        return Words(language, columns)

    @property
    def sizes(self) -> tuple[str, ...]:
        """The page sizes that the script declares, and a slide."""
        return (*getattr(self.module, "SIZES", ("narrow", "column")), "slide")


@functools.cache
def _compute(figure: SiteFigure, **parameters: Any) -> bytes:
    return canonical_json(figure.module.compute(**parameters))


def site_figures() -> dict[str, SiteFigure]:
    """All scripts by their id: from `figures/`, and from fences in the article."""
    sources = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "figures").glob("[!_]*.py"))}
    for half in ("zh", "en"):
        sources |= dict(FENCE.findall((ARTICLE / f"{half}.md").read_text("utf-8")))
    return {name: SiteFigure(figure_id=name, module=run_script(name, code)) for name, code in sources.items()}


def run_script(name: str, code: str) -> ModuleType:
    """Run a script as a module, with `figures/` on the path for its helpers."""
    if str(ROOT / "figures") not in sys.path:
        sys.path.append(str(ROOT / "figures"))
    module = ModuleType(f"site_figure_{name}")
    exec(compile(code, f"<{name}>", "exec"), module.__dict__)
    if hasattr(module, "sweep"):
        module.__dict__["sweep"] = _remember_sweeps()
    return module


def _remember_sweeps() -> Callable[..., Any]:
    """`sweep`, which a build does once for all choices of a script's parameters, and so do these tests."""
    swept: dict[str, Any] = {}

    def sweep_once(function: Callable[..., Any], grid: Any) -> Any:
        key = json.dumps([function.__name__, grid])
        if key not in swept:
            swept[key] = sweep(function, grid)
        return swept[key]

    return sweep_once


FIGURES = site_figures()
DRAWN = {name: figure for name, figure in FIGURES.items() if hasattr(figure.module, "draw")}
