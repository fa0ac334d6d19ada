"""Compares what was known of a project with what is known now."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeVar

import msgspec

from diglot.comparing.doubts import Doubt, doubts_in, outdated_in
from diglot.comparing.records import BoundValue, Facts, Sentence, ShownFigure, TextBlock, TextHalf
from diglot.content.computed_numbers import KnownNumbers
from diglot.diagnostics import Diagnostic
from diglot.expressions.numbers_of import earlier_numbers, numbers_within
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES, Language
from diglot.slides.changes import Change, list_changes


class ChangedInput(msgspec.Struct, frozen=True, kw_only=True):
    """A file, or a chip in a file, that is not what it was."""

    path: str
    """Of a chip, its file and id: `site/hardware/a.yaml#one`."""
    kind: str
    """`added`, `removed` or `changed`."""
    fields: tuple[Change, ...] = ()
    """What a chip says now, and said before."""


class ChangedValue(msgspec.Struct, frozen=True, kw_only=True):
    """An expression that stands for another text."""

    expression: str
    texts: Mapping[Language, tuple[str, str]]
    """Before and after, in the languages that quote it."""
    share: float | None
    """How much larger it has become, as a share of what it was; None if it is no number or was 0."""
    places: tuple[str, ...]
    """File and line of each place that quotes it now."""
    is_large: bool
    """Whether it moved beyond the threshold."""


class ChangedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that is not what it was."""

    request: str
    kind: str
    script: str
    data: tuple[Change, ...]
    pictures: Mapping[Language, tuple[str, str]]
    """The drawings that differ, before and after, as SVG; empty text for none."""
    rests_on: tuple[str, ...]
    """Those of the changed inputs that it has read."""
    shown_in: tuple[str, ...]
    """The files of the texts that show it."""


class ChangedSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that reads differently."""

    before: str
    """Empty for a new one."""
    after: str
    """Empty for one that is gone."""
    path: str
    line: int
    """In the file as it is now; of a sentence that is gone, as it was."""
    values: tuple[tuple[str, str, str], ...] = ()
    """The values in it that moved: expression, before, after."""


class ChangedBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block, and its twin, in which sentences read differently."""

    article: str
    id: str
    slide: int
    sentences: Mapping[Language, tuple[ChangedSentence, ...]]


class ChangedSlide(msgspec.Struct, frozen=True, kw_only=True):
    """A slide on which something has changed."""

    talk: str
    number: int
    title: str
    languages: tuple[Language, ...]
    """Those whose text has changed."""
    figures: tuple[str, ...]
    """The figures on it that have changed."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """All that is different, the most urgent first."""

    doubts: tuple[Doubt, ...]
    values: tuple[ChangedValue, ...]
    figures: tuple[ChangedFigure, ...]
    blocks: tuple[ChangedBlock, ...]
    slides: tuple[ChangedSlide, ...]
    inputs: tuple[ChangedInput, ...]
    mistakes: tuple[Diagnostic, ...] = ()
    """Errors of the project as it is now."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed."""
        found = (self.doubts, self.values, self.figures, self.blocks, self.slides, self.inputs)
        return not any(found)

    @property
    def broken(self) -> tuple[Doubt, ...]:
        """The assertions that no longer hold, so that the site does not build."""
        return tuple(one for one in self.doubts if one.rule == "assertion")


def compare(then: Facts, now: Facts, *, threshold: float) -> Changes:
    """What is different. Values that moved by more than `threshold`, a share, come first."""
    inputs = tuple(_inputs(then, now))
    pairs = {name: _paired(then.halves.get(name), half) for name, half in now.halves.items()}
    pairs |= {name: _paired(half, None) for name, half in then.halves.items() if name not in now.halves}
    halves = {name: now.halves.get(name) or then.halves[name] for name in pairs}
    figures = tuple(sorted(_figures(then, now, inputs), key=lambda one: not one.shown_in))
    blocks = tuple(_blocks(halves, pairs))
    doubts = [doubt for name, half in halves.items() for doubt in doubts_in(half, pairs[name])]
    doubts += (one for half in now.halves.values() for one in outdated_in(half, _known(half, then, now)))
    return Changes(
        doubts=tuple(sorted(doubts, key=lambda one: one.order)),
        values=tuple(_values(then, now, threshold)),
        figures=figures,
        blocks=blocks,
        slides=tuple(_slides(halves, pairs, {one.request for one in figures})),
        inputs=inputs,
        mistakes=now.mistakes,
    )


def _known(half: TextHalf, then: Facts, now: Facts) -> KnownNumbers:
    """The numbers of the figures that a half shows or quotes, and those of before that are others now."""
    if not half.typed:
        return KnownNumbers(())
    before, after = (
        [
            number
            for text in half.figures
            if (figure := facts.figures.get(text)) is not None
            for number in numbers_within(FigureRequest.parse(text).expression, figure.data)
        ]
        for facts in (then, now)
    )
    return KnownNumbers(after, earlier_numbers(before, after), half.units)


