"""Resolves the placeholders of an article: values, references and addresses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec
from markupsafe import Markup

from diglot.bibliography.works import parse_target
from diglot.content.admonitions.kinds import KINDS
from diglot.content.labels import read_label
from diglot.content.records import Alignment, Document, Parts, Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.figures.frames.plan import Axis
from diglot.figures.records import CellPiece
from diglot.render.addresses import Addresses
from diglot.render.cell_outputs import html_of_pieces, text_of_pieces
from diglot.render.controls import label_text, value_text
from diglot.render.materials import Half, ImageFile
from diglot.render.numbering import Numbered
from diglot.render.parts import placeholders_in
from diglot.render.pictures import picture_end, picture_start, size_attributes
from diglot.render.strings import Strings
from diglot.render.values import Values, is_quantity


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """Text and target of a `{ref}`."""

    text: str
    """Such as `图 1`, `Figure 1(a)`, `式 (1)`, or the title of a section."""
    anchor: str
    label: str = ""
    """How a part of a figure is called there: `(a)`."""


def references_in(
    document: Document, alignment: Alignment, numbered: Mapping[str, Numbered], strings: Strings
) -> dict[str, Reference]:
    """Everything that a half may refer to by name: figures, tables, theorems, sections, numbered formulas."""
    found = {}
    for row in alignment.rows:
        index = row.zh if document.language == "zh" else row.en
        if index is None:
            continue
        block = document.blocks[index]
        if block.kind == "heading":
            title = strings("section_label", title=block.text)
            found[row.id] = Reference(text=title, anchor=row.id)
        elif block.number:
            found[row.id] = Reference(text=strings("formula_label", n=block.number), anchor=row.id)
    for name, one in numbered.items():
        label = f"({one.part})" if one.part else ""
        if one.kind in KINDS:
            text = f"{KINDS[one.kind].title.of(document.language)} {one.number}"
        else:
            text = strings(f"{one.kind}_label", n=one.number)
        found[name] = Reference(text=f"{text}{label}", anchor=one.anchor, label=label)
    return found


def reference_to(placeholder: Placeholder, references: Mapping[str, Reference], path: str) -> Reference:
    """The target of a placeholder of kind `ref`. Raises DiagnosticError where nothing has that name."""
    if placeholder.target in references:
        return references[placeholder.target]
    raise DiagnosticError(unknown_reference(placeholder, references, path))


def referable_names(document: Document, alignment: Alignment) -> Iterator[str]:
    """The names of sections and numbered formulas in a half."""
    for row in alignment.rows:
        index = row.zh if document.language == "zh" else row.en
        if index is not None and (document.blocks[index].kind == "heading" or document.blocks[index].number):
            yield row.id


def unknown_reference(placeholder: Placeholder, names: Iterable[str], path: str) -> Diagnostic:
    """The error for a `{ref}` to a name that is not among these."""
    otherwise = "use the `:name:` of a figure, the id of a section, or the label of a formula."
    return Diagnostic(
        rule="ref-unknown",
        message=f'nothing in this article is named "{placeholder.target}"',
        location=Location(path=path, line=placeholder.line),
        fix=did_you_mean(placeholder.target, names, otherwise=otherwise),
    )


class ArticleResolver:
    """Resolves the placeholders of one half of an article."""

    def __init__(
        self,
        half: Half,
        *,
        data: Mapping[str, bytes],
        references: Mapping[str, Reference],
        addresses: Addresses,
        shown: Sequence[Sequence[CellPiece]] = (),
    ) -> None:
        """`data` is the data of figures by request; `shown` is what each code cell shows."""
        self._shown = shown
        self._half = half
        self._path = half.document.path
        self._references = references
        self._addresses = addresses
        self._values = Values(half.document.language, data)
        self._following = {expression: figure for figure, expression in half.following}

    @cached_property
    def has_values(self) -> bool:
        """Whether the half shows a value between tags, so its pages lead to the sources of its values."""
        document = self._half.document
        shown: Iterable[Parts] = (
            *(block.parts for block in document.blocks),
            *(note.parts for block in document.blocks for note in block.notes),
            *(figure.caption for figure in document.figures),
            *(table.caption for table in document.tables),
        )
        return any(
            placeholder.kind == "eval" and placeholder.context == "html"
            for parts in shown
            for placeholder in placeholders_in(parts)
        )

    def __call__(self, placeholder: Placeholder) -> str:
        """The text of a placeholder. Raises DiagnosticError for an unknown value, reference or target."""
        match placeholder.kind:
            case "eval":
                return self._value(placeholder)
            case "assert":
                self._values.check(placeholder.target, path=self._path, line=placeholder.line)
                return ""
            case "control":
                return self._control(placeholder)
            case "ref":
                return self._reference(placeholder)
            case "cite":
                return self._citation(placeholder)
            case "link":
                return self._address(placeholder)
            case "image" | "file":
                return self._addresses.path(self._image(placeholder).path)
            case "cell":
                pieces = self._shown[int(placeholder.target)]
                if placeholder.context != "html":
                    return text_of_pieces(pieces)
                return html_of_pieces(pieces, self._half.document.language)
            case "diagram":
                diagram = self._half.diagrams[int(placeholder.target)]
                if placeholder.context == "html" and diagram.svg:
                    return Markup(diagram.svg)
                return f"[{diagram.alt}]" if diagram.alt else ""
            case "picture":
                image = self._image(placeholder)
                return picture_start(image, placeholder.width, placeholder.height, self._addresses)
            case "picture-size":
                return size_attributes(self._image(placeholder), placeholder.width, placeholder.height)
            case "picture-end":
                return picture_end(self._image(placeholder))
            case "label":
                return self._label(placeholder)
            case "figure" | "table":
                raise AssertionError(
                    f"a {placeholder.kind} stands in a block of its own, which `embeds` renders"
                )

    def _value(self, placeholder: Placeholder) -> str:
        text = self._values.text(placeholder.target, path=self._path, line=placeholder.line)
        if placeholder.context != "html":
            return text
        kind = Markup(' class="num"') if is_quantity(text) else ""
        figure = self._following.get(placeholder.target)
        follows = Markup(' data-figure="{}"').format(figure) if figure else ""
        return Markup('<span{}{} data-value="{}">{}</span>').format(kind, follows, placeholder.target, text)

    def _control(self, placeholder: Placeholder) -> str:
        """The value that a parameter is shown with first; scripts make it a number that can be turned."""
        embed, axis = self._turned(placeholder)
        domain, language = axis.domain, self._half.document.language
        texts = [value_text(domain, value, language) for value in axis.values]
        if placeholder.context != "html":
            return texts[axis.default]
        own = Markup(' data-texts="{}"').format("\n".join(texts)) if domain.value_labels else ""
        span = Markup('<span class="num" data-figure="{}" data-turns="{}" data-label="{}"{}>{}</span>')
        return span.format(embed, domain.name, label_text(domain, language), own, texts[axis.default])

    def _turned(self, placeholder: Placeholder) -> tuple[str, Axis]:
        """The name of the figure, and its parameter, that a `{control}` turns."""
        known = {
            f"{exploration.plan.request.figure_id}.{axis.domain.name}": (embed, axis)
            for embed, exploration in self._half.explorations.items()
            for axis in exploration.plan.axes
        }
        fits = turned_by(placeholder.target, known)
        if len(fits) == 1:
            return known[fits[0]]
        raise DiagnosticError(unknown_control(placeholder, known, self._path))

    def _reference(self, placeholder: Placeholder) -> str:
        reference = reference_to(placeholder, self._references, self._path)
        if placeholder.context != "html":
            return reference.text
        return Markup('<a class="ref" href="#{}">{}</a>').format(reference.anchor, reference.text)

    def _label(self, placeholder: Placeholder) -> str:
        """The label of what has a number; talks have none but the words for theorems and the like."""
        label = read_label(placeholder)
        reference = self._references.get(label.name)
        if label.of in KINDS:
            word = KINDS[label.of].title.of(self._half.document.language)
            return word if reference is None else reference.text
        return "" if reference is None else Markup("<b>{}</b>").format(reference.label or reference.text)

    def _citation(self, placeholder: Placeholder) -> str:
        """The mark of a citation; a name that is written like a key stays as it is."""
        mark = self._half.citations.marks.get(placeholder.target)
        if mark is None:
            return f"@{parse_target(placeholder.target).keys[0]}"
        return Markup(mark.html) if placeholder.context == "html" else mark.text

    def _address(self, placeholder: Placeholder) -> str:
        if placeholder.target not in self._half.links:
            raise DiagnosticError(self._nowhere(placeholder, "link", self._half.links))
        return self._addresses.path(self._half.links[placeholder.target])

    def _image(self, placeholder: Placeholder) -> ImageFile:
        if placeholder.target not in self._half.images:
            raise DiagnosticError(self._nowhere(placeholder, "image", self._half.images))
        return self._half.images[placeholder.target]

    def _nowhere(self, placeholder: Placeholder, kind: str, known: Mapping[str, object]) -> Diagnostic:
        return Diagnostic(
            rule=f"{kind}-unknown",
            message=f'the {kind} "{placeholder.target}" was not resolved',
            location=Location(path=self._path, line=placeholder.line),
            fix=did_you_mean(
                placeholder.target, known, otherwise="check the path; it is relative to this file."
            ),
        )


def turned_by(target: str, known: Iterable[str]) -> list[str]:
    """The parameters that a `{control}` may turn, each as `figure.parameter`: one, if it is right."""
    return [one for one in known if one == target or ("." not in target and one.endswith(f".{target}"))]


def unknown_control(placeholder: Placeholder, known: Iterable[str], path: str) -> Diagnostic:
    """The error for a `{control}` that turns no parameter, or one of several."""
    names, target = list(known), placeholder.target
    if fits := turned_by(target, names):
        message = f'"{target}" is a parameter of more than one figure'
        fix = f"write {' or '.join(f'{{control}}`{one}`' for one in fits)}."
    else:
        message = f'readers cannot turn "{target}" in this article'
        otherwise = f"they can turn {', '.join(names)}." if names else "add `:explore:` to a figure."
        fix = did_you_mean(target, names, otherwise=otherwise)
    return Diagnostic(
        rule="control-unknown",
        message=message,
        location=Location(path=path, line=placeholder.line),
        source_line=f"{{control}}`{target}`",
        fix=fix,
    )
