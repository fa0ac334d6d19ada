"""Updates decks: draws stale pictures again, and puts them into the place of the old ones."""

import io
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import DiagnosticError
from diglot.figures.jobs import FORMATS, PNG_DPI, Format
from diglot.figures.picture_key import PictureKey
from diglot.figures.records import WorkerReport
from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.sheet_options import sheet_of
from diglot.figures.svg_sizes import svg_size
from diglot.invariants import certain
from diglot.languages import NO_TEXT, Bilingual
from diglot.rules.building import Site
from diglot.slides.archives import Archive
from diglot.slides.bound_values import in_order, tags_updated, values_replaced
from diglot.slides.decks import is_archive
from diglot.slides.edits import Redrawn, shapes_redescribed
from diglot.slides.findings import Finding, ValueFinding
from diglot.slides.kept import KeptPicture, keep_data, keep_pictures, kept_picture
from diglot.slides.part_names import relationships
from diglot.slides.picture_metadata import picture_metadata
from diglot.slides.records import Rendition
from diglot.slides.replacing import check_writable, replace_file, stamp
from diglot.use.exporting import credit_line
from diglot.use.slides import EXPORTS, CheckedDeck, CheckedDecks
from diglot.use.slides_charts import native_charts

_CSS_DPI, _LOWEST_DPI, _HIGHEST_DPI = 96, 36, 1200
_ALIKE = 0.01
"""By how much the ratio of a picture's sides may differ from that of its figure."""
_JPEG_QUALITY = 92


class UpdatedDeck(msgspec.Struct, frozen=True, kw_only=True):
    """What an update did to one file."""

    path: Path
    updated: tuple[Finding, ...] = ()
    values: tuple[ValueFinding, ...] = ()
    left: tuple[tuple[Finding, str], ...] = ()
    """Pictures that could not be updated, with the reason."""
    drawn: tuple[KeptPicture, ...] = ()
    """The new pictures, by which they are recognised if a program removes their metadata."""
    backup: Path | None = None
    signature_lost: bool = False
    """Whether it had a digital signature, which is not valid any more."""


class _CannotRedraw(Exception):
    """Why a picture cannot be drawn again."""


def update_decks(site: Site, checked: CheckedDecks) -> Iterator[UpdatedDeck]:
    """Replace the stale pictures of all decks, and yield each deck when it is done.

    Raises DiagnosticError, before anything is written, if a file cannot be written.
    """
    stale = [
        one
        for one in checked.decks
        if "stale" in {*(f.status for f in one.findings), *(v.status for v in one.values)}
    ]
    for one in stale:
        for path in _files_written(one):
            check_writable(path)
    drawings = _Drawings(site, checked)
    for finding in (f for one in stale for f in one.findings if f.status == "stale"):
        drawings.begin(finding)
    for one in checked.decks:
        if one not in stale:
            yield UpdatedDeck(path=one.path)
            continue
        updated = _update(one, drawings)
        keep_pictures(site.options.root / EXPORTS, updated.drawn)
        for request in {finding.key.request for finding in updated.updated if finding.key}:
            computed = certain(checked.now[request].computed, "a figure that was drawn has data")
            keep_data(site.options.root / EXPORTS, computed.digest, computed.data)
        yield updated


def _files_written(deck: CheckedDeck) -> list[Path]:
    if is_archive(deck.path):
        return [deck.path]
    stale = (one for one in deck.findings if one.status == "stale")
    return [*dict.fromkeys(Path(one.part) for finding in stale for one in finding.picture.renditions)]


