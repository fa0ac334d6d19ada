"""What an editor offers to write at the cursor."""

import re
from collections.abc import Iterator

from lsprotocol.types import CompletionItem, CompletionItemKind, MarkupContent, MarkupKind, TextEdit

from diglot.content.citations import ROLES as CITING
from diglot.content.directives import DIRECTIVES
from diglot.content.roles import REFERENCES, ROLES
from diglot.expressions.texts import FILTERS
from diglot.figure_request import FigureRequest
from diglot.figures.records import Domain
from diglot.lsp.asked import Asked
from diglot.lsp.describing import about_chip, about_domain, about_figure, about_term, about_work, short
from diglot.lsp.labels import names_in
from diglot.lsp.marks import fences_in
from diglot.lsp.value_paths import request_of, value_at
from diglot.lsp.yaml_keys import ITEM, keys_below, place_at, schema_at, words_of

TRIGGERS = ("{", "`", ".", "@", "#", "/", ":", "(", "|", '"', "-", " ")
"""Characters after which editors ask by themselves."""

_OPEN_ROLE = re.compile(r"\{(?P<role>[A-Za-z][\w:-]*)\}(?P<ticks>`+)(?P<content>[^`]*)$")
_OPEN_NAME = re.compile(r"(?P<fence>(?:`{3,}|~{3,}|:{3,}))?\{(?P<name>[A-Za-z][\w:-]*)?$")
_FENCE_ID = re.compile(r"(?:`{3,}|~{3,})\{(?:figure|table)\}[ \t]+(?P<id>\w*)$")
_OPTION_NAME = re.compile(r"^[ \t>]*:(?P<name>[\w-]*)$")
_OPTION_VALUE = re.compile(r"^[ \t>]*:(?P<name>[a-z]\w*):[ \t]+(?P<value>\S*)$")
_SHORT = re.compile(r"(?:^|[^\w@./\\-])@(?P<name>[\w:.+-]*)$")
_ANCHOR = re.compile(r"\]\((?P<target>[^)\s#]*)#(?P<name>[\w:.-]*)$")
_CHIP = re.compile(r"/hardware/(?P<slug>[\w-]*)$")
_CHAIN = re.compile(
    r"(?P<figure>[a-z][a-z0-9_]*)(?P<call>\([^()]*\))?(?P<keys>(?:\.\w+|\[[^\[\]]*\])*)\.(?P<key>\w*)$"
)
_ARGUMENT = re.compile(r"(?P<figure>[a-z][a-z0-9_]*)\((?:[^()]*,)?\s*(?P<name>[a-z]\w*)?$")
_ARGUMENT_VALUE = re.compile(
    r"(?P<figure>[a-z][a-z0-9_]*)\((?:[^()]*,)?\s*(?P<name>[a-z]\w*)=[\"']?(?P<value>[\w.-]*)$"
)
_FILTER = re.compile(r"\|\s*(?P<name>\w*)$")
_WORD = re.compile(r"(?:^|[^\w.\"])(?P<name>[a-z][a-z0-9_]*)?$")
_KEYS = re.compile(r"\.(\w+)|\[\s*\"([^\"]*)\"\s*\]|\[\s*(-?\d+)\s*\]")
_QUOTED = re.compile(r"[\"'](?P<id>[\w.-]*)$")
_MOST_TERM = 24
_LEAST_TERM = 2
"""Characters of a term's beginning at which it is offered."""

Items = Iterator[CompletionItem]


def complete(asked: Asked) -> list[CompletionItem]:
    """All that can be written at the cursor; the editor chooses by what is written already."""
    if asked.is_yaml:
        return [*_in_yaml(asked)]
    if asked.path.endswith(".py"):
        return [*_in_script(asked)]
    return [*_in_half(asked)] if asked.half is not None else []


def _item(
    asked: Asked,
    label: str,
    written: str,
    kind: CompletionItemKind,
    *,
    detail: str = "",
    about: str = "",
    new: str = "",
) -> CompletionItem:
    """An item that replaces what is `written` of it, which is directly before the cursor."""
    edit = TextEdit(range=asked.text.range(asked.offset - len(written), asked.offset), new_text=new or label)
    documentation = MarkupContent(kind=MarkupKind.Markdown, value=about) if about else None
    return CompletionItem(
        label=label,
        kind=kind,
        detail=detail or None,
        documentation=documentation,
        text_edit=edit,
        filter_text=new or label,
    )


