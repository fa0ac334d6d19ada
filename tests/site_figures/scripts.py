"""The site's own figure scripts, found and run as an author would run them: no build, no workers."""

import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from diglot.figures.scripts.plain_data import plain_data

ROOT = Path(__file__).parents[2]
ARTICLE = ROOT / "content" / "posts" / "gpu-vs-tpu"
FENCE = re.compile(r"^```\{figure-script\} (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFigure:
    """A script that has been run, wherever it stands."""

    figure_id: str
    module: ModuleType

    def data(self, **parameters: Any) -> Any:
        """What prose reads: plain numbers and words, as a build would keep them."""
        return plain_data(self.module.compute(**parameters))

    def choices(self) -> Iterator[dict[str, Any]]:
        """Every choice a reader can make of its parameters."""
        domains = {
            name: get_args(hint)
            for name, hint in get_type_hints(self.module.compute).items()
            if get_origin(hint) is Literal
        }
        for values in itertools.product(*domains.values()):
            yield dict(zip(domains, values, strict=True))

    @property
    def sizes(self) -> tuple[str, ...]:
        """The page sizes it says it is drawn for, and a slide."""
        return (*getattr(self.module, "SIZES", ("narrow", "column")), "slide")


def site_figures() -> dict[str, SiteFigure]:
    """All scripts by their id: files, the article's own folder, and fences in the article."""
    sources = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "figures").glob("[!_]*.py"))}
    sources |= {path.stem: path.read_text("utf-8") for path in sorted((ARTICLE / "figures").glob("*.py"))}
    for half in ("zh", "en"):
        sources |= dict(FENCE.findall((ARTICLE / f"{half}.md").read_text("utf-8")))
    return {name: SiteFigure(figure_id=name, module=run_script(name, code)) for name, code in sources.items()}


def run_script(name: str, code: str) -> ModuleType:
    """The script as a module; its helpers are found beside the others."""
    if str(ROOT / "figures") not in sys.path:
        sys.path.append(str(ROOT / "figures"))
    module = ModuleType(f"site_figure_{name}")
    exec(compile(code, f"<{name}>", "exec"), module.__dict__)
    return module


FIGURES = site_figures()
DRAWN = {name: figure for name, figure in FIGURES.items() if hasattr(figure.module, "draw")}
