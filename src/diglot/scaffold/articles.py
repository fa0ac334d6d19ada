"""The articles of a project, for commands that add or rename one without a build."""

from pathlib import Path

from diglot.content.front_matter import split_front_matter, translation_key
from diglot.diagnostics import DiagnosticError
from diglot.engine.globs import Folders
from diglot.languages import Language
from diglot.project import load_project
from diglot.rules.layouts import CONTENT, Section
from diglot.rules.options import CONFIG
from diglot.rules.sources import PAGES, SECTIONS, Pairing, PostFiles, Posts, section_of, together
from diglot.strict_yaml import read_mapping


def find_articles(root: Path, config: str = CONFIG) -> Posts:
    """All posts and pages, paired as a build does it, without files that belong to no article."""
    first = _first_language(root, config)
    paths = Folders(f"{root}/").find(f"{CONTENT}/**")
    found = []
    for section in SECTIONS:
        pairing = Pairing(paths, section, first)
        pairing.join([translation_key(read_text(root, half.path)) for half in pairing.lone])
        found.append(pairing.posts())
    return together(*found)


def _first_language(root: Path, config: str) -> Language:
    try:
        return load_project(read_text(root, config), config).first
    except DiagnosticError:  # a build reports it
        return "zh"


def read_text(root: Path, path: str) -> str:
    """The text of a file; empty if it cannot be read, which a build reports."""
    try:
        return (root / path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def slug_of(root: Path, files: PostFiles, language: Language) -> str:
    """A half's name in its address: its file's name, unless `slug:` says otherwise."""
    for path in (files.half(language), files.shared):
        text = read_text(root, path) if path else ""
        try:
            yaml = split_front_matter(text, "").yaml if path and path.endswith(".md") else text
            slug = read_mapping(yaml or "", "").values.get("slug")
        except DiagnosticError:  # a build reports it
            continue
        if isinstance(slug, str):
            return slug
    return files.slug(language)


def names_of(root: Path, files: PostFiles) -> set[str]:
    """All names of an article: those of its files, and those in its addresses."""
    in_addresses = {slug_of(root, files, language) for language in files.languages}
    return {files.name, *map(files.slug, files.languages), *in_addresses}


def articles_by_slug(root: Path, section: Section, articles: Posts | None = None) -> dict[str, PostFiles]:
    """The posts, or the pages, by each of their names."""
    found = articles or find_articles(root)
    return {
        name.removeprefix(f"{PAGES.name}/"): files
        for files in found.articles.values()
        if section_of(files.name) is section
        for name in names_of(root, files)
    }
