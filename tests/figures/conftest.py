"""A project whose scripts are written by the tests, and workers that run them."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from diglot.diagnostics import Diagnostic
from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.jobs import Sheet
from diglot.figures.records import ComputedFigure, DrawnFigure, Observed, Script, WorkerReport
from diglot.figures.scripts.failures import FigureFailed

TITLE = 'TITLE = {"zh": "图", "en": "Figure"}\n'
WORDS = 'def describe(data, t): return t(zh="一张图。", en="A picture.")\n'


class Workshop:
    """A project and its workers. Tests share it, so each writes scripts under names of its own."""

    def __init__(self, root: Path, workers: FigureWorkers) -> None:
        self.root = root
        self.workers = workers

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return file

    def script(self, name: str, text: str, *, title: str = TITLE) -> Script:
        """Write a script into figures/: the title is on line 1, the text begins on line 2."""
        self.write(f"figures/{name}.py", title + textwrap.dedent(text))
        return Script(figure_id=name, path=f"figures/{name}.py")

    def report(self, script: Script, **parameters: str) -> WorkerReport:
        request = FigureRequest.of(script.figure_id, tuple(parameters.items()))
        return self.workers.compute(script, request).result()

    def compute(self, script: Script, **parameters: str) -> ComputedFigure:
        return msgspec.msgpack.decode(self.report(script, **parameters).result, type=ComputedFigure)

    def draw_report(self, script: Script, **parameters: str) -> WorkerReport:
        computed = self.compute(script, **parameters)
        request = FigureRequest.of(script.figure_id, tuple(parameters.items()))
        return self.workers.draw(script, request, computed).result()

    def draw(self, script: Script, language: str = "zh", **parameters: str) -> DrawnFigure:
        return self.draw_report(script, **parameters).drawn(language)

    def export(
        self,
        script: Script,
        language: str = "zh",
        theme: str = "light",
        format: str = "svg",
        **sheet: object,
    ) -> bytes:
        computed = self.compute(script)
        request = FigureRequest.of(script.figure_id)
        on = Sheet(theme=theme, formats=(format,), **sheet)
        report = self.workers.export(script, request, computed, (language,), on).result()
        (file,) = report.files(language)
        return file

    def failure(self, script: Script, **parameters: str) -> FigureFailed:
        """Compute a figure that must fail. Returns the failure."""
        with pytest.raises(FigureFailed) as failed:
            self.report(script, **parameters)
        return failed.value

    def drawing_failure(self, script: Script) -> FigureFailed:
        """Draw a figure that must fail. Returns the failure."""
        with pytest.raises(FigureFailed) as failed:
            self.draw_report(script)
        return failed.value

    def drawing(self, name: str, body: str, *, compute: str = "return {}") -> Script:
        """Write a script with a `draw`, whose `body` begins on line 4."""
        lines = textwrap.dedent(body).strip().splitlines()
        text = f"def compute(): {compute}\ndef draw(figure, data, t):\n"
        return self.script(name, text + "".join(f"    {line}\n" for line in lines) + WORDS)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    root = tmp_path_factory.mktemp("project")
    with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=30) as workers:
        yield Workshop(root, workers)


def only(failed: FigureFailed) -> Diagnostic:
    """The one diagnostic of a failure."""
    (diagnostic,) = failed.diagnostics
    return diagnostic


def seen(observed: tuple[Observed, ...]) -> dict[tuple[str, str], str]:
    """The digests of observations, by kind and name."""
    return {(one.kind, one.name): one.digest for one in observed}
