"""A Chinese talk in traditional characters, before any program's format: all texts but code and formulas."""

from collections.abc import Callable

from msgspec.structs import replace

from diglot.languages import TRADITIONAL
from diglot.slides.chart_numbers import ChartNumbers
from diglot.slides.contents import (
    BlockContents,
    CoverContents,
    FigureContents,
    Paragraph,
    PictureContents,
    Run,
    Runs,
    SlideContents,
    TableContents,
    TalkContents,
)

Spell = Callable[[str], str]


def spelt_talk(talk: TalkContents, spell: Spell) -> TalkContents:
    """The talk with its texts as `spell` writes them.

    It keeps no expressions: a value in it is brought up to date by building the file again.
    """
    return replace(
        talk,
        language=TRADITIONAL,
        authors=tuple(map(spell, talk.authors)),
        cover=_cover(talk.cover, spell),
        occasion=_runs(talk.occasion, spell),
        slides=tuple(_slide(one, spell) for one in talk.slides),
    )


def spelt_chart(chart: ChartNumbers, spell: Spell) -> ChartNumbers:
    """A chart with its titles and names as `spell` writes them."""
    return replace(
        chart,
        x_title=spell(chart.x_title),
        y_title=spell(chart.y_title),
        categories=tuple(map(spell, chart.categories)),
        series=tuple((spell(name), points) for name, points in chart.series),
    )


def _slide(slide: SlideContents, spell: Spell) -> SlideContents:
    return replace(
        slide,
        title=_runs(slide.title, spell),
        columns=tuple(tuple(_block(one, spell) for one in column) for column in slide.columns),
        notes=tuple(_paragraph(one, spell) for one in slide.notes),
        sources=tuple(_paragraph(one, spell) for one in slide.sources),
        footnotes=tuple(_paragraph(one, spell) for one in slide.footnotes),
    )


def _cover(cover: CoverContents, spell: Spell) -> CoverContents:
    return CoverContents(
        title=_runs(cover.title, spell),
        twin=cover.twin,
        subtitle=_runs(cover.subtitle, spell),
        facts=_runs(cover.facts, spell),
        article=_runs(cover.article, spell),
        notes=tuple(_paragraph(one, spell) for one in cover.notes),
        sources=tuple(_paragraph(one, spell) for one in cover.sources),
    )


def _block(block: BlockContents, spell: Spell) -> BlockContents:
    match block:
        case Paragraph():
            return _paragraph(block, spell)
        case TableContents():
            rows = tuple(tuple(_runs(cell, spell) for cell in row) for row in block.rows)
            return replace(block, rows=rows)
        case FigureContents():
            return replace(block, caption=_runs(block.caption, spell), message=spell(block.message))
        case PictureContents():
            return replace(block, alt=spell(block.alt))
        case _:  # code and formulas
            return block


def _paragraph(paragraph: Paragraph, spell: Spell) -> Paragraph:
    return replace(paragraph, runs=_runs(paragraph.runs, spell))


def _runs(runs: Runs, spell: Spell) -> Runs:
    return tuple(_run(one, spell) for one in runs)


def _run(run: Run, spell: Spell) -> Run:
    is_kept = run.code or run.mathml
    return replace(run, text=run.text if is_kept else spell(run.text), expression="")