def _update(deck: CheckedDeck, drawings: "_Drawings") -> UpdatedDeck:
    parts: dict[str, bytes] = {}
    redrawn: list[Redrawn] = []
    updated: list[Finding] = []
    left: list[tuple[Finding, str]] = []
    for finding in deck.findings:
        if finding.status != "stale":
            continue
        try:
            if finding.picture.chart:
                made, described = drawings.of_chart(finding, deck.path)
            else:
                made = drawings.of(finding)
                described = next((picture_metadata(one).description for one in made.values()), "")
        except _CannotRedraw as reason:
            left.append((finding, str(reason)))
            continue
        parts.update(made)
        redrawn.append(Redrawn(finding.picture, drawings.key_of(finding), described))
        updated.append(finding)
    backup = None
    if is_archive(deck.path):
        if parts or any(one.status == "stale" for one in deck.values):
            write = partial(_write_archive, deck, parts, redrawn)
            backup = replace_file(deck.path, write, read_at=deck.read_at, backup=True)
    else:
        for name, content in parts.items():
            path = Path(name)
            replace_file(path, partial(_write, content), read_at=stamp(path), backup=False)
    return UpdatedDeck(
        path=deck.path,
        updated=tuple(updated),
        values=tuple(one for one in deck.values if one.status == "stale"),
        left=tuple(left),
        drawn=tuple(
            kept_picture(Path(part), key, content)
            for part, content in parts.items()
            if (key := picture_metadata(content).key) is not None
        ),
        backup=backup,
        signature_lost=backup is not None and deck.deck.signed,
    )


def _write(content: bytes, target: BinaryIO) -> None:
    target.write(content)


def _write_archive(
    deck: CheckedDeck, pictures: Mapping[str, bytes], redrawn: Sequence[Redrawn], target: BinaryIO
) -> None:
    with deck.path.open("rb") as file:
        archive = Archive(deck.path, file)
        changes = dict(pictures)
        for part in dict.fromkeys(one.picture.part for one in redrawn if one.picture.shape_id):
            content = archive.read(part)
            now = shapes_redescribed(content, [one for one in redrawn if one.picture.part == part])
            if now != content:
                changes[part] = now
        now_texts = {one.value: one.now if one.status == "stale" else one.value.text for one in deck.values}
        for part, shapes in in_order(deck.deck.bound).items():
            values = {
                shape: [(one.text, now_texts[one]) for one in bound if one.shown]
                for shape, bound in shapes.items()
            }
            content = changes.get(part) or archive.read(part)
            changes[part] = values_replaced(content, values)
        for one in deck.values:
            if one.status == "stale":
                content = changes.get(one.value.tags) or archive.read(one.value.tags)
                changes[one.value.tags] = tags_updated(
                    content, {(one.value.expression, one.value.text): one.now}
                )
        archive.copy_to(
            target, {name: content for name, content in changes.items() if content != archive.read(name)}
        )


