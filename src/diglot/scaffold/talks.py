"""What a talk made from an article begins with: `:::{slide}` blocks, figures and notes of their sections."""

import posixpath
import re
from pathlib import Path

import msgspec
from markdown_it.token import Token

from diglot.content.directives import directive_name
from diglot.content.front_matter import split_front_matter
from diglot.content.parser import markdown_parser
from diglot.content.records import OF_TALKS
from diglot.diagnostics import DiagnosticError, Refusal
from diglot.languages import Language
from diglot.rules.sources import POSTS, TALKS, PostFiles
from diglot.scaffold.articles import articles_by_slug, read_text
from diglot.strict_yaml import read_mapping

_TARGET = re.compile(r"(?<=\]\()(?!/|[a-z][a-z0-9+.-]*:)([^)\s]+)")
"""What a link or a picture leads to, unless that is an address from the site's root or of another site."""
_ID_AT_END = re.compile(r"\s*\{[^{}`]*\}\s*$")


class TalkStart(msgspec.Struct, frozen=True, kw_only=True):
    """What a talk begins with."""

    article: str
    """The name of the post."""
    slug: str
    titles: dict[Language, str]
    bodies: dict[Language, str]


class _Slide(msgspec.Struct, kw_only=True):
    title: str
    body: str
    figures: list[str]
    notes: list[str]


def talk_from(root: Path, slug: str, *, is_flat: bool) -> TalkStart:
    """A talk made from an article. Raises Refusal if there is no such article, or no slide in it.

    `is_flat` is whether its files will lie side by side in the folder of talks.
    """
    posts = articles_by_slug(root, POSTS)
    files = posts.get(slug)
    if files is None:
        known = f"there is {', '.join(sorted(posts)[:5])}." if posts else "there is none yet."
        raise Refusal(f'there is no article "{slug}"', known)
    titles: dict[Language, str] = {}
    bodies: dict[Language, str] = {}
    for language in files.languages:
        path = files.path(language)
        try:
            matter = split_front_matter(read_text(root, path), path)
        except DiagnosticError as error:
            raise Refusal(str(error.diagnostics[0].message), "correct the article first.") from error
        slides = _slides(matter.body)
        if not slides:
            raise Refusal(
                f"no block :::{{slide}} in {path}",
                "write one in each section that the talk should show: :::{slide}, a few points, and :::",
            )
        titles[language] = _title(root, files, language)
        folder = posixpath.join(TALKS.folder, "" if is_flat else "talk")
        body = "".join(map(_written, slides))
        bodies[language] = _with_targets(body, root, posixpath.dirname(path), folder, files.slug(language))
    return TalkStart(article=files.name, slug=files.slug(files.languages[0]), titles=titles, bodies=bodies)


def _title(root: Path, files: PostFiles, language: Language) -> str:
    path = files.path(language)
    for text in (split_front_matter(read_text(root, path), path).yaml, read_text(root, files.shared)):
        try:
            title = read_mapping(text or "", path).values.get("title")
        except DiagnosticError as error:
            raise Refusal(error.diagnostics[0].message, "correct the article first.") from error
        if isinstance(title, dict):
            title = title.get(language)
        if isinstance(title, str):
            return title
    return files.slug(language)


def _slides(body: str) -> list[_Slide]:
    """The slides of an article. Figures and notes belong to the one above them, or to the section's first."""
    lines = body.split("\n")
    found: list[_Slide] = []
    section, waiting, said = "", list[str](), list[str]()
    mine: _Slide | None = None
    for token in markdown_parser().parse(body, {}):
        if token.level or token.map is None:
            continue
        begin, end = token.map
        if token.type == "heading_open" and token.tag == "h2":
            section, waiting, mine = _ID_AT_END.sub("", lines[begin].lstrip("# ")), [], None
            said = []
        elif token.type == "fence" and directive_name(token.info) in ("figure", "table"):
            waiting.append(_without_caption(token))
            if mine is not None:
                mine.figures += waiting
                waiting = []
        elif token.type == "admonition_open" and token.info in OF_TALKS:
            closed = end - 1 if token.meta["closed"] else end
            text = "\n".join(lines[begin + 1 : closed]).strip("\n")
            if token.info == "slide":
                mine = _Slide(title=token.content or section, body=text, figures=waiting, notes=said)
                waiting, said = [], []
                found.append(mine)
            else:
                (said if mine is None else mine.notes).append(f":::{{notes}}\n{text}\n:::")
    return found


def _without_caption(token: Token) -> str:
    """A figure with its options: a caption of an article is too long for a slide."""
    options = []
    for line in token.content.split("\n"):
        if not line.startswith(":"):
            break
        options.append(line)
    return "\n".join([f"```{token.info.strip()}", *options, "```"])


def _written(slide: _Slide) -> str:
    parts = [f"## {slide.title}" if slide.title else "---", *slide.figures, slide.body, *slide.notes]
    return "".join(f"{part}\n\n" for part in parts if part)


def _with_targets(body: str, root: Path, old: str, new: str, slug: str) -> str:
    """Text moved from one folder to another: its pictures and links lead where they did."""

    def moved(target: re.Match[str]) -> str:
        if target[1].startswith("#"):
            return f"/posts/{slug}/{target[1]}"
        path = posixpath.join(old, target[1].partition("#")[0])
        return (
            posixpath.relpath(posixpath.join(old, target[1]), new) if (root / path).is_file() else target[1]
        )

    return _TARGET.sub(moved, body)
