"""What an article has of others: their blocks, `{embed}`, and the links of Obsidian between them.

A half is parsed after these are made, so what they read is the text of the other article, not what other
tasks make of it: two articles may have parts of each other.
"""

import posixpath
from contextlib import suppress

from diglot.content.embeds import WikiLink, read_wikilink
from diglot.content.extensions import Call
from diglot.content.includes import IncludeError
from diglot.content.quoted_blocks import QuotedHalf
from diglot.content.records import FrontMatter
from diglot.diagnostics import did_you_mean
from diglot.engine import LISTING, Packs, UpstreamFailed
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.project import HtmlPolicy
from diglot.rules.files import STATIC
from diglot.rules.front_matters import read_front_matter
from diglot.rules.ids import HalfId, as_language
from diglot.rules.layouts import CONTENT
from diglot.rules.options import SELECTION
from diglot.rules.parsed_halves import Source
from diglot.rules.projects import read_html_policy
from diglot.rules.reading import read_text
from diglot.rules.sources import PAGE, find_article_of, find_post, find_posts
from diglot.rules.tasks import Fetch, in_worker

_POSTS = "posts/"
_EXAMPLE = "write an article and a block of it, as in ![](/posts/roofline/#fig-roofline)."
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp")


async def embedded(fetch: Fetch, source: Source, call: Call) -> str:
    """The Markdown of what a half has of another article. Raises IncludeError."""
    if call.options:
        raise IncludeError(f'{{embed}} has no option "{call.options[0][0]}"', "delete the line.")
    if call.body.strip():
        fix = f"write ![]({call.argument}), and the words below it."
        raise IncludeError("a block that is shown from elsewhere has no words of its own", fix)
    if call.argument.startswith("[["):
        link = read_wikilink(call.argument.strip("[]"))
        name, language, label = await _article_named(fetch, link.name, source), None, link.place
    else:
        path, _, label = call.argument.partition("#")
        if not label:
            raise IncludeError(f'"{call.argument}" names no block', _EXAMPLE)
        name, language = await _article_at(fetch, path, source)
    if not name or name == await _own_name(fetch, source):
        fix = f"refer to it, {{ref}}`{label or 'fig-…'}`, or name another article: /posts/…/#{label}."
        raise IncludeError("a block is not shown twice in its own article", fix)
    language = language or await _language_of(fetch, name, source.language)
    if (why := await _why_hidden(fetch, name, language)) is not None:
        raise IncludeError(f'"{call.argument}" is of an article that {why}', "publish it first.")
    return await _from_half(fetch, name, language, label, source.path)


async def linked(fetch: Fetch, source: Source, call: Call) -> str:
    """The Markdown of a link of Obsidian. Raises IncludeError."""
    link = read_wikilink(call.body)
    if link.is_of_file:
        return await _file(fetch, source, link, is_picture=bool(call.argument))
    if call.argument:
        raise IncludeError(
            f'"![[{call.body}]]" is inside a paragraph', "put it on a line between empty ones."
        )
    name = await _article_named(fetch, link.name, source) if link.name else await _own_name(fetch, source)
    language = await _language_of(fetch, name, source.language)
    fragment = ""
    if link.place:
        fragment = "#" + await _id_in(fetch, name, language, link.place)
    path = (await fetch(find_post, name)).path(language)
    address = posixpath.relpath(path, posixpath.dirname(source.path)) if link.name else ""
    words = link.words or await _words_for(fetch, link, name, language)
    return f"[{_escaped(words)}](<{address}{fragment}>)"


async def _words_for(fetch: Fetch, link: WikiLink, name: str, language: Language) -> str:
    """The words of a link without any: the title of an article that it names as its file, or what it says."""
    if not link.name:
        return link.place
    title = ""
    with suppress(UpstreamFailed):
        title = _plain_title(await fetch(read_front_matter, HalfId(name, language)))
    words = title if title and _as_file(link.name) == posixpath.basename(name) else link.name
    return f"{words} › {link.place}" if link.place else words


def _escaped(words: str) -> str:
    return "".join(f"\\{sign}" if sign in "[]\\`*_<$" else sign for sign in words)


def _plain_title(front: FrontMatter) -> str:
    """The title of a half; empty for one with values in it."""
    return front.title[0] if len(front.title) == 1 and isinstance(front.title[0], str) else ""


async def _file(fetch: Fetch, source: Source, link: WikiLink, *, is_picture: bool) -> str:
    """A picture or another file, which Obsidian finds by its name in any folder."""
    folder, name = posixpath.dirname(source.path), link.name
    files = await fetch(LISTING, f"{CONTENT}/**")
    paths = sorted(one for one in files if one == name or one.endswith(f"/{name}"))
    path = min(paths, key=lambda one: (not one.startswith(f"{folder}/"), len(one)), default=None)
    if path is not None:
        address = posixpath.relpath(path, folder)
    elif (static := f"{STATIC}/{name}") in await fetch(LISTING, f"{STATIC}/**"):
        address = static.removeprefix(STATIC)
    else:
        fix = did_you_mean(name, map(posixpath.basename, files), otherwise="put it next to the article.")
        raise IncludeError(f'file not found: "{name}"', fix)
    if not (is_picture and name.lower().endswith(_PICTURES)):
        return f"[{_escaped(link.words or name)}](<{address}>)"
    sides = (("width", link.width), ("height", link.height))
    given = " ".join(f"{side}={size}" for side, size in sides if size)
    return f"![{_escaped(link.words)}](<{address}>)" + (f"{{{given}}}" if given else "")


