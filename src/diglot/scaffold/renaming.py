"""Renames an article: its files, its address, the links to it; the old address redirects."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.diagnostics import Refusal, did_you_mean
from diglot.languages import Language
from diglot.rules.ids import as_language
from diglot.rules.sources import POSTS, PostFiles, Posts, kind_of
from diglot.scaffold.articles import articles_by_slug, find_articles, slug_of
from diglot.scaffold.files import is_there, replace_text
from diglot.scaffold.links import Renaming, mend_links
from diglot.scaffold.titles import check_slug
from diglot.scaffold.yaml_edits import front_matter_span, with_items, with_text
from diglot.site_map import article_path
from diglot.strict_yaml import read_mapping


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose text changes."""

    path: str
    """Before any move."""
    before: str
    after: str
    notes: tuple[str, ...]
    """Descriptions of the changes, for the author."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that renaming an article changes."""

    moves: dict[str, str]
    """New paths of files and folders, by their old ones."""
    changes: tuple[Change, ...]
    left: tuple[str, ...]
    """Files with links that the author has to update."""


def plan_renaming(root: Path, config: str, old: str, new: str) -> Plan:
    """Plan the renaming of an article. Raises Refusal if there is no such article, or the name is taken."""
    check_slug(new)
    posts = find_articles(root, config)
    names = articles_by_slug(root, POSTS, posts)
    files = names.get(old)
    if files is None:
        raise Refusal(f'there is no article "{old}"', did_you_mean(old, names))
    if new in names:
        taken = names[new]
        raise Refusal(
            f'there is an article at "{new}" already: {taken.path(taken.languages[0])}',
            "choose another name.",
        )
    moves = _moves(root, files, old, new)
    for path in moves.values():
        if is_there(root, path):
            raise Refusal(f"{path} already exists", "move it away first.")
    readdressed = tuple(one for one in files.languages if slug_of(root, files, one) == old)
    renaming = Renaming(old=old, new=new, languages=readdressed, paths=moves | _meant(files, old, new))
    texts = _Texts(root)
    _rename_slugs(texts, files, old, new)
    if files.name == old:
        _mend_talks(texts, posts, old, new)
    _add_aliases(texts, files, readdressed, old, new)
    left = _mend_articles(texts, posts.halves, renaming)
    _mend_navigation(texts, config, renaming)
    return Plan(moves=moves, changes=texts.changes(), left=left)


def carry_out(root: Path, plan: Plan) -> None:
    """Change and move the files. If a step fails or is interrupted, all steps are undone."""
    changed: list[Change] = []
    moved: list[tuple[str, str]] = []
    try:
        for change in plan.changes:
            changed.append(change)
            replace_text(root / change.path, change.after)
        for old, new in plan.moves.items():
            moved.append((old, new))
            os.rename(root / old, root / new)
    except BaseException:
        for old, new in reversed(moved):
            if not is_there(root, old):
                os.rename(root / new, root / old)
        for change in changed:
            with suppress(OSError):
                replace_text(root / change.path, change.before)
        raise


def _moves(root: Path, files: PostFiles, old: str, new: str) -> dict[str, str]:
    """New paths of the halves named `old`, and of folders that belong to the article alone."""
    found: dict[str, str] = {}
    for language in files.languages:
        path = files.path(language)
        if files.slug(language) != old:
            continue
        above, in_folder, _ = path.rpartition(f"/{old}/")
        if in_folder:
            found[f"{above}/{old}"] = f"{above}/{new}"
        else:
            folder, name = os.path.split(path)
            found[path] = f"{folder}/{new}{name.removeprefix(old)}"
    if found:
        others = [files.shared, files.sync_path, *files.folders]
        for path in others:
            folder, name = os.path.split(path)
            inside = any(path == moved or path.startswith(f"{moved}/") for moved in found)
            if not inside and name.partition(".")[0] == old and is_there(root, path):
                found[path] = f"{folder}/{new}{name.removeprefix(old)}"
    return found


def _meant(files: PostFiles, old: str, new: str) -> dict[str, str]:
    """Folders that may not exist, but mean the article when a link names them."""
    return {path: f"{path.removesuffix(old)}{new}" for path in files.folders if os.path.basename(path) == old}


