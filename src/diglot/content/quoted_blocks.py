"""A block of an article as Markdown that can be in another article: with its notes, its links leading on."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

import msgspec

from diglot.content.document import read_document
from diglot.content.extensions import unknown_in
from diglot.content.front_matter import split_front_matter
from diglot.content.includes import IncludeError
from diglot.content.labels import labels_in
from diglot.content.pairs import pair_documents
from diglot.content.records import Block, Document, Note, Placeholder
from diglot.diagnostics import DiagnosticError, did_you_mean
from diglot.figure_request import CELLS, FigureRequest
from diglot.languages import Language
from diglot.project import HtmlPolicy
from diglot.web_addresses import is_elsewhere

_ABOVE = re.compile(r"[ \t]*(?:\{[^{}\n]*\}|\([^()\s]+\)=)[ \t]*")
"""A line that gives the block below it a name or a class."""
_MARK = re.compile(r"\[\^([^\s\[\]]{1,80})\]")


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A block of a half that others can name."""

    block: Block
    names: tuple[str, ...]
    """The id that links lead to, and the names that references use. The first is the id."""
    words: str
    """The text of a heading, as links of Obsidian have it; empty for other blocks."""


class QuotedHalf:
    """A half whose blocks are shown in other articles. Raises IncludeError if it cannot be read."""

    def __init__(
        self, texts: Mapping[Language, tuple[str, str]], language: Language, html: HtmlPolicy = "all"
    ) -> None:
        """`texts` are the path and the text of each half of the article."""
        documents: dict[Language, Document] = {}
        for own, (path, text) in texts.items():
            try:
                documents[own], _ = read_document(text, path, own, html, extended=unknown_in(text))
            except DiagnosticError:  # where its front matter ends is not known
                raise IncludeError(f'"{path}" cannot be read', "correct the mistakes in that file.") from None
        self._path, text = texts[language]
        self._lines = text.split("\n")
        self._document = documents[language]
        alignment = pair_documents(documents.get("zh"), documents.get("en"))
        self._ids = {
            index: row.id
            for row in alignment.rows
            if (index := row.zh if language == "zh" else row.en) is not None
        }

    def place(self, label: str) -> Place:
        """The block that a label names: an id, the name of a figure, or the words of a heading."""
        places = [*self._places()]
        found = next((place for place in places if label in place.names), None)
        plain = _plain(label)
        found = found or next((place for place in places if place.words and place.words == plain), None)
        if found is None:
            known = dict.fromkeys(name for place in places for name in place.names)
            fix = did_you_mean(label, [*known], otherwise="give the block an id there: {#name} above it.")
            raise IncludeError(f'no block of "{self._path}" is named "{label}"', fix)
        return found

    def _places(self) -> Iterator[Place]:
        for index, block in enumerate(self._document.blocks):
            names = [self._ids.get(index, ""), block.anchor or "", *(one.name for one in labels_in(block))]
            words = _plain(block.text) if block.kind == "heading" else ""
            yield Place(block=block, names=tuple(dict.fromkeys(filter(None, names))), words=words)

    def markdown(self, label: str, reader: str) -> str:
        """The Markdown of a block, of what is below a heading, or without a label of all.

        `reader` is the path of the file that it becomes a part of. Raises IncludeError.
        """
        first, last = self._span(label)
        if not "".join(self._lines[first - 1 : last]).strip():
            raise IncludeError(f'nothing of "{self._path}" is at "{label}"', "name another block.")
        self._refuse_cells([block for block in self._document.blocks if first <= block.line <= last])
        spans = [(first, last)]
        text = "\n".join(self._lines[first - 1 : last]).strip("\n")
        for note in self._notes_of(text, first, last):
            spans.append((note.first_line, note.last_line))
            text += "\n\n" + "\n".join(self._lines[note.first_line - 1 : note.last_line])
        return self._with_own_marks(self._led_on(text, spans, reader))

    def _span(self, label: str) -> tuple[int, int]:
        """The first and the last line of what a label names."""
        if not label:
            return split_front_matter("\n".join(self._lines), self._path).body_line, len(self._lines)
        block = self.place(label).block
        first, last = block.line, block.last_line
        if block.kind == "heading":
            after = (
                other.line
                for other in self._document.blocks
                if other.kind == "heading" and other.line > block.line and other.level <= block.level
            )
            first, last = last + 1, next(after, len(self._lines) + 1) - 1
            while last > first and _ABOVE.fullmatch(self._lines[last - 1]) is not None:
                last -= 1
        else:
            while first > 1 and _ABOVE.fullmatch(self._lines[first - 2]) is not None:
                first -= 1
        return first, last

    def _refuse_cells(self, blocks: Sequence[Block]) -> None:
        for part in (part for block in blocks for part in block.parts):
            if isinstance(part, Placeholder) and any(
                FigureRequest.parse(text).figure_id == CELLS for text in part.figures
            ):
                raise IncludeError(
                    f'"{self._path}" shows there what its code cells do, which other articles cannot',
                    "move the code to a figure script, and show the figure in both.",
                )

    def _notes_of(self, text: str, first: int, last: int) -> Iterator[Note]:
        """The notes whose marks are in a text and whose definitions are elsewhere."""
        notes = {note.label: note for block in self._document.blocks for note in block.notes}
        for label in dict.fromkeys(_MARK.findall(text)):
            note = notes.get(label)
            if note is not None and note.first_line and not first <= note.first_line <= last:
                yield note

    def _with_own_marks(self, text: str) -> str:
        """The text with names of notes that no other text has."""
        labels = {note.label for block in self._document.blocks for note in block.notes}
        prefix = re.sub(r"[^\w-]+", "-", self._path.rpartition(".")[0])
        return _MARK.sub(lambda found: f"[^{prefix}-{found[1]}]" if found[1] in labels else found[0], text)

    def _led_on(self, text: str, spans: Sequence[tuple[int, int]], reader: str) -> str:
        """The text with relative addresses as they are from the reader's file."""
        folder, own = posixpath.dirname(reader), posixpath.dirname(self._path)
        for link in self._document.links:
            if not any(first <= link.line <= last for first, last in spans):
                continue
            path, mark, fragment = link.target.partition("#")
            if is_elsewhere(link.target) or path.startswith("/"):
                continue
            there = posixpath.normpath(posixpath.join(own, path)) if path else self._path
            new = posixpath.relpath(there, folder) + mark + fragment
            if new == link.target:
                continue
            forms = sorted({link.target, quote(link.target, safe="/#?=&%")}, key=len, reverse=True)
            pattern = rf"(?<=[(<\"'= ])(?:{'|'.join(map(re.escape, forms))})(?=[)>\"'\s]|$)"
            text, count = re.subn(pattern, new.replace(" ", "%20").replace("\\", r"\\"), text, flags=re.M)
            if not count and not re.search(rf"(?<![\w/]){re.escape(new)}", text):
                raise IncludeError(
                    f'"{link.target}" in "{self._path}" leads nowhere from another article',
                    "write an address there that begins with /.",
                )
        return text


def _plain(words: str) -> str:
    """Words without what links of Obsidian leave out."""
    return " ".join(re.findall(r"\w+", words.casefold()))