class _Drawings:
    """Drawings of figures as they are now, each made once for all decks."""

    def __init__(self, site: Site, checked: CheckedDecks) -> None:
        self._site, self._checked = site, checked
        self._calls: dict[tuple[str, Format], Future[WorkerReport]] = {}

    @cached_property
    def _credit(self) -> Bilingual:
        return credit_line(self._site)

    def key_of(self, finding: Finding) -> PictureKey:
        """The key of the pictures that replace the old ones."""
        return replace(certain(finding.key, "a stale picture has a key"), digest=finding.digest_now)

    def begin(self, finding: Finding) -> None:
        """Begin to draw a picture, which takes a while, in parallel with others."""
        key = self.key_of(finding)
        for one in finding.picture.renditions:
            if key.language is not None and one.metadata.key is not None:
                self._call(replace(one.metadata.key, digest=key.digest), _format_of(one))

    def of(self, finding: Finding) -> dict[str, bytes]:
        """New content for every file of a picture. Raises _CannotRedraw."""
        key = self.key_of(finding)
        if key.language is None:
            raise _CannotRedraw("its file does not say how it was exported; insert it again")
        return {one.part: self._file(key, one) for one in finding.picture.renditions}

    def of_chart(self, finding: Finding, deck: Path) -> tuple[dict[str, bytes], str]:
        """New content for the parts of a chart of PowerPoint, and its description. Raises _CannotRedraw."""
        try:
            from diglot.slides.powerpoint_files.charts import renewed_chart  # noqa: PLC0415  (python-pptx is an extra)
        except ModuleNotFoundError as error:
            raise _CannotRedraw(
                "a chart of PowerPoint needs python-pptx: `pip install 'diglot[slides]'` brings it"
            ) from error
        key = self.key_of(finding)
        request = str(key.request)
        computed = certain(self._checked.now[key.request].computed, "a stale chart has a figure")
        try:
            found = native_charts(
                self._site,
                [request],
                certain(key.language, "a chart of PowerPoint has a language"),
                scripts={request: self._checked.scripts[key.request.figure_id]},
                computed={request: computed},
            ).get(request)
        except DiagnosticError as error:
            raise _CannotRedraw(error.diagnostics[0].message) from error
        with deck.open("rb") as file:
            archive = Archive(deck, file)
            part = finding.picture.chart
            books = [
                one.target
                for one in relationships(archive, part).values()
                if one.kind == "package" and one.target in archive and one.target.endswith(".xlsx")
            ]
            renewed = renewed_chart(archive.read(part), found.numbers) if found is not None else None
        if found is None or renewed is None:
            raise _CannotRedraw(
                "the figure does not fit this chart of PowerPoint any more; build the deck again"
            )
        if len(books) != 1:
            raise _CannotRedraw("its workbook is not in the deck; build the deck again")
        return {part: renewed.chart, books[0]: renewed.workbook}, found.description

    def _file(self, key: PictureKey, old: Rendition) -> bytes:
        found = old.metadata
        if found.key is not None:  # exported by diglot, which says how
            return self._draw(replace(found.key, digest=key.digest), _format_of(old))
        if found.format == "svg":
            return self._draw(_without_resolution(key), "svg")
        if found.format not in ("png", "jpeg"):
            raise _CannotRedraw("it was converted to a format that diglot does not draw; insert it again")
        # Another program made it from the figure, as PowerPoint does for an SVG picture.
        svg = self._draw(_without_resolution(key), "svg")
        width, height = certain(svg_size(svg), "exported files have a size")
        if not found.width_px or abs(found.width_px / found.height_px / (width / height) - 1) > _ALIKE:
            raise _CannotRedraw(
                "what was cropped away is no longer in the file, or it is another picture; insert it again"
            )
        dpi = min(max(round(_CSS_DPI * found.width_px / width), _LOWEST_DPI), _HIGHEST_DPI)
        options = (("dpi", str(dpi)),) if dpi != PNG_DPI else ()
        png = self._draw(
            replace(_without_resolution(key), options=(*_without_resolution(key).options, *options)), "png"
        )
        return _as_jpeg(png) if found.format == "jpeg" else png

    def _draw(self, key: PictureKey, file_format: Format) -> bytes:
        try:
            report = self._call(key, file_format).result()
        except FigureFailed as failure:
            raise _CannotRedraw(failure.diagnostics[0].message) from failure
        (content,) = report.files(certain(key.language, "this was asked before"))
        return content

    def _call(self, key: PictureKey, file_format: Format) -> Future[WorkerReport]:
        if (call := self._calls.get((str(key), file_format))) is None:
            call = self._site.workers.figures().export(
                self._checked.scripts[key.request.figure_id],
                key.request,
                certain(self._checked.now[key.request].computed, "a stale picture has a figure"),
                (certain(key.language, "this was asked before"),),
                sheet_of(key, (file_format,), self._credit if "credit" in dict(key.options) else NO_TEXT),
            )
            self._calls[str(key), file_format] = call
        return call


def _format_of(rendition: Rendition) -> Format:
    found = next((one for one in FORMATS if one == rendition.metadata.format), None)
    return certain(found, "only formats that are exported have a key")


def _without_resolution(key: PictureKey) -> PictureKey:
    return replace(key, options=tuple(one for one in key.options if one[0] != "dpi"))


def _as_jpeg(png: bytes) -> bytes:
    from PIL import Image  # noqa: PLC0415  (only pictures that another program has compressed need it)

    target = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").save(target, "JPEG", quality=_JPEG_QUALITY)
    return target.getvalue()
