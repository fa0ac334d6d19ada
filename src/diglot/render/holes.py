"""What goes into the holes of an article: values, references, addresses."""

from collections.abc import Mapping

from markupsafe import Markup, escape

from diglot.content.records import Alignment, Document, Hole
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.render.addresses import Addresses
from diglot.render.materials import Article, Half
from diglot.render.numbering import Numbered
from diglot.render.parts import Attributes
from diglot.render.strings import Strings
from diglot.render.values import Values, is_quantity


class ArticleFiller:
    """Fills the holes of one half of an article."""

    def __init__(
        self,
        half: Half,
        *,
        article: Article,
        numbered: Mapping[str, Numbered],
        strings: Strings,
        addresses: Addresses,
    ) -> None:
        self._half = half
        self._path = half.document.path
        self._numbered = numbered
        self._strings = strings
        self._addresses = addresses
        data = {request: figure.computed.data for request, figure in article.figures.items()}
        self._values = Values(strings.language, data)
        self._headings = headings_by_anchor(half.document, article.alignment)

    def __call__(self, hole: Hole) -> str:
        """The filling of a hole; raises DiagnosticError where it asks for what is not there."""
        match hole.kind:
            case "eval":
                return self._value(hole)
            case "ref":
                return self._reference(hole)
            case "link":
                return self._address(hole)
            case "image":
                return self._image(hole)
            case "figure" | "table":
                raise AssertionError(f"a {hole.kind} stands in a block of its own, which `embeds` renders")

    def _value(self, hole: Hole) -> str:
        text = self._values.text(hole.target, path=self._path, line=hole.line)
        if hole.context == "html" and is_quantity(text):
            return Markup('<span class="num">{}</span>').format(text)
        return text

    def _reference(self, hole: Hole) -> str:
        if (embed := self._numbered.get(hole.target)) is not None:
            text, anchor = self._strings(f"{embed.kind}_label", n=embed.number), embed.anchor
        elif (heading := self._headings.get(hole.target)) is not None:
            text, anchor = self._strings("section_label", title=heading), hole.target
        else:
            known = (*self._numbered, *self._headings)
            raise DiagnosticError(
                Diagnostic(
                    rule="ref-unknown",
                    message=f'nothing here is named "{hole.target}"',
                    location=Location(path=self._path, line=hole.line),
                    source_line=f"{{ref}}`{hole.target}`",
                    fix=did_you_mean(
                        hole.target,
                        known,
                        otherwise="refer to the `:name:` of a figure or the id of a section.",
                    ),
                )
            )
        if hole.context != "html":
            return text
        return Markup('<a class="ref" href="#{}">{}</a>').format(anchor, text)

    def _address(self, hole: Hole) -> str:
        if hole.target not in self._half.links:
            raise DiagnosticError(self._nowhere(hole, "link", self._half.links))
        return self._addresses.path(self._half.links[hole.target])

    def _image(self, hole: Hole) -> str:
        if hole.target not in self._half.images:
            raise DiagnosticError(self._nowhere(hole, "image", self._half.images))
        image = self._half.images[hole.target]
        address = self._addresses.path(image.path)
        if image.width_px is None or image.height_px is None or hole.context != "attribute":
            return address
        # With its size known, the browser keeps the place free and nothing moves when the picture comes.
        return Attributes(f'{escape(address)}" width="{image.width_px}" height="{image.height_px}')

    def _nowhere(self, hole: Hole, kind: str, known: Mapping[str, object]) -> Diagnostic:
        return Diagnostic(
            rule=f"{kind}-unknown",
            message=f'the {kind} "{hole.target}" leads nowhere',
            location=Location(path=self._path, line=hole.line),
            fix=did_you_mean(hole.target, known, otherwise="check the path; it is relative to this file."),
        )


def headings_by_anchor(document: Document, alignment: Alignment) -> dict[str, str]:
    """The text of each section's head by the id of its row."""
    found = {}
    for row in alignment.rows:
        index = row.zh if document.language == "zh" else row.en
        if index is not None and document.blocks[index].kind == "heading":
            found[row.id] = document.blocks[index].text
    return found
