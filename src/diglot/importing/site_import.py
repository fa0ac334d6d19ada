"""An import from start to end: reads the source, converts it, and returns the files of the project."""

import bisect
import datetime
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import msgspec

from diglot.bibliography.works import BIBTEX_FILE
from diglot.diagnostics import Refusal
from diglot.importing.converting import (
    LinkRewriting,
    convert_syntax,
    excerpt_of,
    finish,
    opened,
    settle_references,
)
from diglot.importing.names import slug_of
from diglot.importing.pairing import Article, join_halves
from diglot.importing.readers.documents import KINDS, read_documents
from diglot.importing.readers.hexo import read_hexo
from diglot.importing.readers.hugo import read_hugo
from diglot.importing.readers.jekyll import read_jekyll
from diglot.importing.readers.reading import is_hidden
from diglot.importing.readers.source_files import MARKDOWN, decoded
from diglot.importing.records import Finding, Findings, Half, SiteSettings, SourceSite
from diglot.importing.source_folder import SourceFile, SourceFolder, fix_of_refused, list_folder
from diglot.importing.targets import ARTICLE, Place, Targets, is_in_future
from diglot.importing.text.references import Elsewhere, lead_elsewhere, names_in
from diglot.importing.words import words
from diglot.importing.writing.files import Batch
from diglot.importing.writing.ledger import Converted, Ledger, ledger_of
from diglot.importing.writing.matter import NOT_NEEDED, OwnMatter, map_matter, written
from diglot.importing.writing.old_addresses import OldAddresses
from diglot.importing.writing.site_file import site_yaml
from diglot.importing.writing.static_files import static_files
from diglot.importing.writing.terms import Terms
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.project import BASE_URL_FIX, site_address

System = Literal["jekyll", "hugo", "hexo", "myst", "quarto", "notebook", "obsidian"]

HAVE_REFERENCES: tuple[System, ...] = ("myst", "quarto", "notebook")
"""Tools in whose documents names hold in the whole project."""

_READERS: Mapping[System, Callable[[SourceFolder, list[str] | None], SourceSite]] = {
    "jekyll": read_jekyll,
    "hugo": read_hugo,
    "hexo": read_hexo,
    **{system: partial(read_documents, system) for system in ("myst", "quarto", "notebook", "obsidian")},
}
_HUGO_CONFIGURATIONS = (
    "hugo.toml",
    "hugo.yaml",
    "hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.json",
)
_MARKS: dict[System, tuple[str, ...]] = {
    "jekyll": ("_config.yml", "_config.yaml", "_config.toml", "_posts"),
    "hugo": ("content", *_HUGO_CONFIGURATIONS, "config"),
    "hexo": ("source", "_config.yml"),
    "myst": ("myst.yml", "_toc.yml", "_config.yml"),
    "quarto": ("_quarto.yml", "index.qmd"),
    "notebook": (),
    "obsidian": (".obsidian",),
}
_SIGNS: dict[System, str] = {
    "jekyll": "_config.yml and _posts",
    "hugo": "content and its configuration",
    "hexo": "_config.yml and source",
    "myst": "myst.yml or _toc.yml",
    "quarto": "_quarto.yml",
    "notebook": "notebooks",
    "obsidian": "the notes",
}
_NO_ADDRESS = "https://example.org/"
_LOST_FRACTION, _LEAST_LOSS = 0.03, 3
"""An article that loses more of its text than this is named, from a word of some letters on."""


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would write, and its findings."""

    batches: tuple[Batch, ...]
    findings: tuple[Finding, ...]
    pairs: int
    """Posts in both languages."""
    single: int
    """Posts in one language."""
    pages: int
    pictures: int
    """Files next to articles."""
    address: str
    """The site's address; empty if the source has none."""
    labels: dict[str, dict[str, Bilingual]]
    """Labels of tags, categories, authors and series, by id."""
    ledger: Ledger
    """What became of every file."""


def import_site(system: System, source: Path, *, base_url: str = "") -> Import:
    """Read and convert a site, a folder or a single post.

    `base_url` overrides the site's address in its configuration. Raises Refusal if there is nothing to
    import.
    """
    folder, files = _folder_of(system, source)
    site = _READERS[system](folder, files)
    if not site.halves:
        raise Refusal(
            f'there are no {system.capitalize()} posts in "{source}"',
            f"name the folder of the site, the one with {_SIGNS[system]}, a folder of posts, or one post.",
        )
    return _Conversion(system, site, base_url, is_whole=files is None).result()


