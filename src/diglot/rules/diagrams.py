"""Tasks for diagrams in articles: a diagram is drawn again if it changes itself, or what draws it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from msgspec.structs import replace

from diglot.content.records import Diagram
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.diagrams.records import DiagramKind, Drawing, Sketch, Slip
from diglot.engine import Packs
from diglot.languages import Language
from diglot.render.materials import DrawnDiagram
from diglot.rules.context import TaskContext
from diglot.rules.halves import cut_references
from diglot.rules.ids import DiagramId, HalfId
from diglot.rules.options import DOT, MERMAID
from diglot.rules.parsed_halves import References
from diglot.rules.tasks import Fetch, in_worker, task

if TYPE_CHECKING:
    from diglot.diagrams.mermaid import Mermaid


@task("sketch")
async def find_sketch(fetch: Fetch, name: DiagramId) -> Sketch | None:
    """A diagram as it is described, wherever it is in the half; None if the half has fewer."""
    diagrams = (await fetch(cut_references, name.half)).diagrams
    return _sketch(diagrams, name) if name.number < len(diagrams) else None


def _sketch(diagrams: Sequence[Diagram], name: DiagramId) -> Sketch:
    diagram = diagrams[name.number]
    kind: DiagramKind = next(one for one in get_args(DiagramKind) if one == diagram.kind)
    language: Language = name.half.language
    prefix = f"diagram-{language}-{name.number + 1}"
    return Sketch(kind=kind, source=diagram.source, language=language, name=prefix, alt=diagram.alt)


@task("diagram")
async def draw_diagram(fetch: Fetch, name: DiagramId) -> Drawing:
    """A diagram, or why it cannot be drawn: with lines of its own, so that text above it changes nothing."""
    sketch = await fetch(find_sketch, name)
    if sketch is None:
        return Drawing()
    if sketch.kind == "dot":
        if not await fetch(DOT):
            return _missing("`dot` draws it, which is not installed", "install the package `graphviz`.")
        return await in_worker(fetch, _graph, sketch)
    from diglot.diagrams.mermaid import missing_of_mermaid, read_drawing  # noqa: PLC0415  (likewise)

    if not await fetch(MERMAID):
        fix = missing_of_mermaid(fetch.context.root) or "install Mermaid and Chromium."
        return _missing("Mermaid draws it in Chromium, and one of them is not installed", fix)
    drawn = await fetch.wait(fetch.context.keep(_mermaid).draw(sketch))
    if isinstance(drawn, str):
        return read_drawing(drawn, sketch)
    if drawn.retry:
        references = await fetch(cut_references, name.half)
        raise _Unsteady(_Place(references.path, references.diagrams[name.number]).diagnostic(drawn.slip))
    return Drawing(slip=drawn.slip)


class _Unsteady(DiagnosticError):
    retry = True


def _missing(message: str, fix: str) -> Drawing:
    return Drawing(slip=Slip(message=message, fix=fix, line=0))


def _graph(_packs: Packs, sketch: Sketch) -> Drawing:
    from diglot.diagrams.graphviz import draw_graph  # noqa: PLC0415  (few sites have diagrams)

    return draw_graph(sketch)


def _mermaid(context: TaskContext) -> "Mermaid":
    from diglot.diagrams.mermaid import Mermaid  # noqa: PLC0415  (likewise)

    return Mermaid(context.root)


async def draw_diagrams(fetch: Fetch, half: HalfId, references: References) -> tuple[DrawnDiagram, ...]:
    """The diagrams of a half. Raises DiagnosticError with what is wrong with any of them."""
    count = range(len(references.diagrams))
    drawings = await fetch.all(draw_diagram, [DiagramId(half, number) for number in count])
    mistakes, warnings = [], []
    for diagram, drawing in zip(references.diagrams, drawings, strict=True):
        place = _Place(references.path, diagram)
        if drawing.slip is not None:
            mistakes.append(place.diagnostic(drawing.slip))
        warnings += [place.warning(slip) for slip in drawing.warnings]
    if mistakes:
        raise DiagnosticError(*mistakes)
    fetch.report(*warnings)
    return tuple(
        DrawnDiagram(svg=drawing.svg, alt=diagram.alt)
        for diagram, drawing in zip(references.diagrams, drawings, strict=True)
    )


class _Place:
    """Where a diagram is."""

    def __init__(self, path: str, diagram: Diagram) -> None:
        self._path, self._diagram = path, diagram
        self._lines = diagram.source.split("\n")

    def warning(self, slip: Slip) -> Diagnostic:
        """What a program says about a diagram that it draws."""
        return replace(
            self.diagnostic(slip), rule="diagram-warning", severity="warning", message=slip.message
        )

    def diagnostic(self, slip: Slip) -> Diagnostic:
        """What is wrong, at a line of the article; line 0 is that of the fence."""
        number = min(slip.line, len(self._lines))
        return Diagnostic(
            rule="diagram-failed",
            message=f"this diagram cannot be drawn: {slip.message}",
            location=Location(
                path=self._path,
                line=self._diagram.line + number - 1 if number else self._diagram.fence_line,
            ),
            source_line=self._lines[number - 1].strip() if number else f"```{self._diagram.kind}",
            fix=slip.fix,
        )
