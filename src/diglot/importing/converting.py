"""Converts the bodies of all articles, in steps that each work on the result of the one before."""

import ast
import re
import sys
from collections.abc import Callable, Container, Iterator
from functools import partial
from html import escape
from urllib.parse import quote

from msgspec.structs import replace

from diglot.characters import FORBIDDEN
from diglot.content.document import read_document
from diglot.content.labels import labels_in
from diglot.content.roles import ROLES
from diglot.diagnostics import shortened
from diglot.importing.pairing import Article
from diglot.importing.records import Half
from diglot.importing.source_folder import SourceFolder
from diglot.importing.targets import Goal, Targets, show_marked
from diglot.importing.text.anchors import drop_named_anchors, give_ids
from diglot.importing.text.bilingual import split_languages
from diglot.importing.text.body import Body, line_starts
from diglot.importing.text.callouts import convert_callouts
from diglot.importing.text.counting import count_characters
from diglot.importing.text.documents_body import convert_myst, convert_obsidian, convert_quarto
from diglot.importing.text.emoji import convert_emoji
from diglot.importing.text.fences import convert_fences
from diglot.importing.text.formulas import convert_formulas
from diglot.importing.text.headings import shift_headings, tidy_marks
from diglot.importing.text.hexo_body import convert_hexo
from diglot.importing.text.hugo_body import convert_hugo
from diglot.importing.text.jekyll_body import bring_in_includes, convert_jekyll, show_raw
from diglot.importing.text.links import Link, find_links, is_external, move_sizes, rewrite_links
from diglot.importing.text.mending import mend
from diglot.importing.text.references import drop_unknown
from diglot.languages import Language
from diglot.web_addresses import runs_a_script

_MORE = re.compile(r"<!--\s*more\s*-->[ \t]*\n?", re.IGNORECASE)
_FORBIDDEN = re.compile(f"[{FORBIDDEN}\r\ufeff\U000e0000-\U000e007f]")
_COMMAND = re.compile(r"^[ \t]*(?:%time[ \t]+|[%!][^\n]*)", re.MULTILINE)
"""A command of Jupyter, or what is before a statement that it measures."""
_LONGEST_DESCRIPTION = 300
_LONGEST_SHOWN = 80
_ROLE = re.compile(rf"(?<!\\)\{{(?=(?:{'|'.join(ROLES)})\}}`)")
"""What diglot would read as a value of a figure; in another system's text it is none."""


def opened(half: Half, system: str, folder: SourceFolder) -> list[tuple[Half, Body]]:
    """A half with its body, or two of them if its file contains both languages."""
    body = Body(half.matter.body, half.matter.body_lines, half.source)

    if system == "jekyll":
        bring_in_includes(body, folder)

    def forbidden(found: re.Match[str]) -> str:
        body.report(
            found.start(), f"the character U+{ord(found[0]):04X} is left out: no page may contain it", ""
        )
        return ""

    body.substitute(_FORBIDDEN, forbidden, in_code=True)
    body.count = count_characters(body.text)
    split = split_languages(body)
    if split is None:
        return [(half, body)]
    split["zh"].findings[:0] = body.findings
    split["zh"].included = body.included
    split["zh"].count += body.count
    return [(replace(half, language=language), one) for language, one in split.items()]


def excerpt_of(body: Body) -> str:
    """The text before `<!-- more -->`, if it can be a description, else an empty text. Removes the mark."""
    found = _MORE.search(body.text)
    if found is None:
        return ""
    before = body.text[: found.start()].strip()
    body.replace([(one.start(), one.end(), "") for one in _MORE.finditer(body.text)])
    if not before or "\n\n" in before or re.search(r"^[#>|`~*+-]|\{[%{<]|[`$!]|<", before, re.MULTILINE):
        return ""
    text = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_]{1,2}", r"\1", before).split())
    return text if len(text) <= _LONGEST_DESCRIPTION else ""