def _folder_of(system: System, source: Path) -> tuple[SourceFolder, list[str] | None]:
    """The site's folder, and the files in it to import; None for all."""
    if not source.exists():
        raise Refusal(f'there is no "{source}"', "name a folder or a file that exists.")
    source = source.resolve()
    is_whole = system in KINDS or any((source / mark).exists() for mark in _MARKS[system])
    if source.is_dir() and is_whole:
        return _listed(system, source), None
    endings = KINDS[system].endings if system in KINDS else (*MARKDOWN, ".html")
    if not source.is_dir() and (not source.is_file() or not source.name.lower().endswith(endings)):
        raise Refusal(f'"{source.name}" is not a Markdown file', "name a post, a folder of posts, or a site.")
    folders = (source, *source.parents) if source.is_dir() else source.parents
    root = next(
        (one for one in list(folders)[:6] if sum((one / mark).exists() for mark in _MARKS[system]) >= 2), None
    )
    folder = _listed(system, root or (source if source.is_dir() else source.parent))
    inside = source.relative_to(folder.root).as_posix()
    if source.is_dir():
        start = "" if inside == "." else f"{inside}/"
        return folder, [
            path
            for path in folder.files
            if path.startswith(start) and path.lower().endswith(MARKDOWN) and not is_hidden(path)
        ]
    if inside not in folder.files:  # in a folder of tools or themes, which is no part of that site
        folder = _listed(system, source.parent)
    return folder, [source.relative_to(folder.root).as_posix()]


def _listed(system: System, root: Path) -> SourceFolder:
    return list_folder(root, tools=words("folders of tools"), at_root=words(f"{system}, folders aside"))


