"""Halves as they are typed: parsed at once, however far the look at their site is."""

from functools import lru_cache

from diglot.content.document import read_document
from diglot.content.pairs import pair_documents
from diglot.content.records import Alignment, Block, Document
from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.lsp.asked import Asked
from diglot.lsp.knowledge import HalfFile


@lru_cache(8)
def parsed(text: str, path: str, language: Language) -> Document | None:
    """A half, as far as it can be read; None for one in which it is not known where its text begins."""
    try:
        return read_document(text.replace("\r\n", "\n"), path, language)[0]
    except DiagnosticError:
        return None


class Pair:
    """Both halves of the article that an editor asks about."""

    def __init__(self, asked: Asked, half: HalfFile) -> None:
        post = asked.known.posts.articles.get(half.article)
        self.own = half.language
        self.twin = twin_of(half.language)
        self.paths = {one: post.half(one) if post is not None else None for one in LANGUAGES}
        self.documents: dict[Language, Document | None] = {
            self.own: parsed(asked.text.text, asked.path, self.own),
            self.twin: None,
        }
        if (path := self.paths[self.twin]) is not None:
            self.documents[self.twin] = parsed(asked.read(path), path, self.twin)

    @property
    def alignment(self) -> Alignment:
        """Which blocks belong together; no rows if no half can be read."""
        zh, en = self.documents["zh"], self.documents["en"]
        return Alignment() if zh is None and en is None else pair_documents(zh, en)

    def block_at(self, line: int) -> int | None:
        """The index of the block of the own half at a line of the file, from 1; None above the first one."""
        document = self.documents[self.own]
        indices = [at for at, one in enumerate(document.blocks if document else ()) if one.line <= line]
        return indices[-1] if indices else None

    def row_at(self, line: int) -> int | None:
        """The index of the row of this block."""
        index = self.block_at(line)
        rows = self.alignment.rows if index is not None else ()
        return next(
            (at for at, row in enumerate(rows) if (row.zh if self.own == "zh" else row.en) == index), None
        )

    def twin_of(self, line: int) -> Block | None:
        """The twin of the block at a line, or of the last one before it that has a twin; None without any."""
        at = self.row_at(line)
        other = self.documents[self.twin]
        if at is None or other is None:
            return None
        for row in reversed(self.alignment.rows[: at + 1]):
            index = row.en if self.own == "zh" else row.zh
            if index is not None:
                return other.blocks[index]
        return None
