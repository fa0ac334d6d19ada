"""What the values and figures on a slide depend on, in short paragraphs for its notes."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from diglot.expressions.numbers import paths_in
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.records import ComputedFigure, Script
from diglot.figures.scripts.value_parts import Parts
from diglot.render.chip_facts import read_chip_view
from diglot.render.facts_read import Fields, chips_of, fields_of, rest_of, together
from diglot.render.strings import Strings
from diglot.render.values import Values
from diglot.render.views import ReadFactView
from diglot.rules.building import Site
from diglot.rules.chips import read_sheets
from diglot.rules.origins import find_parts
from diglot.slides.contents import Paragraph, Run

_MOST_FACTS = 12
"""How many facts the notes of a slide name: a speaker cannot look through more."""


class SlideSources:
    """Writes the sources of the slides of a talk in one language."""

    def __init__(
        self,
        site: Site,
        computed: Mapping[str, ComputedFigure],
        scripts: Mapping[str, Script],
        words: Strings,
    ) -> None:
        """`computed` and `scripts` are those of all figures that the talk shows or quotes, by request."""
        self._computed, self._scripts, self._words = computed, scripts, words
        self._values = Values(words.language, {request: one.data for request, one in computed.items()})
        ids = [one.figure_id for one in scripts.values()]
        self._parts: Mapping[str, Parts] = dict(zip(scripts, site.values(find_parts, ids), strict=True))
        read = {id_ for one in computed.values() for id_ in chips_of(one)}
        sheets = site.value(read_sheets, None).sheets if read else ()
        self._sheets = [one for one in sheets if one.id in read]

    def paragraphs(self, expressions: Iterable[str], requests: Iterable[str]) -> tuple[Paragraph, ...]:
        """The sources of what a slide quotes and shows; none where it does neither."""
        figures: dict[str, None] = {}
        read: dict[str, Fields] = {}
        for expression in expressions:
            for path in paths_in(expression, self._values.figures):
                figures[path.figure] = None
                computed, read_by = self._computed[path.figure], self._read_by(path.figure)
                rest = rest_of(path, computed, read_by, self._parts[path.figure])
                for id_, fields in rest.chips.items():
                    read[id_] = together([read.get(id_, ()), fields])
        for request in requests:
            figures[request] = None
            for sheet in self._read_by(request):
                fields = fields_of(self._computed[request], sheet)
                read[sheet.id] = together([read.get(sheet.id, ()), fields])
        if not figures:
            return ()
        facts = [*self._facts(read)]
        return (
            Paragraph(runs=(Run(text=self._words("sources_word"), bold=True),)),
            *(Paragraph(runs=runs, level=1) for runs in dict.fromkeys(map(self._figure, figures))),
            *(Paragraph(runs=runs, level=1) for runs in islice(facts, _MOST_FACTS)),
            *(
                [Paragraph(runs=self._more(len(facts) - _MOST_FACTS), level=1)]
                if len(facts) > _MOST_FACTS
                else []
            ),
        )

    def _read_by(self, request: str) -> list[ChipSheet]:
        ids = chips_of(self._computed[request])
        return [one for one in self._sheets if one.id in ids]

    def _figure(self, request: str) -> tuple[Run, ...]:
        said = f"{self._words('value_figure')}{self._words('colon')}{FigureRequest.parse(request).figure_id}"
        set_ = self._words("separator").join(
            f"{name} = {value}" for name, value in self._computed[request].parameters
        )
        return (Run(text=" · ".join(one for one in (said, set_, self._scripts[request].path) if one)),)

    def _facts(self, read: Mapping[str, Fields]) -> Iterator[tuple[Run, ...]]:
        for sheet in self._sheets:
            if sheet.id not in read:
                continue
            chip = read_chip_view(sheet, read[sheet.id], "", self._words)
            if read[sheet.id] is None:
                yield (Run(text=f"{chip.name.text}{self._words('colon')}{self._words('facts_all')}"),)
            for fact in chip.facts:
                yield self._fact(chip.name.text, fact)

    def _fact(self, chip: str, fact: ReadFactView) -> tuple[Run, ...]:
        doubted = f"{self._words('semicolon')}{self._words('disagreement')}" if fact.disagreements else ""
        return (
            Run(text=f"{chip} {fact.name} {fact.text} · "),
            Run(text=fact.source.text, link=fact.source.url),
            Run(text=f" ({fact.date}){doubted}"),
        )

    def _more(self, count: int) -> tuple[Run, ...]:
        return (Run(text=self._words("value_facts_more", n=count)),)