def convert_syntax(body: Body, half: Half, system: str, title: str, targets: Targets) -> None:
    """Convert everything that needs no other article: tags of the old system, headings, formulas."""

    def named(name: str) -> str | None:
        return targets.named(name, half)

    converters: dict[str, Callable[[], None]] = {
        "jekyll": lambda: convert_jekyll(body, title, named),
        "hugo": lambda: convert_hugo(body, named),
        "hexo": lambda: convert_hexo(body, named),
        "myst": lambda: convert_myst(body),
        "quarto": lambda: convert_quarto(body),
        "notebook": lambda: convert_myst(body),
        "obsidian": lambda: convert_obsidian(body, named),
    }
    has_roles = system in ("myst", "notebook")
    if not has_roles:
        body.substitute(_ROLE, lambda found: "\\{")
    converters[system]()
    if system in ("jekyll", "hugo", "hexo"):  # the fences of others are read as they are
        convert_fences(body, words_are_title=system == "hexo")
    convert_callouts(body)
    convert_emoji(body)
    tidy_marks(body, tight_headings=system != "hugo")
    shift_headings(body, title)
    convert_formulas(body)
    move_sizes(body)


class LinkRewriting:
    """Gives all links of all articles their new addresses, once the ids of headings are known."""

    def __init__(self, articles: list[Article], targets: Targets) -> None:
        self._articles = articles
        self._targets = targets
        self._ids: dict[tuple[int, Language, str], str] = {}
        self._names: dict[tuple[int, Language], set[str]] = {}

    def run(self) -> None:
        """Give the headings that links lead to their ids, then rewrite every link."""
        wanted: dict[int, dict[Language, set[str]]] = {}
        for article in self._articles:
            for language, half in article.halves.items():
                for link in find_links(article.bodies[language]):
                    goal = self._targets.goal(link.target, half)
                    if goal is None or not goal.fragment or goal.file or (goal.place is None and goal.path):
                        continue
                    number, side = (
                        (goal.place.number, goal.language) if goal.place else (article.number, language)
                    )
                    wanted.setdefault(number, {}).setdefault(side, set()).add(goal.fragment)
        for article in self._articles:
            found = give_ids(article.bodies, dict(wanted.get(article.number, {})))
            self._ids.update(
                {(article.number, language, fragment): name for (language, fragment), name in found.items()}
            )
            for language, body in article.bodies.items():
                drop_named_anchors(body, (fragment for side, fragment in found if side == language))
        for article in self._articles:
            for language, half in article.halves.items():
                body = article.bodies[language]
                rewrite_links(body, partial(self._new, article=article, half=half, body=body))
                shown = show_marked(body.text, self._targets, language)
                if shown != body.text:
                    body.replace([(0, len(body.text), shown)])

    def _new(self, link: Link, article: Article, half: Half, body: Body) -> str | None:
        if not link.is_picture and runs_a_script(link.target):
            message = f'the link "{shortened(link.target.strip(), _LONGEST_SHOWN)}" runs a script'
            body.report(link.start, message, "write where it should lead, or delete it.")
            return None
        goal = self._targets.goal(link.target, half)
        if goal is None:
            return None
        if goal.file:
            return self._targets.beside(
                goal.file, article.name if not article.is_page else f"/{article.name}", half
            )
        if goal.place is not None and link.is_picture:
            goal = goal._replace(place=None, path=link.target)  # a page is no picture
        if goal.place is not None:
            if goal.place.is_hidden and not self._targets.places[article.number].is_hidden:
                body.report(
                    link.start,
                    f'"{link.target}" leads to an article that is not published yet',
                    "link to it once it is.",
                )
                return "" if link.kind == "markdown" else "/"
            address = goal.place.address(goal.language, half.language)
            return address + self._fragment(goal, goal.place.number, goal.language, link, body)
        if not goal.path:
            if not goal.fragment:
                return "/" if link.target == "/" else None
            is_heading = (article.number, half.language, goal.fragment) in self._ids
            if not is_heading and goal.fragment in _names_in(body, half.language):
                return None
            fragment = self._fragment(goal, article.number, half.language, link, body)
            return fragment or ("" if link.kind == "markdown" else "/")
        return self._elsewhere(link, goal, body, half.language)

    def _fragment(self, goal: Goal, number: int, language: Language, link: Link, body: Body) -> str:
        if not goal.fragment:
            return ""
        name = self._ids.get((number, language, goal.fragment))
        if name is None and goal.fragment in self._names_of(number, language):
            name = goal.fragment
        if name is None:
            body.report(
                link.start,
                f'no heading has the id "{goal.fragment}", which a link leads to',
                "give the heading the id, {#id}, and link to it.",
            )
            return ""
        return f"#{name}"

    def _names_of(self, number: int, language: Language) -> set[str]:
        """The names of figures, formulas and other blocks of an article."""
        if (number, language) not in self._names:
            body = next(one for one in self._articles if one.number == number).bodies[language]
            self._names[number, language] = _names_in(body, language)
        return self._names[number, language]

    def _elsewhere(self, link: Link, goal: Goal, body: Body, language: Language) -> str:
        if goal.path.strip("/") in ("", "zh", "en", "posts", "post", "blog", "archives"):
            return "/"
        if not link.is_picture and (term := self._targets.term_at(goal.path, language)) is not None:
            return term
        what = "picture" if link.is_picture else "page or file"
        address = self._targets.old_address(goal)
        body.report(
            link.start,
            f'"{link.target}" is not a {what} of the source; it leads to {address} now',
            "correct the link, or add the file.",
        )
        return address