# Blocks

Pair = tuple[TextBlock | None, TextBlock | None]
"""A block then and now; None where it was not there."""

_Item = TypeVar("_Item")


def _paired(then: TextHalf | None, now: TextHalf | None) -> list[Pair]:
    """The blocks of a half then and now. What its author wrote tells which are the same."""
    before, after = (() if half is None else half.blocks for half in (then, now))
    return [*_aligned(before, after, lambda block: (block.template, block.figures))]


def _aligned(
    before: Sequence[_Item], after: Sequence[_Item], key: Callable[[_Item], Hashable]
) -> Iterator[tuple[_Item | None, _Item | None]]:
    """Items in pairs: those with the same key, and those that are between the same neighbours."""
    matcher = SequenceMatcher(None, [*map(key, before)], [*map(key, after)], autojunk=False)
    for kind, start, end, from_, to in matcher.get_opcodes():
        old, new = before[start:end], after[from_:to]
        if kind in ("equal", "replace"):
            both = min(len(old), len(new))
            yield from zip(old[:both], new[:both], strict=True)
            old, new = old[both:], new[both:]
        yield from ((one, None) for one in old)
        yield from ((None, one) for one in new)


def _sentences(pair: Pair, path: str) -> tuple[ChangedSentence, ...]:
    before, after = (() if block is None else block.sentences for block in pair)
    return tuple(
        _sentence(old, new, path)
        for old, new in _aligned(before, after, lambda one: one.template)
        if (old.text if old else "") != (new.text if new else "")
    )


def _sentence(old: Sentence | None, new: Sentence | None, path: str) -> ChangedSentence:
    moved: tuple[tuple[str, str, str], ...] = ()
    if old is not None and new is not None and old.template == new.template:
        values = zip(old.values, new.values, strict=True)
        moved = tuple((b.expression, a.text, b.text) for a, b in values if a.text != b.text)
    place = new or old
    return ChangedSentence(
        before=old.text if old else "",
        after=new.text if new else "",
        path=path,
        line=place.line if place else 1,
        values=moved,
    )


def _blocks(halves: Mapping[str, TextHalf], pairs: Mapping[str, Sequence[Pair]]) -> Iterator[ChangedBlock]:
    """Changed blocks, each with its twin, in the order of the texts."""
    found: dict[tuple[str, str], dict[Language, tuple[ChangedSentence, ...]]] = {}
    slides: dict[tuple[str, str], int] = {}
    for article in sorted({half.article for half in halves.values()}):
        for language in LANGUAGES:
            name = f"{article}:{language}"
            for pair in pairs.get(name, ()):
                block = pair[1] or pair[0]
                if block is not None and (changed := _sentences(pair, halves[name].path)):
                    sentences = found.setdefault((article, block.id), {})
                    sentences[language] = (*sentences.get(language, ()), *changed)
                    slides.setdefault((article, block.id), block.slide)
    for (article, id_), sentences in found.items():
        yield ChangedBlock(article=article, id=id_, slide=slides[article, id_], sentences=sentences)


def _slides(
    halves: Mapping[str, TextHalf], pairs: Mapping[str, Sequence[Pair]], figures: set[str]
) -> Iterator[ChangedSlide]:
    languages: dict[tuple[str, int], list[Language]] = {}
    on_slide: dict[tuple[str, int], dict[str, None]] = {}
    titles: dict[tuple[str, int], str] = {}
    for name, half in halves.items():
        if half.kind != "talk":
            continue
        for pair in pairs[name]:
            block = pair[1] or pair[0]
            if block is None:
                continue
            slide = (half.article, block.slide)
            changed = [one for one in block.figures if one in figures]
            if _sentences(pair, half.path) and half.language not in languages.get(slide, []):
                languages.setdefault(slide, []).append(half.language)
            on_slide.setdefault(slide, {}).update(dict.fromkeys(changed))
            if 0 < block.slide <= len(half.slides) and half.slides[block.slide - 1]:
                titles[slide] = half.slides[block.slide - 1]
    for slide in sorted({*languages, *(one for one, shown in on_slide.items() if shown)}):
        yield ChangedSlide(
            talk=slide[0],
            number=slide[1],
            title=titles.get(slide, ""),
            languages=tuple(languages.get(slide, ())),
            figures=tuple(on_slide.get(slide, ())),
        )


# Values


def _values(then: Facts, now: Facts, threshold: float) -> Iterator[ChangedValue]:
    """Values that both quote, those that moved most first."""
    before, after = ({value.expression: value for value in _bound(facts)} for facts in (then, now))
    texts_before, texts_after = _texts(then), _texts(now)
    places: dict[str, dict[str, None]] = {}
    for half in now.halves.values():
        for value in _bound_in(half):
            places.setdefault(value.expression, {})[f"{half.path}:{value.line}"] = None
    found = []
    for expression, value in after.items():
        texts = {
            language: (old, texts_after[key])
            for language in LANGUAGES
            if (old := texts_before.get(key := (expression, language))) is not None and key in texts_after
        }
        if expression not in before or all(old == new for old, new in texts.values()):
            continue
        share = _share(before[expression].number, value.number)
        found.append(
            ChangedValue(
                expression=expression,
                texts=texts,
                share=share,
                places=tuple(places.get(expression, ())),
                is_large=share is None or abs(share) > threshold,
            )
        )
    yield from sorted(found, key=_order)


