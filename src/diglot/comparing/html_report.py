"""The report of a comparison as a page that needs nothing else: pictures and texts, before and after."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from importlib.resources import files
from itertools import pairwise

from markupsafe import Markup, escape

from diglot.comparing.changes import ChangedBlock, ChangedFigure, ChangedSentence, Changes
from diglot.comparing.wording import (
    SECTIONS,
    figure_facts,
    share_text,
    slide_facts,
    slide_name,
    summary,
    value_texts,
)
from diglot.figure_request import FigureRequest
from diglot.figures.palette import TOKENS, css_colour
from diglot.languages import HAN, HTML_LANG, Language

_WORD = re.compile(rf"[{HAN}]|\s+|\d[\d.,]*|(?:(?![{HAN}])\w)+|.")
_SMALLEST_SHARE = 0.4
"""Sentences that have less in common are shown whole, without marks at single words."""


def html_report(changes: Changes, name: str) -> str:
    """The page. `name` is what the project is compared with."""
    parts = {
        "doubts": _doubts(changes),
        "values": _values(changes),
        "figures": _figures(changes.figures),
        "sentences": _blocks(changes.blocks),
        "slides": (_listed(slide_name(one), slide_facts(one)) for one in changes.slides),
        "inputs": _inputs(changes),
    }
    sections = Markup("")
    for key, found in parts.items():
        if content := Markup("\n").join(found):
            sections += Markup('<section id="{}"><h2>{}</h2>\n{}</section>\n').format(
                key, SECTIONS[key], content
            )
    colours = "".join(f"--fig-{token}:{css_colour(token)};" for token in TOKENS)
    style = files("diglot.comparing").joinpath("report.css").read_text("utf-8")
    return _PAGE.format(
        name=escape(name),
        summary=escape(summary(changes)),
        style=f":root{{{colours}}}\n{style}",
        sections=sections,
    )


_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Changes since {name}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>Changes since {name}</h1>
<p class="meta">{summary}</p>
{sections}</main>
</body>
</html>
"""


def _doubts(changes: Changes) -> Iterator[Markup]:
    for one in changes.doubts:
        before = one.before if one.before != one.after else ""
        texts = _before_and_after(before, one.after, one.language) if one.after else Markup("")
        place = Markup('<p class="place">{}:{}</p><p class="said">{}</p>')
        yield Markup('<div class="row">{}{}</div>').format(
            place.format(one.path, one.line, _with_code(one.message)), texts
        )


def _values(changes: Changes) -> Iterator[Markup]:
    rows = [
        (
            Markup("<code>{}</code>").format(one.expression),
            value_texts(one),
            Markup("<strong>{}</strong>").format(share_text(one.share))
            if one.is_large
            else share_text(one.share),
            Markup("<br>").join(Markup("<code>{}</code>").format(place) for place in one.places),
        )
        for one in changes.values
    ]
    if rows:
        yield _table(("value", "before → after", "", "where"), rows)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """A table whose middle columns hold numbers."""
    top = Markup("").join(Markup("<th>{}</th>").format(one) for one in head)
    body = Markup("\n").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows
    )
    table = Markup('<div class="scroll"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>')
    return table.format(top, body)


def _figures(figures: Iterable[ChangedFigure]) -> Iterator[Markup]:
    for one in figures:
        pictures = Markup("").join(
            Markup('<figure lang="{}"><figcaption>{}</figcaption>{}</figure>').format(
                HTML_LANG[language], word, _picture(svg, f"{language}-{word}")
            )
            for language, both in one.pictures.items()
            for word, svg in zip(("before", "after"), both, strict=True)
        )
        data = [(Markup("<code>{}</code>").format(path), old, new) for path, old, new in one.data]
        table = _table(("value", "before", "after"), data)
        yield Markup('<div class="figure"><h3><code>{}</code></h3><p class="meta">{}</p>{}{}</div>').format(
            FigureRequest.parse(one.request).called,
            "; ".join(figure_facts(one)),
            Markup('<div class="pair">{}</div>').format(pictures) if pictures else "",
            Markup("<details><summary>Data</summary>{}</details>").format(table) if data else "",
        )


_ID = re.compile(r'\b(id="|url\(#|href="#|aria-labelledby="|aria-describedby=")')


def _picture(svg: str, prefix: str) -> Markup:
    """A drawing whose ids are its own, as the page holds it four times."""
    if not svg:
        return Markup('<p class="meta">none</p>')
    return Markup(_ID.sub(rf"\g<1>{prefix}-", svg))  # made by diglot, which has escaped the author's words


def _blocks(blocks: Iterable[ChangedBlock]) -> Iterator[Markup]:
    article = None
    for block in blocks:
        if block.article != article:
            article = block.article
            yield Markup("<h3>{}</h3>").format(article)
        columns = Markup("").join(
            Markup('<div lang="{}">{}</div>').format(
                HTML_LANG[language], Markup("").join(_sentence(one, language) for one in sentences)
            )
            for language, sentences in block.sentences.items()
        )
        yield Markup('<div class="row pair">{}</div>').format(columns)


def _sentence(one: ChangedSentence, language: Language) -> Markup:
    place = Markup('<p class="place">{}:{}</p>').format(one.path, one.line)
    return place + _before_and_after(one.before, one.after, language)


def _before_and_after(before: str, after: str, language: Language) -> Markup:
    old, new = _marked(before, after)
    said = Markup('<p class="{}" lang="{}">{}</p>')
    texts = (("before", old), ("after", new))
    return Markup("").join(said.format(kind, HTML_LANG[language], text) for kind, text in texts if text)


def _marked(before: str, after: str) -> tuple[Markup, Markup]:
    """Both sentences, with marks around the words that differ."""
    words = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    if matcher.ratio() < _SMALLEST_SHARE:
        return escape(before), escape(after)
    sides = []
    for side, tag in ((0, "del"), (1, "ins")):
        ends = [0, *(block[side] + at for block in matcher.get_matching_blocks() for at in (0, block.size))]
        text = Markup("")
        for n, (start, end) in enumerate(pairwise(ends)):
            piece = "".join(words[side][start:end])
            if piece:
                text += escape(piece) if n % 2 else Markup(f"<{tag}>{{}}</{tag}>").format(piece)
        sides.append(text)
    return sides[0], sides[1]


def _inputs(changes: Changes) -> Iterator[Markup]:
    for one in changes.inputs:
        kind = "" if one.kind == "changed" else f" {one.kind}"
        fields = Markup("").join(
            Markup("<br><code>{}</code> {} → {}").format(*change) for change in one.fields
        )
        yield Markup("<p><code>{}</code>{}{}</p>").format(one.path, kind, fields)


def _listed(name: str, facts: str) -> Markup:
    return Markup("<p>{}<br><span>{}</span></p>").format(name, facts)


def _with_code(message: str) -> Markup:
    """A message with its `code` as such."""
    pieces = message.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if n % 2 else escape(piece) for n, piece in enumerate(pieces)
    )