class _Conversion:
    """One import, with what its steps pass on to each other."""

    def __init__(self, system: System, site: SourceSite, base_url: str, *, is_whole: bool) -> None:
        self._system = system
        self._site = site
        self._files = sorted(site.files)
        self._is_whole = is_whole
        self._settings = site.settings or SiteSettings()
        self._findings = Findings(site.findings)
        given = base_url or self._settings.base_url
        address = site_address(given) or ""
        if given and not address:
            message = f'"{given[:200]}" is not the address of a site'
            if base_url:
                raise Refusal(message, BASE_URL_FIX)
            self._findings.tell(self._configuration_path(), message, BASE_URL_FIX)
        self._settings = msgspec.structs.replace(self._settings, base_url=given if address else "")
        self._base_url = self._settings.base_url or _NO_ADDRESS
        self._tell_refused()
        halves = [one for half in site.halves for one in opened(half, system, site.folder)]
        self._articles = join_halves(halves, self._findings)
        self._matters: dict[tuple[int, Language], OwnMatter] = {}
        self._read_matters()
        self._places = {article.number: self._place(article) for article in self._articles}
        self._targets = Targets(
            site, ((self._places[a.number], a.halves) for a in self._articles), self._base_url
        )
        self._taxonomies = {
            name: Terms(
                {lang: getattr(self._matters[a.number, lang], name) for lang in a.halves}
                for a in self._articles
                if not a.is_page
            )
            for name in ("tags", "categories", "authors", "series")
        }

    def _add_terms(self) -> None:
        """Let links find the lists of tags and categories that published articles have."""
        for article in self._articles:
            place = self._places[article.number]
            if article.is_page or place.is_hidden:
                continue
            for language in article.halves:
                for key in ("tags", "categories"):
                    for label in getattr(self._matters[article.number, language], key):
                        name = self._taxonomies[key].id_of(label)
                        self._targets.add_term(key, label, name, place.languages)

    def result(self) -> Import:
        """Convert everything."""
        self._add_terms()
        self._convert_bodies()
        addresses = OldAddresses(self._places.values(), self._findings)
        batches = [self._batch(article, addresses) for article in self._articles]
        pictures = sum(
            isinstance(content, SourceFile) for batch in batches for content in batch.files.values()
        )
        left = dict(self._site.left)
        if self._is_whole:
            statics = static_files(self._site, self._targets.used, addresses.paths, self._findings, left)
            batches += [
                Batch(name=path, files={path: self._site.folder.file(source)})
                for path, source in statics.items()
            ]
            batches += self._references(left)
        batches.append(self._configuration())
        for article in self._articles:
            for body in article.bodies.values():
                self._findings += body.findings
        ledger = ledger_of(self._site, self._articles, batches, left, is_whole=self._is_whole)
        for entry in ledger.converted:
            self._tell_loss(entry)
        posts = [article for article in self._articles if not article.is_page]
        return Import(
            batches=tuple(batches),
            findings=tuple(sorted(dict.fromkeys(self._findings))),
            pairs=sum(len(article.halves) == 2 for article in posts),
            single=sum(len(article.halves) == 1 for article in posts),
            pages=len(self._articles) - len(posts),
            pictures=pictures,
            address=self._settings.base_url,
            labels={name: terms.labels() for name, terms in self._taxonomies.items()},
            ledger=ledger,
        )

    def _references(self, left: dict[str, str]) -> Iterator[Batch]:
        """The literature of the source, in the one file that diglot reads."""
        used = [path for path in self._site.references if path not in self._targets.used]
        if len(used) == 1:
            yield Batch(name=BIBTEX_FILE, files={BIBTEX_FILE: self._site.folder.file(used[0])})
        elif used:
            texts = [decoded(self._site.folder.file(path).read_bytes()) for path in used]
            left.update(dict.fromkeys(used, f"is a part of {BIBTEX_FILE}"))
            yield Batch(name=BIBTEX_FILE, files={BIBTEX_FILE: "\n".join(texts)})

    def _tell_refused(self) -> None:
        """Say which files are not even read."""
        for path, reason in self._site.folder.refused.items() if self._is_whole else ():
            self._findings.tell(path, f"it {reason} and is not imported", fix_of_refused(reason))

    def _tell_loss(self, entry: Converted) -> None:
        """Say if an article has become much shorter."""
        lost = entry.read - entry.written
        if lost > max(_LEAST_LOSS, entry.read * _LOST_FRACTION):
            message = f"{lost:,} of {entry.read:,} letters and digits of its text are missing in the project"
            self._findings.tell(entry.path, message, "compare the article with its source.")

    # Front matter

    def _read_matters(self) -> None:
        left: dict[str, list[Half]] = {}
        for article in self._articles:
            for language, half in article.halves.items():
                matter = map_matter(half, self._findings)
                body = article.bodies[language]
                excerpt = excerpt_of(body)
                title = (
                    matter.title
                    or _first_heading(body.text)
                    or half.name.rpartition("/")[2].replace("-", " ")
                )
                matter = msgspec.structs.replace(
                    matter, title=title, description=matter.description or excerpt
                )
                self._matters[article.number, language] = matter
                for key in matter.rest:
                    left.setdefault(key, []).append(half)
        for key, halves in left.items():
            more = f", in {len(halves)} files" if len(halves) > 1 else ""
            message = f"`{key}` has no counterpart{more}; it is kept as a comment in the front matter"
            fix = "delete the comment, if nothing in it is missed."
            self._findings.tell(halves[0].source, message, fix, line=halves[0].line_of(key))
        not_needed = sorted(
            {
                key
                for article in self._articles
                for half in article.halves.values()
                for key in half.matter.values
                if key in NOT_NEEDED
            }
        )
        if not_needed:
            first = next(iter(self._articles[0].halves.values()))
            message = f"keys that only themes need are left out everywhere: {', '.join(not_needed)}"
            self._findings.tell(first.source, message)

    def _place(self, article: Article) -> Place:
        matters = [self._matters[article.number, language] for language in article.halves]
        published = [
            language for language in article.halves if not self._matters[article.number, language].is_draft
        ]
        hidden = not published or (not article.is_page and is_in_future(_earliest(matters)))
        return Place(
            article.number, article.name, article.is_page, tuple(published or article.halves), hidden
        )

    # Bodies

    def _convert_bodies(self) -> None:
        if self._system in HAVE_REFERENCES:
            self._lead_elsewhere()
        for article in self._articles:
            for language, half in article.halves.items():
                title = self._matters[article.number, language].title
                convert_syntax(article.bodies[language], half, self._system, title, self._targets)
        LinkRewriting(self._articles, self._targets).run()
        for article in self._articles:
            for half in article.halves.values():
                self._bring_bundle(article, half)
        imported: set[str] = set()
        for article in self._articles:
            names = set(self._targets.files_of(_folder_name(article)).values())
            for language, body in article.bodies.items():
                is_known = partial(self._is_known, names=names)
                finish(body, language, is_known, self._base_url)
                if self._system in HAVE_REFERENCES:
                    imported |= settle_references(body, language)
        if missing := sorted(module for module in imported if find_spec(module) is None):
            first = next(iter(self._articles[0].halves.values()))
            message = f"code cells import what is not installed here: {', '.join(missing)}"
            fix = "install these libraries where you build the site, or write `execute: never` in articles."
            self._findings.tell(first.source, message, fix)

    def _lead_elsewhere(self) -> None:
        """Make links of references between documents, whose names hold in the whole project."""
        own = {
            (article.number, language): names_in(body)
            for article in self._articles
            for language, body in article.bodies.items()
        }
        for article in self._articles:
            for language, body in article.bodies.items():
                elsewhere: dict[str, Elsewhere] = {}
                for (number, side), names in own.items():
                    title = self._matters[number, side].title
                    for name, named in names.items() if number != article.number else ():
                        if name in own[article.number, language] or (name in elsewhere and side != language):
                            continue
                        fragment = "" if named.is_title else f"#{name}"
                        address = f"{ARTICLE}{side}:{number}{fragment}"
                        elsewhere[name] = Elsewhere(address, title, named)
                lead_elsewhere(body, own[article.number, language], elsewhere, language)

    def _bring_bundle(self, article: Article, half: Half) -> None:
        """Add all files of a bundle to its article, even those that no link names."""
        if half.bundle is None:
            return
        inside = f"{half.bundle}/"
        for at in range(bisect.bisect(self._files, inside), len(self._files)):
            path = self._files[at]
            if not path.startswith(inside):
                break
            if not path.lower().endswith(MARKDOWN):
                self._targets.beside(path, _folder_name(article), half)

    def _is_known(self, target: str, names: set[str]) -> bool:
        path = target.partition("#")[0]
        if not path or path == "/" or path in names:
            return True
        words = path.strip("/").split("/")
        if words[0] in LANGUAGES:
            words = words[1:]
        if f"/{'/'.join(words)}/" in self._targets.lists:
            return True
        if words[:1] == ["posts"]:
            return any(
                place.name == "/".join(words[1:]) and not place.is_page for place in self._places.values()
            )
        return any(place.is_page and place.name == "/".join(words) for place in self._places.values())

    # Files

    def _batch(self, article: Article, addresses: OldAddresses) -> Batch:
        folder = f"content/{'pages' if article.is_page else 'posts'}/{article.name}"
        shared, languages = self._shared(article)
        files: dict[str, str | SourceFile] = {}
        for language, half in article.halves.items():
            matter = self._matters[article.number, language]
            entries: list[tuple[str, Any]] = [("title", matter.title)]
            if matter.description:
                entries.append(("description", matter.description))
            if len(languages) == 1 and language in languages:
                entries += [*shared, ("only", language)]
            aliases = addresses.of(article, half, matter.aliases) if language in languages else ()
            if aliases:
                entries.append(("aliases", list(aliases)))
            if language not in languages and not article.is_page:
                entries += shared
            name = f"{language}.md" if language in languages else f"_{language}.md"
            body = article.bodies[language].text.strip("\n")
            files[f"{folder}/{name}"] = f"---\n{written(entries, comments=matter.rest)}---\n\n{body}\n"
        if len(languages) == 2 and shared:
            files[f"{folder}/meta.yaml"] = written(shared)
        for source, name in self._targets.files_of(_folder_name(article)).items():
            files[f"{folder}/{name}"] = self._site.folder.file(source)
        is_nested = article.is_page and any(
            other.name.startswith(f"{article.name}/") for other in self._articles
        )
        return Batch(name=folder, files=files, folder=None if is_nested else folder)

    def _shared(self, article: Article) -> tuple[list[tuple[str, Any]], tuple[Language, ...]]:
        """The keys that both halves share, and the languages that are published or drafts together."""
        matters = {language: self._matters[article.number, language] for language in article.halves}
        drafts = [language for language, matter in matters.items() if matter.is_draft]
        languages: tuple[Language, ...] = tuple(matters)
        if drafts and len(drafts) < len(matters):
            languages = tuple(language for language in matters if language not in drafts)
            half = article.halves[drafts[0]]
            self._findings.tell(
                half.source,
                f"only this half is a draft; it is kept as _{drafts[0]}.md, which is not read",
                f"rename it to {drafts[0]}.md when it is done, and delete `only:` in the other half.",
                line=half.line_of("draft"),
            )
        if article.is_page:
            return ([("draft", True)] if drafts and len(drafts) == len(matters) else []), languages
        date = self._date(article)
        updates = [
            matter.updated
            for matter in matters.values()
            if matter.updated is not None and matter.updated > date
        ]
        entries: list[tuple[str, Any]] = [("date", date)]
        if updates:
            entries.append(("updated", max(updates)))
        if expiries := [matter.expires for matter in matters.values() if matter.expires is not None]:
            entries.append(("expires", max(date, min(expiries))))
        if drafts and len(drafts) == len(matters):
            entries.append(("draft", True))
        for key, terms in self._taxonomies.items():
            if ids := terms.ids({language: getattr(matter, key) for language, matter in matters.items()}):
                entries.append((key, list(ids) if key != "series" else ids[0]))
        part = next((matter.part for matter in matters.values() if matter.part is not None), None)
        if part is not None:
            entries.append(("part", part))
        return entries, languages

    def _date(self, article: Article) -> datetime.date:
        matters = [self._matters[article.number, language] for language in article.halves]
        half = next(iter(article.halves.values()))
        date = _earliest(matters)
        dates = {matter.date for matter in matters if matter.date is not None}
        if len(dates) > 1:
            message = (
                f"the halves have different dates, {min(dates)} and {max(dates)}; the earlier one is used"
            )
            self._findings.tell(half.source, message, line=half.line_of("date"))
        if date is None:
            status = self._site.folder.file(half.source).status
            today = datetime.datetime.now(datetime.UTC)
            changed = (
                min(max(status.st_mtime, 0), today.timestamp()) if status is not None else today.timestamp()
            )
            date = datetime.datetime.fromtimestamp(changed, datetime.UTC).date()
            message = f"it has no date; the day of its last change, {date}, is used"
            self._findings.tell(half.source, message, "correct `date:`.")
        return date

    # site.yaml

    def _configuration(self) -> Batch:
        for name, terms in self._taxonomies.items():
            for label, id_ in terms.made_up():
                half = next(
                    half
                    for article in self._articles
                    for language in article.halves
                    if label in getattr(self._matters[article.number, language], name)
                    for half in article.halves.values()
                )
                self._findings.tell(
                    half.source,
                    f'"{label}" gets the id {id_}, as ids are in Latin letters',
                    f"choose a better id, in site/site.yaml and in the articles with it ({name}).",
                    line=half.line_of(name),
                )
        text = site_yaml(
            self._settings,
            {name: terms.labels() for name, terms in self._taxonomies.items()},
            self._targets,
            self._places.values(),
            findings=self._findings,
            configuration=self._configuration_path(),
        )
        return Batch(name="site/site.yaml", files={"site/site.yaml": text})

    def _configuration_path(self) -> str:
        names = ("_config.yml", *_HUGO_CONFIGURATIONS, *sorted(self._site.configurations))
        return next(
            (name for name in names if name in self._site.configurations),
            self._site.folder.root.name,
        )


def _folder_name(article: Article) -> str:
    return f"/{article.name}" if article.is_page else article.name


def _earliest(matters: list[OwnMatter]) -> datetime.date | None:
    return min((matter.date for matter in matters if matter.date is not None), default=None)


def _first_heading(text: str) -> str:
    found = re.search(r"^#{1,2}[ \t]+(\S[^\n]*?)[ \t]*#*$", text, re.MULTILINE)
    title = re.sub(r"\{[^}]*\}|[*_`]", "", found[1]).strip() if found else ""
    return title if slug_of(title) or title else ""
