"""Gathers what `diglot diff` compares: a project's texts with their values, its figures and its chips."""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

import diglot
from diglot.comparing.records import Assertion, BoundValue, Facts, Sentence, ShownFigure, TextBlock, TextHalf
from diglot.comparing.sentences import cut, sentences_of
from diglot.content.records import Alignment, Block, Document, FigureEmbed, FrontMatter, Parts, Placeholder
from diglot.content.slides import slides_of
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.digests import digest_of
from diglot.engine import FILE, Key, Progress
from diglot.figure_request import FigureRequest
from diglot.figures.custom_chips import CUSTOM_CHIPS_FOLDER, read_chip_entries
from diglot.figures.records import ComputedFigure, DrawnFigure
from diglot.languages import LANGUAGES, Language
from diglot.render.controls import value_text
from diglot.render.numbering import embed_of, number_embeds
from diglot.render.parts import placeholders_in
from diglot.render.placeholders import Reference, reference_to, references_in
from diglot.render.strings import Strings
from diglot.render.values import Values
from diglot.rules.articles import align_article
from diglot.rules.building import Site
from diglot.rules.figures import Scripts, compute_figure, draw_figure, find_scripts
from diglot.rules.halves import ParsedHalf, parts_of, read_document, read_front_matter
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.sources import PostFiles, Posts, find_post, find_posts, kind_of
from diglot.rules.summaries import ArticleAddresses, find_addresses
from diglot.rules.words import read_words

_OWN = Path(diglot.__file__).parent
"""Where this diglot is."""


def gather_facts(site: Site, progress: Callable[[Progress], None] | None) -> Facts:
    """What is known of a project. Computes and draws what is out of date, and publishes nothing."""
    return _Gathering(site, progress).facts()


