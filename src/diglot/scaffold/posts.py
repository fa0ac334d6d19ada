"""The files of a new article."""

import datetime
from pathlib import Path

import msgspec

from diglot.content.front_matter import parse_front_matter
from diglot.content.records import SharedText
from diglot.diagnostics import DiagnosticError
from diglot.languages import Language
from diglot.rules.sources import POSTS
from diglot.scaffold.articles import find_articles, posts_by_name
from diglot.scaffold.files import NewFile, Refusal, is_there
from diglot.scaffold.templates import yaml_text
from diglot.scaffold.titles import check_slug, propose_slug


class NewPost(msgspec.Struct, frozen=True, kw_only=True):
    """What is chosen of a new article."""

    titles: dict[Language, str]
    slug: str | None = None
    """None for one made from the titles."""
    date: datetime.date
    tags: tuple[str, ...] = ()
    draft: bool = False
    only: Language | None = None
    """The language of an article that has one half on purpose."""
    is_flat: bool = False
    """Whether its files lie side by side in `content/posts/`, without a folder of their own."""


def post_files(root: Path, post: NewPost) -> tuple[NewFile, ...]:
    """The files of a new article.

    Raises Refusal where a title is missing, the address is taken, or a value is not one that front matter may
    have.
    """
    titles = _titles(post)
    slug = post.slug or propose_slug(titles)
    check_slug(slug)
    _refuse_taken(root, slug)
    before = f"{POSTS.folder}/{slug}{'.' if post.is_flat else '/'}"
    shared = _shared_lines(post)
    halves = {language: f"{before}{language}.md" for language in titles}
    files = [
        NewFile(path=halves[language], text=_half(title, () if len(titles) == 2 else shared))
        for language, title in titles.items()
    ]
    if len(titles) == 2:
        files.append(NewFile(path=f"{before}meta.yaml", text="".join(f"{line}\n" for line in shared)))
    _check(files, halves)
    return tuple(files)


def _titles(post: NewPost) -> dict[Language, str]:
    titles = post.titles
    if post.only is not None:
        if len(titles) == 2:
            raise Refusal(f"--only {post.only} takes one title", "leave out the other one.")
        return {post.only: next(iter(titles.values()))}
    if len(titles) == 1 and not post.draft:
        (language,) = titles
        missing = "an English" if language == "zh" else "a Chinese"
        raise Refusal(
            f"the article needs {missing} title as well",
            f"write both titles, or add `--only {language}` for an article in one language, or `--draft` to "
            "write the other half later.",
        )
    return titles


def _shared_lines(post: NewPost) -> tuple[str, ...]:
    """The front matter that both halves share."""
    lines = [f"date: {post.date.isoformat()}"]
    if post.tags:
        lines.append(f"tags: [{', '.join(post.tags)}]")
    if post.draft:
        lines.append("draft: true")
    if post.only is not None:
        lines.append(f"only: {post.only}")
    return tuple(lines)


def _half(title: str, more: tuple[str, ...]) -> str:
    lines = ("---", f"title: {yaml_text(title)}", *more, "---", "", "")
    return "\n".join(lines)


def _refuse_taken(root: Path, slug: str) -> None:
    if (files := posts_by_name(root, find_articles(root)).get(slug)) is not None:
        message = f'there is an article at "{slug}" already: {files.path(files.languages[0])}'
        raise Refusal(message, "choose another address with --slug.")
    if is_there(root, f"{POSTS.folder}/{slug}"):
        raise Refusal(f"{POSTS.folder}/{slug} is there already", "choose another address with --slug.")


def _check(files: list[NewFile], halves: dict[Language, str]) -> None:
    """Read the files as a build will. Raises Refusal for the first mistake."""
    texts = {file.path: file.text for file in files}
    shared = [SharedText(path=path, text=text) for path, text in texts.items() if path.endswith(".yaml")]
    for language, path in halves.items():
        try:
            parse_front_matter(texts[path], path, language, *shared)
        except DiagnosticError as error:
            mistake = error.diagnostics[0]
            raise Refusal(mistake.message, mistake.fix or "choose another value.") from error
