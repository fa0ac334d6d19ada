"""What editors show of figures, values, works, chips and terms, as Markdown."""

import ast
import json
from typing import Any

from diglot.bibliography.latex import work_of
from diglot.bibliography.works import Entry
from diglot.content.terms import Term
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.records import Domain
from diglot.lsp.knowledge import Known

_MOST_SHOWN = 90
"""Characters of a value in a list."""
_MOST_KEYS = 12
_FACTS = ("memory", "bandwidth", "peak", "ridge", "tdp")
"""What the names of the facts begin with, or contain, that are shown of a chip."""
_MOST_FACTS = 8


def short(value: Any) -> str:
    """A value of a figure's data in one line."""
    if isinstance(value, dict):
        names = ", ".join(list(value)[:_MOST_KEYS])
        return f"{{{names}{', …' if len(value) > _MOST_KEYS else ''}}}"
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and len(text) > _MOST_SHOWN:
        return f"[{len(value)} items]"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def about_figure(known: Known, request: FigureRequest, source: str = "") -> str:
    """What a figure is: its script's first words, its message, parameters and values."""
    computed = known.figures.get(str(request)) or known.figures.get(request.figure_id)
    script = known.scripts.get(request.figure_id)
    lines = [f"**{request.expression}**" + (f" · `{script.path}`" if script is not None else "")]
    if words := docstring_of(source):
        lines.append(words)
    if computed is None:
        return "\n\n".join((*lines, "Its numbers are not computed yet."))
    if any(computed.message):
        lines.append("  \n".join(filter(None, computed.message)))
    if computed.domains:
        lines.append("\n".join(f"- `{one.name}`: {about_domain(one)}" for one in computed.domains))
    data = json.loads(computed.data)
    if isinstance(data, dict):
        lines.append(
            "\n".join(f"- `.{key}` = {_code(value)}" for key, value in list(data.items())[:_MOST_KEYS])
        )
    return "\n\n".join(lines)


def _code(value: Any) -> str:
    return f"`{short(value).replace('`', '′')}`"


def docstring_of(source: str) -> str:
    """The first paragraph of a script's docstring; empty for one that has none, or cannot be read."""
    try:
        words = ast.get_docstring(ast.parse(source)) or ""
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return words.partition("\n\n")[0].replace("\n", " ")


def about_domain(domain: Domain) -> str:
    """What a parameter can be."""
    if domain.range is not None:
        start, stop, step = domain.range
        choice = f"{start} to {stop} in steps of {step}"
    else:
        choice = ", ".join(domain.values) or "true, false"
    return f"{choice}; {domain.default} by default"


def about_work(entry: Entry) -> str:
    """A work that can be cited."""
    work = work_of(entry)
    people = ", ".join(f"{one.given} {one.family}".strip() for one in work.authors)
    more = " et al." if work.has_more_authors else ""
    where = ", ".join(filter(None, (work.container, work.publisher, work.year)))
    parts = (
        f"**{work.title}**",
        f"{people}{more}",
        where,
        work.url or (f"doi:{work.doi}" if work.doi else ""),
    )
    return "\n\n".join(filter(None, parts))


def about_chip(sheet: ChipSheet) -> str:
    """A chip with its main facts, each with its source."""
    head = ", ".join(filter(None, (sheet.vendor, sheet.kind.upper(), sheet.architecture, str(sheet.year))))
    shown = [fact for fact in sheet.facts if any(word in fact.field for word in _FACTS)][:_MOST_FACTS]
    facts = [
        f"- `{fact.field}` = {fact.value:g} {fact.unit}".rstrip()
        + (f" ({fact.source})" if fact.source else "")
        for fact in shown
    ]
    return "\n\n".join((f"**{sheet.name}** · `{sheet.id}`", head, "\n".join(facts)))


def about_term(term: Term) -> str:
    """A term in both languages."""
    parts = [f"**{term.names.zh}** · **{term.names.en}**"]
    if term.also:
        parts.append(f"also: {', '.join(term.also)}")
    if term.never:
        parts.append(f"never: {', '.join(term.never)}")
    if term.definition is not None:
        parts += [term.definition.zh, term.definition.en]
    return "\n\n".join(parts)
