"""The articles of a project as files, for commands that add or rename one without building anything."""

import re
from pathlib import Path

import msgspec

from diglot.content.front_matter import split_front_matter
from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES, Language
from diglot.rules.sources import POSTS
from diglot.strict_yaml import read_mapping

_FLAT = re.compile(r"(?P<name>[^/]+)\.(?P<language>zh|en)\.md")


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """The files of an article."""

    name: str
    """The folder's name, or a flat file's without `.zh.md`."""
    slug: str
    """The name, unless `slug:` says otherwise."""
    halves: dict[Language, str]
    shared: str | None
    """Its `meta.yaml`; None where it has none."""

    @property
    def sources(self) -> tuple[str, ...]:
        """All its files with front matter."""
        return (*self.halves.values(), *((self.shared,) if self.shared else ()))


def find_articles(root: Path) -> tuple[Article, ...]:
    """All articles with at least one half, by name."""
    halves: dict[str, dict[Language, str]] = {}
    for path in sorted((root / POSTS.folder).glob("*")):
        if found := _FLAT.fullmatch(path.name):
            halves.setdefault(found["name"], {})[_language(found["language"])] = f"{POSTS.folder}/{path.name}"
        for language in LANGUAGES:
            if (path / f"{language}.md").is_file():
                halves.setdefault(path.name, {})[language] = f"{POSTS.folder}/{path.name}/{language}.md"
    return tuple(_article(root, name, found) for name, found in sorted(halves.items()))


def _language(code: str) -> Language:
    return "zh" if code == "zh" else "en"


def _article(root: Path, name: str, halves: dict[Language, str]) -> Article:
    first = next(iter(halves.values()))
    shared = (
        f"{POSTS.folder}/{name}/meta.yaml"
        if "/" in first.removeprefix(f"{POSTS.folder}/")
        else f"{POSTS.folder}/{name}.meta.yaml"
    )
    found = shared if (root / shared).is_file() else None
    slugs = (slug_in(root, path) for path in (*halves.values(), *((found,) if found else ())))
    return Article(name=name, slug=next(filter(None, slugs), name), halves=halves, shared=found)


def slug_in(root: Path, path: str) -> str | None:
    """The `slug:` in a half or a `meta.yaml`; None where there is none, or the file cannot be read."""
    try:
        text = (root / path).read_text("utf-8")
        yaml = split_front_matter(text, path).yaml if path.endswith(".md") else text
        slug = read_mapping(yaml or "", path).values.get("slug")
    except (OSError, UnicodeDecodeError, DiagnosticError):  # a build says what is wrong with it
        return None
    return slug if isinstance(slug, str) else None