class _Gathering:
    """One look at a project. A task that fails leaves its mistakes, and its value out."""

    def __init__(self, site: Site, progress: Callable[[Progress], None] | None) -> None:
        self._site, self._progress = site, progress
        self._mistakes: dict[Diagnostic, None] = {}
        self._inputs: set[Key] = set()

    def facts(self) -> Facts:
        posts = self._one(find_posts.key(None), Posts)
        names = posts.names if posts is not None else ()
        found = self._several({name: find_addresses.key(name) for name in names}, ArticleAddresses)
        shown = [name for name in names if name not in found or found[name].paths]
        files = self._several({name: find_post.key(name) for name in shown}, PostFiles)
        halves = [HalfId(name, language) for name, post in files.items() for language in post.languages]
        fronts = self._several({half: read_front_matter.key(half) for half in halves}, FrontMatter)
        parsed = self._several({half: read_document.key(half) for half in halves}, ParsedHalf)
        documents = {half: msgspec.msgpack.decode(one.body, type=Document) for half, one in parsed.items()}
        alignments = self._several({name: align_article.key(name) for name in files}, Alignment)
        words = self._several({language: read_words.key(language) for language in LANGUAGES}, Strings)
        embedded = {
            (_request(embed), half.language)
            for half, document in documents.items()
            for embed in (*document.figures, *document.tables)
        }
        quoted = {
            FigureRequest.parse(text)
            for half in documents
            for parts in (*_parts_of_front(fronts.get(half)), *parts_of(documents[half]))
            for placeholder in placeholders_in(parts)
            for text in placeholder.figures
        }
        computed, drawn, scripts = self._figures({request for request, _ in embedded} | quoted, embedded)
        texts: dict[str, TextHalf] = {}
        for half in documents:
            reader = _HalfReader(
                half,
                files[half.article].path(half.language),
                fronts.get(half),
                {one.language: documents[one] for one in documents if one.article == half.article},
                alignments.get(half.article, Alignment()),
                computed,
                drawn,
                words[half.language],
            )
            texts[str(half)] = reader.read()
            self._mistakes |= dict.fromkeys(reader.mistakes)
        return Facts(
            halves=texts,
            figures={
                str(request): ShownFigure(
                    script=scripts[request.figure_id],
                    data=json.loads(one.data),
                    rows=one.rows,
                    files=one.provenance,
                    pictures={
                        language: _picture(drawn[request, language])
                        for language in LANGUAGES
                        if (request, language) in drawn and drawn[request, language].svgs
                    },
                )
                for request, one in computed.items()
            },
            files=self._files(),
            chips=self._chips(),
            mistakes=tuple(one for one in self._mistakes if one.rule != "assert-false"),
        )

    def _figures(
        self, requests: set[FigureRequest], embedded: set[tuple[FigureRequest, Language]]
    ) -> tuple[
        dict[FigureRequest, ComputedFigure], dict[tuple[FigureRequest, Language], DrawnFigure], dict[str, str]
    ]:
        """Data and drawings of figures, and the path of each script."""
        known = self._one(find_scripts.key(None), Scripts)
        scripts = {script.figure_id: script.path for script in known.scripts} if known is not None else {}
        there = sorted((one for one in requests if one.figure_id in scripts), key=str)
        computed = self._several({one: compute_figure.key(one) for one in there}, ComputedFigure)
        computed = {request: one for request, one in computed.items() if not one.refusals}
        drawings = {
            (request, language): draw_figure.key(DrawingId(request, language))
            for request, language in sorted(embedded, key=str)
            if request in computed
        }
        return computed, self._several(drawings, DrawnFigure), scripts

    def _one(self, key: Key, type_: type[Any]) -> Any:
        return self._several({0: key}, type_).get(0)

    def _several(self, keys: Mapping[Any, Key], type_: type[Any]) -> dict[Any, Any]:
        """The values of tasks by name, without those that failed."""
        if not keys:
            return {}
        report, values = self._site.bring_up([*keys.values()], progress=self._progress)
        self._mistakes |= dict.fromkeys(one for one in report.diagnostics if one.severity == "error")
        self._inputs |= report.inputs()
        decode = msgspec.msgpack.decode
        return {
            name: decode(value, type=type_)
            for name, value in zip(keys, values, strict=True)
            if value is not None
        }

    def _files(self) -> dict[str, str]:
        """The files that the tasks have read: the project's, and diglot's own as `diglot/…`."""
        root = self._site.options.root
        found: dict[str, str] = {}
        for key in sorted(one for one in self._inputs if one.kind == FILE.kind):
            path = root / key.name
            inside = path.is_relative_to(_OWN)
            if path.is_file() and (inside or not key.name.startswith("/")):
                name = path.relative_to(_OWN.parent).as_posix() if inside else key.name
                found[name] = digest_of(path.read_bytes())
        return found

    def _chips(self) -> dict[str, Mapping[str, Any]]:
        """The chips of the project, and diglot's own where the project is the one that diglot is made in."""
        root = self._site.options.root
        files = {path: path.relative_to(root) for path in sorted((root / CUSTOM_CHIPS_FOLDER).glob("*.yaml"))}
        if _OWN.is_relative_to(root):
            files[_OWN / "hardware/data/accelerators.yaml"] = Path("diglot/hardware/data/accelerators.yaml")
        found: dict[str, Mapping[str, Any]] = {}
        for path, name in files.items():
            with suppress(OSError, UnicodeDecodeError):
                for id_, entry in read_chip_entries(path.read_text("utf-8")).items():
                    found[f"{name.as_posix()}#{id_}"] = entry
        return found


def _request(embed: Any) -> FigureRequest:
    return FigureRequest.of(embed.figure_id, embed.parameters)


def _picture(drawn: DrawnFigure) -> str:
    """The drawing for the width of the text, or the nearest that there is."""
    svgs = dict(drawn.svgs)
    return next((svgs[size] for size in ("column", "wide", "narrow") if size in svgs), "")


def _parts_of_front(front: FrontMatter | None) -> Iterable[Parts]:
    return () if front is None else (front.title, front.description, front.event)


