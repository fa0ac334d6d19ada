"""Gathers what `diglot diff` compares: a project's texts with their values, its figures and its chips."""

import json
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

import diglot
from diglot.comparing.half_texts import HalfReader, parts_of_front, request_of
from diglot.comparing.records import Facts, ShownFigure, TextHalf, TypedInText
from diglot.content.records import Alignment, Document, FrontMatter
from diglot.content.tree.nodes import Tree
from diglot.content.typed_numbers import Half, typed_numbers, units_of
from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of
from diglot.engine import FILE, Key
from diglot.figure_request import FigureRequest
from diglot.figures.custom_chips import CUSTOM_CHIPS_FOLDER, read_chip_entries
from diglot.figures.records import ComputedFigure, DrawnFigure
from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.render.parts import placeholders_in
from diglot.render.strings import Strings
from diglot.rules.articles import align_article
from diglot.rules.building import Site
from diglot.rules.figures import Scripts, compute_figure, draw_figure, find_scripts
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.parsed_halves import ParsedHalf, parts_of
from diglot.rules.projects import read_project
from diglot.rules.sources import PostFiles, Posts, find_post, find_posts, kind_of
from diglot.rules.summaries import ArticleAddresses, find_addresses
from diglot.rules.words import read_words

_OWN = Path(diglot.__file__).parent
"""Where this diglot is."""


def gather_facts(site: Site) -> Facts:
    """What is known of a project. Computes and draws what is out of date, and publishes nothing."""
    return _Gathering(site).facts()


class _Gathering:
    """One look at a project. A task that fails leaves its mistakes, and its value out."""

    def __init__(self, site: Site) -> None:
        self._site = site
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
        trees = {half: msgspec.msgpack.decode(one.tree, type=Tree) for half, one in parsed.items()}
        alignments = self._several({name: align_article.key(name) for name in files}, Alignment)
        words = self._several({language: read_words.key(language) for language in LANGUAGES}, Strings)
        embedded = {
            (request_of(embed), half.language)
            for half, document in documents.items()
            for embeds in (document.figures, document.tables)
            for embed in embeds
        }
        shown_by = {half: (*_figures_of(documents[half], fronts.get(half)),) for half in documents}
        quoted = {FigureRequest.parse(text) for texts in shown_by.values() for text in texts}
        scripts = self._scripts()
        project = self._one(read_project.key(None), Project)
        if project is not None and project.gallery:  # every figure has a page
            embedded |= {(FigureRequest.of(one), language) for one in scripts for language in LANGUAGES}
        computed, drawn = self._figures({request for request, _ in embedded} | quoted, embedded, scripts)
        texts: dict[str, TextHalf] = {}
        failed = bool(self._mistakes)
        for half in documents:
            reader = HalfReader(
                half.article,
                kind_of(half.article),
                half.language,
                front=fronts.get(half),
                documents={one.language: documents[one] for one in documents if one.article == half.article},
                tree=trees[half],
                alignment=alignments.get(half.article, Alignment()),
                computed=computed,
                drawn=drawn,
                words=words[half.language],
            )
            texts[str(half)] = msgspec.structs.replace(
                reader.read(),
                **_typed_in(trees[half], fronts.get(half)),
                figures=shown_by[half],
            )
            # Where a task has failed, values that cannot be shown may be no mistakes of their own.
            self._mistakes |= {} if failed else dict.fromkeys(reader.mistakes)
        return Facts(
            halves=texts,
            figures={
                str(request): ShownFigure(
                    script=request.cells_path or scripts[request.figure_id],
                    parameters=one.parameters,
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

    def _scripts(self) -> dict[str, str]:
        """The path of each figure's script."""
        known = self._one(find_scripts.key(None), Scripts)
        return {script.figure_id: script.path for script in known.scripts} if known is not None else {}

    def _figures(
        self,
        requests: set[FigureRequest],
        shown: set[tuple[FigureRequest, Language]],
        scripts: Container[str],
    ) -> tuple[dict[FigureRequest, ComputedFigure], dict[tuple[FigureRequest, Language], DrawnFigure]]:
        """The data of figures, and the drawings of those that are shown."""
        there = sorted((one for one in requests if one.cells_path or one.figure_id in scripts), key=str)
        computed = self._several({one: compute_figure.key(one) for one in there}, ComputedFigure)
        computed = {request: one for request, one in computed.items() if not one.refusals}
        drawings = {
            (request, language): draw_figure.key(DrawingId(request, language))
            for request, language in sorted(shown, key=str)
            if request in computed
        }
        return computed, self._several(drawings, DrawnFigure)

    def _one(self, key: Key, type_: type[Any]) -> Any:
        return self._several({0: key}, type_).get(0)

    def _several(self, keys: Mapping[Any, Key], type_: type[Any]) -> dict[Any, Any]:
        """The values of tasks by name, without those that failed."""
        if not keys:
            return {}
        report, values = self._site.bring_up([*keys.values()])
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


def _figures_of(document: Document, front: FrontMatter | None) -> Iterable[str]:
    """The figures that a half shows or quotes."""
    shown = [str(request_of(embed)) for embeds in (document.figures, document.tables) for embed in embeds]
    quoted = (
        text
        for parts in (*parts_of_front(front), *parts_of(document))
        for placeholder in placeholders_in(parts)
        for text in placeholder.figures
    )
    return dict.fromkeys((*shown, *quoted))


def _typed_in(tree: Tree, front: FrontMatter | None) -> dict[str, Any]:
    """The numbers of a half that are typed, and that nothing says the source of; and units of values."""
    if front is None:
        return {}
    half = Half(tree, front)
    typed = tuple(
        TypedInText(quantity=one.quantity, sentence=one.sentence.strip(), line=one.text.line)
        for one in typed_numbers(half)
    )
    return {"typed": typed, "units": units_of(half) if typed else {}}


def _picture(drawn: DrawnFigure) -> str:
    """The drawing for the width of the text, or the nearest that there is."""
    svgs = dict(drawn.svgs)
    return next((svgs[size] for size in ("column", "wide", "narrow") if size in svgs), "")
