"""The files of a new post, page or talk."""

import datetime
from pathlib import Path

import msgspec

from diglot.content.front_matter import parse_front_matter
from diglot.content.records import SharedText
from diglot.diagnostics import DiagnosticError, Refusal
from diglot.languages import Language
from diglot.rules.layouts import Section
from diglot.rules.sources import PAGES, POSTS, TALKS
from diglot.rules.summaries import GENERATED
from diglot.scaffold.articles import articles_by_slug
from diglot.scaffold.files import NewFile, is_there
from diglot.scaffold.templates import yaml_text
from diglot.scaffold.titles import check_slug, propose_slug
from diglot.site_map import BOTH


class NewPair(msgspec.Struct, frozen=True, kw_only=True):
    """What the author chose for a new post, page or talk."""

    section: Section
    titles: dict[Language, str]
    slug: str | None = None
    """The name in the address, for a page perhaps with slashes; None for one made from the titles."""
    bodies: dict[Language, str] = msgspec.field(default_factory=dict)
    """What the halves begin with; nothing where there is none."""
    date: datetime.date | None
    """None for a page or a talk."""
    article: str = ""
    """The name of the post that a talk is made from; empty for none."""
    tags: tuple[str, ...] = ()
    draft: bool = False
    only: Language | None = None
    """The language of an article that deliberately has one half."""
    is_flat: bool = False
    """Whether its files are next to each other, without a folder of their own."""


def pair_files(root: Path, pair: NewPair) -> tuple[NewFile, ...]:
    """The files of a new post, page or talk.

    Raises Refusal where a title is missing, the address is taken, or front matter may not have a value.
    """
    titles = _titles(pair)
    slug = pair.slug or propose_slug(titles)
    section = pair.section
    slug = slug.strip("/") if section.nested else slug
    for part in slug.split("/") if section.nested else [slug]:
        check_slug(part)
    _refuse_taken(root, slug, section)
    before = f"{section.folder}/{slug}{'.' if pair.is_flat else '/'}"
    shared = _shared_lines(pair)
    halves = {language: f"{before}{language}.md" for language in titles}
    files = [
        NewFile(
            path=halves[language],
            text=_half(title, () if len(titles) == 2 else shared) + pair.bodies.get(language, ""),
        )
        for language, title in titles.items()
    ]
    if len(titles) == 2 and shared:
        files.append(NewFile(path=f"{before}meta.yaml", text="".join(f"{line}\n" for line in shared)))
    _check(files, halves, is_page=section is PAGES, is_talk=section is TALKS)
    return tuple(files)


def _titles(pair: NewPair) -> dict[Language, str]:
    titles = pair.titles
    if pair.only is not None:
        if len(titles) == 2:
            raise Refusal(f"--only {pair.only} takes one title", "leave out the other one.")
        return {pair.only: next(iter(titles.values()))}
    if len(titles) == 1 and not pair.draft:
        (language,) = titles
        missing = "the English" if language == "zh" else "the Chinese"
        raise Refusal(
            f"{missing} title is missing",
            f"write both titles, or add `--only {language}` for one language only, or `--draft` to write the "
            "other half later.",
        )
    return titles


def _shared_lines(pair: NewPair) -> tuple[str, ...]:
    """The front matter that both halves share."""
    lines = []
    if pair.date is not None:
        lines.append(f"date: {pair.date.isoformat()}")
    if pair.tags:
        lines.append(f"tags: [{', '.join(pair.tags)}]")
    if pair.article:
        lines.append(f"article: {pair.article}")
    if pair.draft:
        lines.append("draft: true")
    if pair.only is not None:
        lines.append(f"only: {pair.only}")
    return tuple(lines)


def _half(title: str, more: tuple[str, ...]) -> str:
    lines = ("---", f"title: {yaml_text(title)}", *more, "---", "", "")
    return "\n".join(lines)


def _refuse_taken(root: Path, slug: str, section: Section) -> None:
    fix = "choose another address with --slug."
    first, last = slug.partition("/")[0], slug.rpartition("/")[2]
    if section is PAGES and (first in GENERATED or last == BOTH):
        raise Refusal(f'a page cannot have the address "{slug}": diglot uses it itself', fix)
    address = f"{TALKS.name}/{slug}" if section is TALKS else slug
    if (files := articles_by_slug(root, section).get(address)) is not None:
        what = {POSTS: "an article", PAGES: "a page", TALKS: "a talk"}[section]
        raise Refusal(f'there is {what} at "{slug}" already: {files.path(files.languages[0])}', fix)
    if section is not PAGES and is_there(root, f"{section.folder}/{slug}"):
        raise Refusal(f"{section.folder}/{slug} already exists", fix)


def _check(files: list[NewFile], halves: dict[Language, str], *, is_page: bool, is_talk: bool) -> None:
    """Read the files as a build will. Raises Refusal for the first mistake."""
    texts = {file.path: file.text for file in files}
    shared = [SharedText(path=path, text=text) for path, text in texts.items() if path.endswith(".yaml")]
    for language, path in halves.items():
        try:
            parse_front_matter(texts[path], path, language, *shared, is_page=is_page, is_talk=is_talk)
        except DiagnosticError as error:
            mistake = error.diagnostics[0]
            raise Refusal(mistake.message, mistake.fix or "choose another value.") from error