class _HalfReader:
    """Reads one half as sentences."""

    def __init__(  # noqa: PLR0917  (all that a half's text depends on)
        self,
        half: HalfId,
        path: str,
        front: FrontMatter | None,
        documents: Mapping[Language, Document],
        alignment: Alignment,
        computed: Mapping[FigureRequest, ComputedFigure],
        drawn: Mapping[tuple[FigureRequest, Language], DrawnFigure],
        words: Strings,
    ) -> None:
        self._half, self._path, self._front = half, path, front
        self._document = documents[half.language]
        self._alignment = alignment
        self._computed, self._drawn = computed, drawn
        self._values = Values(half.language, {str(one): figure.data for one, figure in computed.items()})
        numbered = number_embeds(documents, alignment, pictures=kind_of(half.article) != "talk")
        self._references: Mapping[str, Reference] = references_in(self._document, alignment, numbered, words)
        self._assertions: list[Assertion] = []
        self.mistakes: list[Diagnostic] = []
        """Values and references that cannot be shown."""

    def read(self) -> TextHalf:
        is_talk = kind_of(self._half.article) == "talk"
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
            for index in [row.zh if self._half.language == "zh" else row.en]
            if index is not None
        }
        blocks = [
            *self._front_blocks(is_talk=is_talk),
            *(
                self._block(block, ids.get(index, f"block-{index}"), slide_of.get(index, int(is_talk)))
                for index, block in enumerate(self._document.blocks)
            ),
        ]
        said = blocks[len(blocks) - len(self._document.blocks) :]
        titles = [
            " ".join(one.text for one in said[slide.title].sentences) if slide.title is not None else ""
            for slide in slides
        ]
        return TextHalf(
            article=self._half.article,
            kind=kind_of(self._half.article),
            language=self._half.language,
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
                sentences = self._sentences(parts, 1)
                yield TextBlock(
                    id=id_,
                    is_table=False,
                    sentences=tuple(sentences),
                    assertions=self._taken(),
                    slide=int(is_talk),
                )

    def _block(self, block: Block, id_: str, slide: int) -> TextBlock:
        embed = embed_of(block, self._document)
        around = tuple(
            part
            for part in block.parts
            if not (isinstance(part, Placeholder) and part.kind in ("figure", "table"))
        )
        sentences = self._sentences(around, block.line, is_code=block.kind == "code")
        figures: tuple[str, ...] = ()
        if embed is not None:
            sentences += self._sentences(embed.caption, embed.line)
            request = _request(embed)
            drawn = self._drawn.get((request, self._half.language))
            if drawn is not None:
                figures = (str(request),)
                sentences += self._said_by(drawn, embed.line, is_figure=isinstance(embed, FigureEmbed))
        for note in block.notes:
            sentences += self._sentences(note.parts, note.line)
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
                msgspec.structs.replace(one, template=f"{{{'said' if is_figure else 'row'} {n}.{at}}}")
                for at, one in enumerate(cut(" ".join(text.split("\n")), (), line))
            )
        ]

    def _sentences(self, parts: Parts, line: int, *, is_code: bool = False) -> list[Sentence]:
        return sentences_of(parts, self._text, self._bound, line, is_code=is_code)

    def _taken(self) -> tuple[Assertion, ...]:
        taken, self._assertions = tuple(self._assertions), []
        return taken

    def _bound(self, placeholder: Placeholder, text: str) -> BoundValue:
        number, dimension = self._values.number(placeholder.target)
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
                    return self._values.text(placeholder.target, path=self._path, line=placeholder.line)
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
            self._values.check(placeholder.target, path=self._path, line=placeholder.line)
        except DiagnosticError as error:
            mistake = error.diagnostics[0]
            if mistake.rule != "assert-false":
                raise
        return Assertion(expression=placeholder.target, line=placeholder.line, mistake=mistake)

    def _control(self, placeholder: Placeholder) -> str:
        """The value with which a parameter is shown first."""
        figure, _, name = placeholder.target.rpartition(".")
        for embed in self._document.figures:
            one = self._computed.get(_request(embed))
            if one is None or not embed.explored or figure not in ("", embed.figure_id):
                continue
            domain = next((domain for domain in one.domains if domain.name == name), None)
            if domain is not None:
                return value_text(domain, dict(one.parameters)[name], self._half.language)
        return name
