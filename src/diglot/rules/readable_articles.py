"""An article some of which cannot be used: as much as can be read of it, and of the names that it gives.

A half with mistakes has no page, and its article no alignment. Neither may hide what is wrong with its links,
values and references: authors see all mistakes of a half at once.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

import msgspec
from msgspec import msgpack

from diglot.content.document import read_document
from diglot.content.extensions import INCLUDES, WIKILINK, Extended
from diglot.content.pairs import pair_documents
from diglot.content.records import Document
from diglot.diagnostics import DiagnosticError
from diglot.engine import Encoded, Packs
from diglot.languages import Language
from diglot.project import HtmlPolicy
from diglot.render.numbering import number_embeds
from diglot.render.placeholders import referable_names
from diglot.rules.halves import references_of
from diglot.rules.parsed_halves import References
from diglot.rules.projects import read_html_policy, read_wikilinks
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, in_worker, task


class Names(msgspec.Struct, frozen=True, kw_only=True, array_like=True, dict=True):
    """The names in an article, as far as they are known."""

    blocks: frozenset[str] | None = None
    """The ids that links can lead to; None if nothing is known of them."""
    referable: dict[str, frozenset[str]] = {}
    """What a `{ref}` can name, by the language of its half."""
    naming: str = ""
    """The lines that may give names, of halves with mistakes: not all of these names may be known."""

    def lacks_block(self, name: str) -> bool:
        """Whether no link can lead to a block of this name."""
        if self.blocks is None or name in self.blocks:
            return False
        section, _, number = name.rpartition("-")
        is_counted = number.isdigit() and (section == "top" or section in self.blocks)
        return not (self.naming and is_counted) and not self._may_give(name)

    def lacks_reference(self, name: str, language: Language) -> bool:
        """Whether no `{ref}` can lead to this name."""
        return name not in self.referable.get(language, ()) and not self._may_give(name)

    def _may_give(self, name: str) -> bool:
        if self.naming and _NUMBERED_HEADING.fullmatch(name):
            return True
        words = {*_WORD.findall(name.casefold())}
        embedded = words - {"fig", "tab"}
        return any(
            embedded < words and embedded <= line if is_embed else words <= line
            for line, is_embed in self._words_of_lines
        )

    @cached_property
    def _words_of_lines(self) -> list[tuple[set[str], bool]]:
        """The words of each line that may give names, and whether these begin with fig or tab."""
        lines = self.naming.casefold().split("\n") if self.naming else ()
        return [({*_WORD.findall(line)}, _EMBED.match(line) is not None) for line in lines]


_NUMBERED_HEADING = re.compile("s[0-9]+")
_WORD = re.compile(r"[^\W_]+")
_EMBED = re.compile(r"[ \t>]*(?:!\[|`{3}|~{3})(?!.*\{[^}]*#)")
_NAMING = re.compile(r"[ \t>]*(?:#|!\[|`{3}|~{3}|:name:)|.*(?:\{[^}]*#|\$\$[ \t]*\()")
"""Lines that may give a name: of headings, pictures and figures, or with attributes, or ends of formulas."""


class ReadableHalf(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A half, perhaps one with mistakes, as far as it can be read."""

    document: Document
    references: References
    explorations: int
    """How many figures its text says that readers can turn; some of them may be missing from the document."""


class ReadableArticle(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The halves of an article that can be read, by language, and the names that they give."""

    halves: dict[str, ReadableHalf]
    names: Names


@task("readable-article", ReadableArticle)
async def read_anyway(fetch: Fetch, article: str) -> Encoded:
    """As much as can be read of an article with mistakes."""
    post = await fetch(find_post, article)
    texts: dict[Language, tuple[str, str]] = {}
    for language in post.languages:
        path = post.path(language)
        with suppress(DiagnosticError):  # it is reported where the half is parsed
            texts[language] = path, await read_text(fetch, path)
    has_links = any("[[" in text for _, text in texts.values()) and await fetch(read_wikilinks)
    roles = frozenset((WIKILINK,)) if has_links else frozenset[str]()
    return Encoded(await in_worker(fetch, _read, texts, await fetch(read_html_policy), roles))


def _read(
    _packs: Packs, texts: dict[Language, tuple[str, str]], html: HtmlPolicy, roles: frozenset[str]
) -> bytes:
    halves: dict[str, ReadableHalf] = {}
    documents: dict[Language, Document] = {}
    naming: list[str] = []
    for language, (path, text) in texts.items():
        try:
            # What is shown from other files is nothing here, and no picture that is not found.
            shown = Extended(directives=frozenset(INCLUDES), roles=roles)
            document, mistakes = read_document(text, path, language, html, extended=shown)
        except DiagnosticError:  # where its front matter ends is not known
            naming += _naming_lines(text)
            continue
        if mistakes.errors:
            naming += _naming_lines(text)
        naming += (f"# {call.argument}" for call in shown.missing)  # a block keeps its name
        documents[language] = document
        halves[language] = ReadableHalf(
            document=document,
            references=references_of(document),
            explorations=text.count("\n:explore:"),
        )
    names = _names(documents, "\n".join(naming))
    return msgpack.encode(ReadableArticle(halves=halves, names=names))


def _naming_lines(text: str) -> Iterable[str]:
    return (line for line in text.split("\n") if _NAMING.match(line))


def _names(documents: dict[Language, Document], naming: str) -> Names:
    if not documents:
        return Names(naming=naming)
    alignment = pair_documents(documents.get("zh"), documents.get("en"))
    numbered = number_embeds(documents, alignment)
    return Names(
        blocks=frozenset(row.id for row in alignment.rows),
        referable={
            language: frozenset((*referable_names(document, alignment), *numbered))
            for language, document in documents.items()
        },
        naming=naming,
    )