class _Texts:
    """Texts of files, read once and changed step by step."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._before: dict[str, str] = {}
        self._after: dict[str, str] = {}
        self._notes: dict[str, list[str]] = {}

    def read(self, path: str) -> str:
        """The text with all changes so far and its line ends. Raises Refusal if the file cannot be read."""
        if path not in self._after:
            try:
                text = (self._root / path).read_bytes().decode()
            except FileNotFoundError:
                text = ""
            except (OSError, UnicodeDecodeError) as error:
                raise Refusal(f"{path} cannot be read", "check its permissions and encoding.") from error
            self._before[path] = self._after[path] = text
        return self._after[path]

    def change(self, path: str, text: str, note: str) -> None:
        """Replace a text that `read` has returned."""
        self._after[path] = text
        self._notes.setdefault(path, []).append(note)

    def changes(self) -> tuple[Change, ...]:
        """All changes, by path."""
        return tuple(
            Change(path=path, before=self._before[path], after=self._after[path], notes=tuple(notes))
            for path, notes in sorted(self._notes.items())
        )


def _rename_slugs(texts: _Texts, files: PostFiles, old: str, new: str) -> None:
    for path in _sources(files, texts):
        text = texts.read(path)
        start, end = front_matter_span(text, path)
        yaml = text[start:end]
        if read_mapping(yaml, path).values.get("slug") == old:
            changed = with_text(yaml, ["slug"], new, path)
            texts.change(path, text[:start] + changed + text[end:], "slug")


def _mend_talks(texts: _Texts, posts: Posts, old: str, new: str) -> None:
    """Let talks about the article name it as it is called now."""
    for talk in posts.articles.values():
        for path in _sources(talk, texts) if kind_of(talk.name) == "talk" else ():
            text = texts.read(path)
            start, end = front_matter_span(text, path)
            if read_mapping(text[start:end], path).values.get("article") == old:
                changed = with_text(text[start:end], ["article"], new, path)
                texts.change(path, text[:start] + changed + text[end:], "article")


def _add_aliases(
    texts: _Texts, files: PostFiles, languages: tuple[Language, ...], old: str, new: str
) -> None:
    """Make the old addresses redirect, in the shared file if there is one, else in the halves.

    Removes an alias that is now the article's own address, because it had that name before.
    """
    shared = files.shared if texts.read(files.shared) else None
    for language in languages:
        path = shared or files.path(language)
        text = texts.read(path)
        start, end = front_matter_span(text, path)
        before, after = (f"/{article_path(language, slug)}" for slug in (old, new))
        changed = _redirected(text[start:end], before, after, path)
        if changed != text[start:end]:
            texts.change(path, text[:start] + changed + text[end:], f"alias {before}")


def _redirected(yaml: str, before: str, after: str, path: str) -> str:
    aliases = read_mapping(yaml, path).values.get("aliases")
    known = aliases if isinstance(aliases, list) else [aliases]
    if after in known:
        place: list[str | int] = ["aliases"]
        place += [known.index(after)] if isinstance(aliases, list) else []
        return with_text(yaml, place, before, path)
    return yaml if before in known else with_items(yaml, "aliases", [before], path)


def _sources(files: PostFiles, texts: _Texts) -> list[str]:
    """The files of an article that have front matter."""
    shared = [files.shared] if texts.read(files.shared) else []
    return [files.path(language) for language in files.languages] + shared


def _mend_articles(texts: _Texts, halves: Mapping[str, str], renaming: Renaming) -> tuple[str, ...]:
    left = []
    for path, half in halves.items():
        text = texts.read(path)
        if renaming.old not in text:
            continue
        mended = mend_links(text, path, as_language(half.rpartition(":")[2]), renaming)
        if mended.count:
            texts.change(path, mended.text, f"{mended.count} link{'s' * (mended.count > 1)}")
        if mended.left:
            left.append(path)
    return tuple(left)


def _mend_navigation(texts: _Texts, config: str, renaming: Renaming) -> None:
    text = texts.read(config)
    values = read_mapping(text, config).values
    entries = values.get("navigation")
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        path = entry.get("path") if isinstance(entry, dict) else None
        if isinstance(path, str) and path.startswith("/") and (mended := renaming.target(path, config)):
            text = with_text(text, ["navigation", number, "path"], mended, config)
            texts.change(config, text, "navigation")