def _in_half(asked: Asked) -> Items:
    before = asked.before
    role = _OPEN_ROLE.search(before)
    if role is not None:
        yield from _in_role(asked, role["role"], role["content"])
    elif (fence := _FENCE_ID.search(before)) is not None:
        yield from _figures(asked, fence["id"])
    elif (option := _OPTION_VALUE.match(before)) is not None:
        yield from _option_values(asked, option["name"], option["value"])
    elif (option := _OPTION_NAME.match(before)) is not None:
        yield from _options(asked, option["name"])
    elif (name := _OPEN_NAME.search(before)) is not None:
        names = DIRECTIVES if name["fence"] else (*ROLES, "cite")
        for one in names:
            yield _item(asked, one, name["name"] or "", CompletionItemKind.Keyword, new=f"{one}}}")
    elif (anchor := _ANCHOR.search(before)) is not None:
        yield from _labels(asked, anchor["name"])
    elif (chip := _CHIP.search(before)) is not None:
        yield from _chips(asked, chip["slug"], by_slug=True)
    elif (short_one := _SHORT.search(before)) is not None:
        yield from _works(asked, short_one["name"])
        yield from _labels(asked, short_one["name"])
    else:
        yield from _terms(asked)


def _in_role(asked: Asked, role: str, content: str) -> Items:
    if role in ("eval", "assert"):
        yield from _in_expression(asked, content)
    elif role in REFERENCES:
        yield from _labels(asked, re.split(r"[<\s]", content)[-1])
    elif role in CITING:
        yield from _works(asked, re.split(r"[,;\s]", content)[-1])
    elif role == "control":
        yield from _controls(asked, content)


def _in_expression(asked: Asked, content: str) -> Items:
    if (chain := _CHAIN.search(content)) is not None:
        yield from _keys(asked, chain)
    elif (value := _ARGUMENT_VALUE.search(content)) is not None:
        yield from _values(asked, value["figure"], value["name"], value["value"])
    elif (argument := _ARGUMENT.search(content)) is not None and argument["figure"] in asked.known.scripts:
        for domain in _domains(asked, argument["figure"]):
            about = about_domain(domain)
            yield _item(
                asked,
                domain.name,
                argument["name"] or "",
                CompletionItemKind.Property,
                about=about,
                new=f"{domain.name}=",
            )
    elif (name := _FILTER.search(content)) is not None:
        for one in sorted(FILTERS[asked.half.language if asked.half else "en"]):
            yield _item(asked, one, name["name"], CompletionItemKind.Function)
    elif (word := _WORD.search(content)) is not None:
        yield from _figures(asked, word["name"] or "")


def _keys(asked: Asked, chain: re.Match[str]) -> Items:
    """The keys of a value, with the numbers behind them."""
    request = request_of(chain["figure"], chain["call"] or "", asked.path)
    names = tuple(next(part for part in key if part) for key in _KEYS.findall(chain["keys"]))
    try:
        value = value_at(asked.known.data_of(request), names) if request is not None else None
    except (LookupError, ValueError):
        return
    for name, one in value.items() if isinstance(value, dict) else ():
        if name.isidentifier():
            kind = CompletionItemKind.Module if isinstance(one, dict) else CompletionItemKind.Value
            yield _item(asked, name, chain["key"], kind, detail=short(one))


def _domains(asked: Asked, figure_id: str) -> tuple[Domain, ...]:
    computed = asked.known.figures.get(figure_id)
    return () if computed is None else computed.domains


def _values(asked: Asked, figure_id: str, name: str, written: str) -> Items:
    for domain in _domains(asked, figure_id):
        if domain.name == name:
            for value in domain.values or (("true", "false") if domain.kind == "switch" else ()):
                labels = [" · ".join(label) for own, label in domain.value_labels if own == value]
                yield _item(asked, value, written, CompletionItemKind.EnumMember, detail="".join(labels))


def _figures(asked: Asked, written: str) -> Items:
    for figure_id, script in asked.known.scripts.items():
        about = about_figure(asked.known, FigureRequest(figure_id))
        yield _item(asked, figure_id, written, CompletionItemKind.Module, detail=script.path, about=about)