def _names_in(body: Body, language: Language) -> set[str]:
    """The names of figures, formulas and other blocks, to which links lead as they are."""
    document, _ = read_document(f"---\n---\n{body.text}", body.path, language)
    anchors = {block.anchor for block in document.blocks if block.anchor}
    return anchors | {label.name for block in document.blocks for label in labels_in(block)}


def settle_references(body: Body, language: Language) -> frozenset[str]:
    """Leave the words of references that lead nowhere; the libraries that the code cells import."""
    drop_unknown(body, _names_in(body, language))
    document, _ = read_document(f"---\n---\n{body.text}", body.path, language)
    return frozenset(module for cell in document.cells for module in _imported(cell.source))


def finish(body: Body, language: Language, is_known: Callable[[str], bool], base_url: str) -> None:
    """Show hidden Liquid again, mend what diglot's parser refuses, and check every link once more."""
    show_raw(body)
    mend(body, language)
    document, mistakes = read_document(f"---\n---\n{body.text}", body.path, language)
    for mistake in mistakes.warnings:
        if mistake.rule == "html-redirect" and mistake.location is not None and mistake.location.line:
            body.report_line(mistake.location.line - _LINES_OF_MATTER - 1, mistake.message, mistake.fix or "")
    changes: dict[int, tuple[int, int, str]] = {}
    for link in document.links:
        if is_external(link.target) or is_known(link.target):
            continue
        where = _place_of(link.target, body.text, link.line - _LINES_OF_MATTER - 1, changes)
        if where is None:
            continue
        start, end = where
        address = f"{base_url.rstrip('/')}/{link.target.lstrip('./#')}"
        new = address.replace(" ", "%20")
        changes[start] = (start, end, escape(new) if "&" in body.text[start:end] else new)
        body.report(
            start,
            f'"{link.target}" is nothing in the source; it leads to {address} now',
            "correct the link, or add the file.",
        )
    body.replace(changes[start] for start in sorted(changes))


def _imported(source: str) -> Iterator[str]:
    """The modules that are no part of Python which a cell imports; none of one that cannot be read."""
    try:
        nodes = [*ast.walk(ast.parse(_COMMAND.sub("", source)))]
    except (SyntaxError, ValueError):  # the build reports it
        return
    for node in nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
        yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names


_LINES_OF_MATTER = 2


def _place_of(target: str, text: str, line: int, taken: Container[int]) -> tuple[int, int] | None:
    """Where a text has an address, plain or escaped as in HTML; from a line on, from 0, if it can be."""
    starts = line_starts(text)
    first = starts[min(max(0, line), len(starts) - 1)]
    forms = {target, escape(target, quote=False), escape(target), quote(target, safe="/#?=&%")} - {""}
    if not forms:
        return None
    pattern = re.compile(
        rf"""(?:\]\(\s*<?|[<"'=(]|\]:\s*|,\s*)({"|".join(map(re.escape, sorted(forms)))})(?=[)>"'\s,]|$)"""
    )
    places = [found.span(1) for found in pattern.finditer(text) if found.start(1) not in taken]
    return next((place for place in places if place[0] >= first), places[0] if places else None)