def _order(value: ChangedValue) -> tuple[bool, float]:
    """Large moves first; those that differ by rounding alone stay in the order of the texts."""
    return not value.is_large, -round(abs(value.share or 0.0), 9)


def _bound(facts: Facts) -> Iterator[BoundValue]:
    return (value for half in facts.halves.values() for value in _bound_in(half))


def _bound_in(half: TextHalf) -> Iterator[BoundValue]:
    return (value for block in half.blocks for sentence in block.sentences for value in sentence.values)


def _texts(facts: Facts) -> dict[tuple[str, Language], str]:
    return {
        (value.expression, half.language): value.text
        for half in facts.halves.values()
        for value in _bound_in(half)
    }


def _share(old: float | None, new: float | None) -> float | None:
    return None if old is None or new is None or not old else (new - old) / abs(old)


# Figures and inputs


def _figures(then: Facts, now: Facts, changed: Iterable[ChangedInput]) -> Iterator[ChangedFigure]:
    for request, shown in _each_figure(then, now):
        old, new = then.figures.get(request), now.figures.get(request)
        pictures = {}
        for language in LANGUAGES:
            before, after = ("" if one is None else one.pictures.get(language, "") for one in (old, new))
            if before != after:
                pictures[language] = (before, after)
        data = tuple(list_changes(old.data, new.data)) if old is not None and new is not None else ()
        if old is not None and new is not None and not data and not pictures:
            continue
        read = {*shown.files, shown.script, *(row.rpartition("#")[2] for row in shown.rows)}
        yield ChangedFigure(
            request=request,
            kind=_kind(old, new),
            script=shown.script,
            data=data,
            pictures=pictures,
            rests_on=tuple(sorted(one.path for one in changed if _is_read(one, read))),
            shown_in=tuple(_shown_in(now if new is not None else then, request)),
        )


def _each_figure(then: Facts, now: Facts) -> Iterator[tuple[str, ShownFigure]]:
    """All figures. One that values ask for with its parameters' defaults is reported as the figure itself."""
    halves = (half for facts in (then, now) for half in facts.halves.values())
    in_texts = {request for half in halves for block in half.blocks for request in block.figures}
    told = set()
    for request, shown in sorted({**then.figures, **now.figures}.items()):
        figure = (FigureRequest.parse(request).figure_id, shown.parameters)
        if figure not in told or request in in_texts:
            told.add(figure)
            yield request, shown


def _is_read(changed: ChangedInput, read: set[str]) -> bool:
    """Whether a changed file, or what has changed of a chip in one, is among what a figure has read."""
    file, _, chip = changed.path.partition("#")
    if not chip:
        return file in read
    if f"chip:{chip}" not in read:
        return False
    whole = not changed.fields or f"quantities:{chip}" in read
    return whole or any(_is_row_of(one.path, chip, read) for one in changed.fields)


def _is_row_of(path: str, chip: str, read: set[str]) -> bool:
    """Whether a figure has read what is at a path of a chip's description: `memory.bandwidth.value`."""
    keys = re.split(r"[.\[]", path)
    if keys[0] in ("prices", "conflicts"):
        return f"{keys[0]}:{chip}" in read
    fields = [".".join(keys[:n]).removesuffix("_ghz") for n in range(1, len(keys) + 1)]
    return any(f"quantity:{chip}:{field}" in read for field in fields) or len(keys) == 1


def _shown_in(facts: Facts, request: str) -> Iterator[str]:
    figure = FigureRequest.parse(request).figure_id
    for half in facts.halves.values():
        shows = any(request in block.figures for block in half.blocks)
        if shows or any(figure in value.expression for value in _bound_in(half)):
            yield half.path


def _kind(old: object, new: object) -> str:
    return "added" if old is None else "removed" if new is None else "changed"


def _inputs(then: Facts, now: Facts) -> Iterator[ChangedInput]:
    for path in sorted({*then.files, *now.files}):
        old, new = then.files.get(path), now.files.get(path)
        if old == new:
            continue
        chips = [*_chips(then, now, path)]
        yield from chips or [ChangedInput(path=path, kind=_kind(old, new))]


def _chips(then: Facts, now: Facts, path: str) -> Iterator[ChangedInput]:
    """The chips in a file that are not what they were."""
    for chip in sorted({one for one in (*then.chips, *now.chips) if one.startswith(f"{path}#")}):
        before: Any = then.chips.get(chip)
        after: Any = now.chips.get(chip)
        if before != after:
            fields = list_changes(before, after) if before is not None and after is not None else ()
            yield ChangedInput(path=chip, kind=_kind(before, after), fields=tuple(fields))
