"""From the files of an article to what its page and other pages need of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from msgspec import msgpack

from diglot.content.document import parse_document
from diglot.content.front_matter import parse_front_matter
from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.records import (
    Alignment,
    Block,
    Document,
    FencedScript,
    FrontMatter,
    Hole,
    Parts,
    SharedText,
)
from diglot.crew import Crew
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Encoded, Fetch
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.sources import PostFiles
from diglot.rules.tasks import Setting, Task


def tasks(setting: Setting) -> Mapping[str, Task]:
    """What is made of an article's files."""
    return {
        "front-matter": Task(read_front_matter, FrontMatter),
        "document": Task(partial(read_document, setting.crew), Document),
        "outline": Task(outline_half, Outline),
        "frame": Task(frame_half, Document),
        "alignment": Task(partial(align_article, setting.crew), Alignment),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What the rest of the site takes from a half's body: a slice, so that most edits stop here."""

    reading_minutes: int
    first_text: Parts
    scripts: tuple[FencedScript, ...]


async def read_front_matter(fetch: Fetch, name: str) -> FrontMatter:
    """The front matter of a half; `name` is `<article>:<language>`."""
    article, language = split_half(name)
    post: PostFiles = await fetch("post", article)
    path = post.half(language)
    assert path is not None, f"{name} was asked for and has no file"
    text = await read_text(fetch, path)
    shared = await read_text_if_there(fetch, post.shared)
    return parse_front_matter(
        text, path, language, None if shared is None else SharedText(path=post.shared, text=shared)
    )


async def read_document(crew: Crew, fetch: Fetch, name: str) -> Encoded:
    """The parsed body of a half; `name` is `<article>:<language>`."""
    article, language = split_half(name)
    post: PostFiles = await fetch("post", article)
    path = post.half(language)
    assert path is not None, f"{name} was asked for and has no file"
    encoded, warnings = await fetch.wait(crew.call(_parse, await read_text(fetch, path), path, language))
    fetch.warn(*warnings)
    return Encoded(encoded)


def _parse(text: str, path: str, language: Language) -> tuple[bytes, tuple[Diagnostic, ...]]:
    document = parse_document(text, path, language)
    return msgpack.encode(document), document.warnings


async def outline_half(fetch: Fetch, name: str) -> Outline:
    """The slice of a half's body that lists and figures need."""
    document: Document = await fetch("document", name)
    refers = any(isinstance(part, Hole) and part.kind != "eval" for part in document.first_text)
    return Outline(
        reading_minutes=document.reading_minutes,
        first_text=() if refers else document.first_text,  # "see figure 1" says nothing in a list
        scripts=document.scripts,
    )


async def frame_half(fetch: Fetch, name: str) -> Document:
    """A half without its text: what the twin's page needs to number figures and to know what is paired."""
    document: Document = await fetch("document", name)
    return replace(
        document,
        blocks=tuple(_frame(block) for block in document.blocks),
        figures=tuple(replace(embed, caption=(), line=0) for embed in document.figures),
        tables=tuple(replace(embed, caption=(), line=0) for embed in document.tables),
        scripts=(),
        links=(),
        warnings=(),
        reading_minutes=1,
        first_text=(),
    )


def _frame(block: Block) -> Block:
    holes = tuple(
        replace(part, line=0)
        for part in block.parts
        if isinstance(part, Hole) and part.kind in ("figure", "table")
    )
    return replace(block, parts=holes, line=0, text="", notes=())


async def align_article(crew: Crew, fetch: Fetch, article: str) -> Encoded:
    """Block beside block; says where the halves differ in what should be the same."""
    post: PostFiles = await fetch("post", article)
    documents: dict[Language, bytes] = {
        language: await fetch.encoded("document", f"{article}:{language}") for language in post.languages
    }
    await check_twin(fetch, post)
    encoded, warnings = await fetch.wait(crew.call(_align, documents.get("zh"), documents.get("en")))
    fetch.warn(*warnings)
    return Encoded(encoded)


def _align(zh: bytes | None, en: bytes | None) -> tuple[bytes, tuple[Diagnostic, ...]]:
    left, right = (None if half is None else msgpack.decode(half, type=Document) for half in (zh, en))
    alignment = pair_documents(left, right)
    warnings = () if left is None or right is None else compare_halves(left, right, alignment)
    return msgpack.encode(alignment), warnings


async def check_twin(fetch: Fetch, post: PostFiles) -> None:
    """Raise DiagnosticError where a half is missing and nobody said so, or is there against what was said."""
    fronts: dict[Language, FrontMatter] = {
        language: await fetch("front-matter", f"{post.name}:{language}") for language in post.languages
    }
    mistakes = []
    for language, front in fronts.items():
        path = post.half(language)
        assert path is not None
        twin = twin_of(language)
        if twin not in fronts and front.only != language:
            mistakes.append(
                Diagnostic(
                    rule="pair-missing",
                    message=f"the {twin} half of this article is missing",
                    severity="warning" if front.draft else "error",
                    location=Location(path=path, line=1),
                    fix=f"write {twin_path(path, language)}, or say `only: {language}` in the front matter.",
                )
            )
        if twin in fronts and front.only is not None:
            mistakes.append(
                Diagnostic(
                    rule="pair-only",
                    message=f"`only: {front.only}` is said here, but {post.half(twin)} is there too",
                    location=Location(path=path, line=1),
                    fix="delete the line, or the other file.",
                )
            )
    errors = [mistake for mistake in mistakes if mistake.severity == "error"]
    if errors:
        raise DiagnosticError(*errors)
    fetch.warn(*mistakes)


def twin_path(path: str, language: Language) -> str:
    """The file the other half would have."""
    return path.removesuffix(f"{language}.md") + f"{twin_of(language)}.md"


def split_half(name: str) -> tuple[str, Language]:
    """`gpu-vs-tpu:zh` as its two words."""
    article, _, language = name.rpartition(":")
    return article, as_language(language)


def as_language(code: str) -> Language:
    """A language out of the name of a task."""
    assert code in LANGUAGES, f"{code!r} is no language"
    return "zh" if code == "zh" else "en"
