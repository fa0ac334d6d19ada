"""Reads a half of an article as sentences, each with the values that it quotes."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from diglot.comparing.records import Assertion, BoundValue, Sentence, TextBlock, TextHalf
from diglot.comparing.sentences import cut, sentences_of
from diglot.content.prose import targets_of
from diglot.content.records import (
    Alignment,
    Document,
    FigureEmbed,
    FrontMatter,
    Parts,
    Placeholder,
    TableEmbed,
)
from diglot.content.slides import first_notes, slides_of
from diglot.content.tree.nodes import Embed, Nodes, TopBlock, Tree, nodes_of
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, DrawnFigure
from diglot.languages import Language
from diglot.render.controls import value_text
from diglot.render.numbering import number_embeds
from diglot.render.placeholders import Reference, reference_to, references_in
from diglot.render.strings import Strings
from diglot.render.values import Values
from diglot.site_map import ArticleKind


def request_of(embed: FigureEmbed | TableEmbed | Embed) -> FigureRequest:
    """The figure that an embed shows."""
    return FigureRequest.of(embed.figure_id, embed.parameters)


def parts_of_front(front: FrontMatter | None) -> tuple[Parts, ...]:
    """The texts of front matter that may quote values."""
    return () if front is None else (front.title, front.description, front.event)


class HalfReader:
    """Reads one half as sentences."""

    def __init__(
        self,
        article: str,
        kind: ArticleKind,
        language: Language,
        *,
        front: FrontMatter | None,
        documents: Mapping[Language, Document],
        tree: Tree,
        alignment: Alignment,
        computed: Mapping[FigureRequest, ComputedFigure],
        drawn: Mapping[tuple[FigureRequest, Language], DrawnFigure],
        words: Strings,
        only_quoting: bool = False,
    ) -> None:
        """`documents` are both halves; of the twin, its skeleton is enough. `tree` is that of the half, and
        `words` are in its language.

        With `only_quoting`, texts that quote no value are left out.
        """
        self._only_quoting = only_quoting
        self._article, self._kind, self._language = article, kind, language
        self._front = front
        self._document, self._tree = documents[language], tree
        self._path = self._document.path
        self._alignment = alignment
        self._computed, self._drawn = computed, drawn
        known = (one for one in computed if one.is_known_in(self._path))
        self.values = Values(language, {str(one): computed[one].data for one in known})
        """What its expressions are evaluated with."""
        numbered = number_embeds(documents, alignment, pictures=kind != "talk")
        self._references: Mapping[str, Reference] = references_in(self._document, alignment, numbered, words)
        self._assertions: list[Assertion] = []
        self.mistakes: list[Diagnostic] = []
        """Values and references that cannot be shown."""

    def read(self) -> TextHalf:
        """The half, block by block."""
        is_talk = self._kind == "talk"
        slides = slides_of(self._document) if is_talk else ()
        slide_of = {
            index: number
            for number, slide in enumerate(slides, start=2)
            for index in (slide.title, *slide.body, *slide.notes)
            if index is not None
        }
        ids = {
            index: row.id
            for row in self._alignment.rows
            for index in [row.zh if self._language == "zh" else row.en]
            if index is not None
        }
        seen_with = {
            note: ids.get(slide.title if slide.title is not None else next(iter(slide.body), -1), "_top")
            for slide in slides
            for note in slide.notes
        }
        seen_with |= dict.fromkeys(first_notes(self._document), "_top") if is_talk else {}
        blocks = [
            *self._front_blocks(is_talk=is_talk),
            *(
                replace(
                    self._block(block, ids.get(index, f"block-{index}"), slide_of.get(index, int(is_talk))),
                    seen_with=seen_with.get(index, ""),
                )
                for index, block in enumerate(self._tree.blocks)
            ),
        ]
        said = blocks[len(blocks) - len(self._document.blocks) :]
        titles = [
            " ".join(one.text for one in said[slide.title].sentences) if slide.title is not None else ""
            for slide in slides
        ]
        return TextHalf(
            article=self._article,
            kind=self._kind,
            language=self._language,
            path=self._path,
            blocks=tuple(blocks),
            slides=("", *titles) if is_talk else (),
        )

    def _front_blocks(self, *, is_talk: bool) -> Iterable[TextBlock]:
        if self._front is None:
            return
        for id_, parts in (
            ("title", self._front.title),
            ("description", self._front.description),
            ("event", self._front.event),
        ):
            if parts:
                sentences = self._sentences(nodes_of(parts), 1)
                yield TextBlock(
                    id=id_,
                    is_table=False,
                    sentences=tuple(sentences),
                    assertions=self._taken(),
                    slide=int(is_talk),
                )

    def _block(self, block: TopBlock, id_: str, slide: int) -> TextBlock:
        embed = next((node for node in block.nodes if isinstance(node, Embed)), None)
        sentences = self._sentences(block.nodes, block.line, is_code=block.kind == "code")
        figures: tuple[str, ...] = ()
        if embed is not None:
            sentences += self._sentences(embed.caption, embed.line)
            request = request_of(embed)
            drawn = self._drawn.get((request, self._language))
            if drawn is not None:
                figures = (str(request),)
                sentences += self._said_by(drawn, embed.line, is_figure=embed.kind == "figure")
        for note in block.notes:
            sentences += self._sentences(note.children, note.line)
        return TextBlock(
            id=id_,
            is_table=block.kind == "table",
            sentences=tuple(sentences),
            assertions=self._taken(),
            figures=figures,
            slide=slide,
        )

    def _said_by(self, drawn: DrawnFigure, line: int, *, is_figure: bool) -> list[Sentence]:
        """What a figure says by itself: its message and alternative text, or the rows of its table."""
        if is_figure:
            said = [drawn.message, drawn.alt]
        else:
            said = [" | ".join(row) for row in drawn.table.rows] if drawn.table is not None else []
        return [
            sentence
            for n, text in enumerate(said)
            for sentence in (
                msgspec.structs.replace(
                    one, template=f"{{{'said' if is_figure else 'row'} {n}.{at}}}", is_said=is_figure
                )
                for at, one in enumerate(cut(" ".join(text.split("\n")), (), line))
            )
        ]

    def _sentences(self, nodes: Nodes, line: int, *, is_code: bool = False) -> list[Sentence]:
        if self._only_quoting and not any(targets_of(nodes, "eval")):
            return []
        return sentences_of(nodes, self._text, self._bound, line, is_code=is_code)

    def _taken(self) -> tuple[Assertion, ...]:
        taken, self._assertions = tuple(self._assertions), []
        return taken

    def _bound(self, placeholder: Placeholder, text: str) -> BoundValue:
        number, dimension = self.values.number(placeholder.target)
        return BoundValue(
            expression=placeholder.target,
            text=text,
            line=placeholder.line,
            number=number,
            dimension=dimension,
        )

    def _text(self, placeholder: Placeholder) -> str:
        """The text of a placeholder; of addresses, which readers do not see, nothing."""
        try:
            match placeholder.kind:
                case "eval":
                    return self.values.text(placeholder.target, path=self._path, line=placeholder.line)
                case "assert":
                    self._assertions.append(self._assertion(placeholder))
                case "control":
                    return self._control(placeholder)
                case "ref":
                    return reference_to(placeholder, self._references, self._path).text
        except DiagnosticError as error:
            self.mistakes += error.diagnostics
        return ""

    def _assertion(self, placeholder: Placeholder) -> Assertion:
        mistake = None
        try:
            self.values.check(placeholder.target, path=self._path, line=placeholder.line)
        except DiagnosticError as error:
            mistake = error.diagnostics[0]
            if mistake.rule != "assert-false":
                raise
        return Assertion(expression=placeholder.target, line=placeholder.line, mistake=mistake)

    def _control(self, placeholder: Placeholder) -> str:
        """The value with which a parameter is shown first."""
        figure, _, name = placeholder.target.rpartition(".")
        for embed in self._document.figures:
            one = self._computed.get(request_of(embed))
            if one is None or not embed.explored or figure not in ("", embed.figure_id):
                continue
            domain = next((domain for domain in one.domains if domain.name == name), None)
            if domain is not None:
                return value_text(domain, dict(one.parameters)[name], self._language)
        return name
