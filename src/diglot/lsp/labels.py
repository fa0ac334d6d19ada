"""Labels of an article: where they are given, and everything that refers to them."""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from diglot.diagnostics import Refusal
from diglot.lsp.knowledge import HalfFile, Known
from diglot.lsp.marks import Fence, Mark, fences_in, marks_in
from diglot.rules.sources import PostFiles

_LABEL = re.compile(r"[A-Za-z][\w:.-]*")
_DEFAULT_NAMES = {"figure": "fig-", "table": "tab-"}
"""What the names of figures and tables begin with that their authors have not named."""

Read = Callable[[str], str]
"""The text of a half, as an editor shows it or as it was saved."""


class LabelAt(NamedTuple):
    """A label of an article."""

    article: str
    name: str


class Use(NamedTuple):
    """A place in a file where a label is, or where one has to be written to give it."""

    path: str
    start: int
    end: int
    gives: bool
    """Whether it is the place that gives the label."""
    before: str = ""
    after: str = ""
    """What has to be written around the new name."""


def label_at(known: Known, path: str, mark: Mark | None) -> LabelAt | None:
    """The label that a mark in a file gives or refers to."""
    half = known.half_at(path)
    if mark is None or half is None:
        return None
    if mark.kind in ("label", "reference"):
        return LabelAt(half.article, mark.text)
    if mark.kind == "link" and "#" in mark.text:
        target, _, name = mark.text.partition("#")
        article = linked_article(known, path, half, target)
        return LabelAt(article, unquote(name)) if article and name else None
    return None


def linked_article(known: Known, path: str, half: HalfFile, target: str) -> str | None:
    """The article that a link leads to; None for one that leads elsewhere."""
    place = unquote(target)
    if not place:
        return half.article
    if "://" in place:
        return None
    if not place.startswith("/"):
        inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        other = known.half_at(inner)
        return other.article if other is not None else known.posts.folders.get(inner)
    inner = re.sub(r"^(?:zh|en|both)/", "", place.strip("/"))
    for name, post in known.posts.articles.items():
        addresses = known.addresses.get(name)
        written = (
            {path.strip("/").partition("/")[2] for path in addresses.paths.values()} if addresses else set()
        )
        if inner in (
            post.slug("zh"),
            post.slug("en"),
            f"posts/{post.slug('en')}",
            f"posts/{post.slug('zh')}",
            *written,
        ):
            return name
    return None


def uses_of(known: Known, label: LabelAt, read: Read) -> list[Use]:
    """All places of a label: in both halves of its article, and in links of all others."""
    found: list[Use] = []
    for path in known.posts.halves:
        text = read(path)
        half = known.half_at(path)
        is_own = half is not None and half.article == label.article
        if not is_own and label.name not in text:
            continue
        for mark in marks_in(text):
            if label_at(known, path, mark) == label:
                start = mark.end - len(label.name) if mark.kind == "link" else mark.start
                found.append(Use(path, start, mark.end, gives=mark.kind == "label"))
        if is_own:
            found += _default_names(path, text, label.name)
    return found


def _default_names(path: str, text: str, name: str) -> Iterator[Use]:
    """Fences of figures that have this name because their authors gave none: `:name:` gives another one."""
    lines = text.split("\n")
    for fence in fences_in(lines):
        begin = _DEFAULT_NAMES.get(fence.name or "")
        if begin is None or name != begin + fence.argument.replace("_", "-") or _has_name(lines, fence):
            continue
        at = sum(len(line) + 1 for line in lines[: fence.first + 1])
        yield Use(path, at, at, gives=True, before=":name: ", after="\n")


def _has_name(lines: list[str], fence: Fence) -> bool:
    return any(re.match(r"[ \t>]*:name:", line) for line in lines[fence.first + 1 : fence.last])


def definition_of(known: Known, label: LabelAt, read: Read) -> list[Use]:
    """Where a label is given, in both halves; for one that a heading has by itself, the heading's line."""
    given = [use for use in uses_of(known, label, read) if use.gives]
    return given or [*_blocks_of(known, label, read)]


def _blocks_of(known: Known, label: LabelAt, read: Read) -> Iterator[Use]:
    post = known.posts.articles.get(label.article)
    for row in known.alignment_of(label.article).rows:
        if row.id != label.name or post is None:
            continue
        for language in post.languages:
            document = known.document_of(HalfFile(label.article, language))
            index = row.zh if language == "zh" else row.en
            path = post.half(language)
            if document is not None and index is not None and path is not None:
                lines = read(path).split("\n")
                at = sum(len(line) + 1 for line in lines[: document.blocks[index].line - 1])
                yield Use(path, at, at, gives=True)


def names_in(known: Known, half: HalfFile) -> dict[str, str]:
    """The labels that a half can refer to, with what each is of."""
    article = known.articles.get(half.article)
    names: dict[str, str] = {}
    if article is None:
        return names
    for name in sorted(article.names.referable.get(half.language, ())):
        names[name] = "label"
    document = known.document_of(half)
    if document is None:
        return names
    names |= {figure.name: f"figure {figure.figure_id}" for figure in document.figures}
    names |= {table.name: f"table {table.figure_id}" for table in document.tables}
    for row in known.alignment_of(half.article).rows:
        index = row.zh if half.language == "zh" else row.en
        if index is not None and document.blocks[index].kind == "heading":
            names[row.id] = document.blocks[index].text
    return names


def check_new_name(known: Known, label: LabelAt, new: str, post: PostFiles | None) -> None:
    """Raise Refusal for a name that a label cannot have, or that another one of the article has."""
    if not _LABEL.fullmatch(new):
        raise Refusal(
            f'"{new}" cannot be a name', "use ASCII letters, digits and hyphens, beginning with a letter."
        )
    article = known.articles.get(label.article)
    taken = (
        set()
        if article is None
        else {
            *(article.names.blocks or ()),
            *(name for names in article.names.referable.values() for name in names),
        }
    )
    if new in taken and new != label.name:
        raise Refusal(f'this article has a "{new}" already', "choose another name.")
    if post is None:
        raise Refusal(
            f'nothing is known of the article "{label.article}" yet', "open one of its halves first."
        )