def _labels(asked: Asked, written: str) -> Items:
    half = asked.half
    for name, said in names_in(asked.known, half).items() if half is not None else ():
        yield _item(asked, name, written, CompletionItemKind.Reference, detail=said)


def _works(asked: Asked, written: str) -> Items:
    for key, entry in asked.known.works.items():
        yield _item(
            asked, key, written, CompletionItemKind.Reference, detail=entry.type, about=about_work(entry)
        )


def _controls(asked: Asked, written: str) -> Items:
    document = asked.known.document_of(asked.half)
    for figure in document.figures if document is not None else ():
        for explored in figure.explored:
            yield _item(asked, f"{figure.figure_id}.{explored.name}", written, CompletionItemKind.Property)


def _chips(asked: Asked, written: str, *, by_slug: bool = False) -> Items:
    for sheet in asked.known.chips:
        name = sheet.slug if by_slug else sheet.id
        yield _item(
            asked, name, written, CompletionItemKind.Constant, detail=sheet.name, about=about_chip(sheet)
        )


def _options(asked: Asked, written: str) -> Items:
    """The parameters of the figure in whose fence the cursor is."""
    figure_id = _figure_around(asked)
    if figure_id is None:
        return
    for name, about in (
        *((domain.name, about_domain(domain)) for domain in _domains(asked, figure_id)),
        ("name", "its name in references"),
        ("explore", "the parameters that readers can turn"),
    ):
        yield _item(asked, name, written, CompletionItemKind.Property, about=about, new=f"{name}: ")


def _option_values(asked: Asked, name: str, written: str) -> Items:
    figure_id = _figure_around(asked)
    if figure_id is None:
        return
    if name == "explore":
        for domain in _domains(asked, figure_id):
            yield _item(asked, domain.name, written, CompletionItemKind.Property, about=about_domain(domain))
    else:
        yield from _values(asked, figure_id, name, written)


def _figure_around(asked: Asked) -> str | None:
    for fence in fences_in(asked.lines):
        if fence.first < asked.position.line <= fence.last and fence.name in ("figure", "table"):
            return fence.argument
    return None


def _terms(asked: Asked) -> Items:
    """Terms whose beginning is directly before the cursor."""
    half = asked.half
    for term in asked.known.terms if half is not None else ():
        for word in term.accepted(half.language) if half is not None else ():
            for length in range(min(len(word), _MOST_TERM), _LEAST_TERM - 1, -1):
                written = asked.before[-length:]
                if len(written) == length and written.casefold() == word[:length].casefold():
                    yield _item(asked, word, written, CompletionItemKind.Text, about=about_term(term))
                    break


def _in_script(asked: Asked) -> Items:
    quoted = _QUOTED.search(asked.before)
    if quoted is not None:
        yield from _chips(asked, quoted["id"])


def _in_yaml(asked: Asked) -> Items:
    kind = asked.yaml_kind
    if kind is None:
        return
    place = place_at(asked.lines, asked.position.line, asked.column)
    if place.in_value:
        yield from _yaml_values(asked, place.keys, place.written)
        return
    for key, about in keys_below(schema_at(kind, place.keys[:-1])).items():
        yield _item(asked, key, place.written, CompletionItemKind.Property, about=about, new=f"{key}: ")


def _yaml_values(asked: Asked, keys: tuple[str, ...], written: str) -> Items:
    kind = asked.yaml_kind
    if kind is None:
        return
    schema = schema_at(kind, keys)
    for word in words_of(schema):
        yield _item(asked, word, written, CompletionItemKind.EnumMember)
    project = asked.known.project
    name = next((key for key in reversed(keys) if key and key != ITEM), "")
    if kind == "site" or project is None:
        return
    terms = {"tags": project.tags, "categories": project.categories, "series": project.series}
    for term in terms.get(name, ()):
        yield _item(asked, term.id, written, CompletionItemKind.Constant, detail=" · ".join(term.label))
    for person in project.authors if name == "authors" else ():
        yield _item(asked, person.id, written, CompletionItemKind.Constant, detail=" · ".join(person.name))
    if name == "article":
        for post in asked.known.posts.articles:
            yield _item(asked, post, written, CompletionItemKind.File)