async def _own_name(fetch: Fetch, source: Source) -> str:
    return (await fetch(find_article_of, source.path)).partition(":")[0]


async def _article_at(fetch: Fetch, path: str, source: Source) -> tuple[str, Language | None]:
    """The article at an address or a path, and the language that it names. Raises IncludeError."""
    if not path:
        return "", None
    if path.startswith("/"):
        first, _, rest = path.strip("/").partition("/")
        language = as_language(first) if first in LANGUAGES else None
        address = rest if language else path.strip("/")
        name = address.removeprefix(_POSTS) if address.startswith(_POSTS) else f"{PAGE}{address}"
        if not (await fetch(find_post, name)).languages:
            name = await _by_front_matter(fetch, slug=name.removeprefix(PAGE), title="")
    else:
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path))
        name, _, code = (await fetch(find_article_of, inside)).partition(":")
        language = as_language(code) if code else None
    if not name:
        known = [f"/posts/{one}/" for one in (await fetch(find_posts)).names if "/" not in one]
        raise IncludeError(f'there is no article at "{path}"', did_you_mean(path, known, otherwise=_EXAMPLE))
    return name, language


def _as_file(name: str) -> str:
    """What a note would be called as a folder of an article."""
    return "-".join(name.rpartition("/")[2].casefold().split())


async def _article_named(fetch: Fetch, name: str, source: Source) -> str:
    """The article that a link of Obsidian names, by its file or its title. Raises IncludeError."""
    if not name:
        return await _own_name(fetch, source)
    for path in (_as_file(name), name.casefold()):
        for own in (path, f"{PAGE}{path}"):
            if (await fetch(find_post, own)).languages:
                return own
    if found := await _by_front_matter(fetch, slug=_as_file(name), title=name):
        return found
    known = {own.rpartition("/")[2] for own in (await fetch(find_posts)).names}
    fix = did_you_mean(
        name, known, otherwise="write the name of its folder, or its title; or write the article."
    )
    raise IncludeError(f'there is no article "{name}"', fix)


async def _by_front_matter(fetch: Fetch, *, slug: str, title: str) -> str:
    """The article with this slug or this title in either language; empty if there is none."""
    posts = await fetch(find_posts)
    for name, post in posts.articles.items():
        for language in post.languages:
            with suppress(UpstreamFailed):  # its mistakes are reported there
                front = await fetch(read_front_matter, HalfId(name, language))
                own = _plain_title(front).casefold()
                if front.slug == slug or (title and own == title.casefold()):
                    return name
    return ""


async def _language_of(fetch: Fetch, name: str, wanted: Language) -> Language:
    """The language of the reader, or the only one that the article has."""
    languages = (await fetch(find_post, name)).languages
    return wanted if wanted in languages else twin_of(wanted)


async def _why_hidden(fetch: Fetch, name: str, language: Language) -> str | None:
    """Why a build leaves an article out; None for one that it shows."""
    front = await fetch(read_front_matter, HalfId(name, language))
    selection = await fetch(SELECTION)
    why = selection.leaves_out(draft=front.draft, date=front.date, expires=front.expires)
    words = {"draft": "is a draft", "later": f"is dated {front.date}", "expired": "has expired"}
    return None if why is None else words[why]


async def _from_half(fetch: Fetch, name: str, language: Language, label: str, reader: str) -> str:
    texts, html = await _texts(fetch, name, language), await fetch(read_html_policy)
    made = await in_worker(fetch, _markdown, texts, language, html, label, reader)
    return _or_raise(made)


async def _id_in(fetch: Fetch, name: str, language: Language, label: str) -> str:
    texts, html = await _texts(fetch, name, language), await fetch(read_html_policy)
    return _or_raise(await in_worker(fetch, _find_id, texts, language, html, label))


async def _texts(fetch: Fetch, name: str, language: Language) -> dict[Language, tuple[str, str]]:
    """The path and the text of each half. Raises IncludeError for a half that is not there."""
    post = await fetch(find_post, name)
    if language not in post.languages:
        raise IncludeError(f'"{name}" has no half in this language', "name the other half by its file.")
    return {one: (post.path(one), await read_text(fetch, post.path(one))) for one in post.languages}


def _or_raise(made: str | tuple[str, str]) -> str:
    if isinstance(made, str):
        return made
    raise IncludeError(*made)


def _markdown(
    _packs: Packs,
    texts: dict[Language, tuple[str, str]],
    language: Language,
    html: HtmlPolicy,
    label: str,
    reader: str,
) -> str | tuple[str, str]:
    try:
        return QuotedHalf(texts, language, html).markdown(label, reader)
    except IncludeError as error:
        return str(error), error.fix


def _find_id(
    _packs: Packs, texts: dict[Language, tuple[str, str]], language: Language, html: HtmlPolicy, label: str
) -> str | tuple[str, str]:
    try:
        return QuotedHalf(texts, language, html).place(label).names[0]
    except IncludeError as error:
        return str(error), error.fix
