"""Files in `content/` that nothing reads because their names or places are only nearly right."""

import re
from collections.abc import Collection, Iterable, Iterator

import msgspec

from diglot.content.front_matter import KEYS
from diglot.diagnostics import Diagnostic
from diglot.languages import Language
from diglot.rules.homes import is_of_references, of_references, of_the_site, script_names
from diglot.rules.layouts import (
    CONTENT,
    NOTEBOOK,
    HalfFile,
    is_in_notes,
    is_note,
    language_of,
    read_path,
    with_code,
)
from diglot.rules.misnamed import (
    SITE,
    SITE_FILES,
    as_error,
    misnamed,
    misplaced_folder,
    near_names,
    warning,
)
from diglot.rules.near_names import is_like, near_folder, original_of, without_backup
from diglot.rules.sources import SECTIONS, PostFiles, Posts, name_in

META, SYNC = "meta.yaml", "sync.txt"
"""What is read in the folder of an article, or next to its halves as `NAME.meta.yaml`."""
_FIGURES = "figures"
_SHARED_KEYS = frozenset(KEYS)
_PUBLISHING_KEYS = frozenset(("date", "draft", "expires"))
_ATTACHED = (".png", ".jpg", ".jpeg", ".svg", ".webp", ".gif", ".csv", ".pdf")
"""Endings of files that articles show and offer, and that are never read as anything else."""
_ALSO_ATTACHED = ("txt", "text", "tex", "html", "htm", "xhtml")
"""Endings of texts that articles also offer: such a file is a half only by its whole name, `zh.txt`."""
_SECTION_FOLDERS = tuple(section.folder for section in SECTIONS)
_YAML = (".yaml", ".yml")
_WORDS_AROUND = r"(?:meta(?:data)?|zh(?:[-_](?:cn|sg|hans))?|en(?:[-_][a-z]{2})?)"
_AROUND_A_NAME = re.compile(rf"^{_WORDS_AROUND}[-_. ]+|[-_. ]+{_WORDS_AROUND}$", re.IGNORECASE)
"""What people put before or after the name of an article, to name a file of its keys."""


_VARIANT = re.compile(
    r"(?P<stem>.+?)[-_. ](?P<word>dark|night|cn|chs|chinese|english|zh(?:[-_]?\w+)?|en(?:[-_][a-z]{2})?)"
    r"\.(?P<ending>[A-Za-z0-9]+)",
    re.IGNORECASE | re.DOTALL,
)
"""A file for dark pages or for one language, as people name it."""


class DoubtfulFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may be a `meta.yaml` with a wrong name: only the keys in it can tell."""

    path: str
    shared: str
    """The path that it should have then; empty if there is no article that it belongs to."""
    is_alike: bool
    """Whether its name is similar; else it is only next to an article."""

    def is_meant(self, keys: frozenset[str]) -> bool:
        """Whether a file with these keys says what belongs into `meta.yaml`."""
        if self.is_alike:
            return not keys.isdisjoint(_SHARED_KEYS)
        return not keys.isdisjoint(_PUBLISHING_KEYS) and keys <= _SHARED_KEYS

    def diagnose(self, there: Collection[str]) -> Diagnostic:
        """What to say of it if it is meant."""
        if not self.shared:
            return _of_no_article(self.path, META)
        return as_error(misnamed(self.path, self.shared, there))


class _Belonging(msgspec.Struct, frozen=True, kw_only=True):
    """What a file with a nearly right name or place was meant to be."""

    kind: str
    """`META` or `SYNC`."""
    article: PostFiles | None
    """None if there is none that it could belong to."""
    is_certain: bool


def _of_a_notebook(path: str) -> Diagnostic:
    folder, _, name = path.rpartition("/")
    message = f'nothing reads "{name}": a notebook that is half of an article is called zh.ipynb or en.ipynb'
    fix = f"rename it to {folder}/zh.ipynb or {folder}/en.ipynb, or begin its name with _."
    return warning(path, message, fix)


def _is_of_many(folder: str) -> bool:
    """Whether the articles of a section are in a folder."""
    return folder == CONTENT or any(
        section.holds(f"{folder}/") and folder.endswith(f"/{section.name}") for section in SECTIONS
    )


def _of_no_article(path: str, kind: str) -> Diagnostic:
    message = f'nothing reads "{path.rpartition("/")[2]}" here: there is no article that it belongs to'
    return warning(
        path, message, f"move it into the folder of an article, as {kind}; each article has its own."
    )


class ContentNames:
    """The files in `content/`, compared with what is read there."""

    def __init__(
        self, paths: Iterable[str], posts: Posts, first: Language, site: Collection[str] = ()
    ) -> None:
        """`site` are the files of the site's own folder."""
        self._posts = posts
        self._site = site
        self._first = first
        self.there = frozenset(paths)
        articles = posts.articles.values()
        read = {post.shared for post in articles} | {post.sync or "" for post in articles}
        read |= posts.halves.keys() | posts.refused.keys()
        self._unread = [
            path
            for path in paths
            if not path.endswith(_ATTACHED) and path not in read and not is_in_notes(path)
        ]
        self._flat: dict[str, list[PostFiles]] = {}
        """The articles whose halves are in a folder with others, by that folder."""
        self._codes = {code for post in articles for code in (*post.codes.values(), "zh", "en")}
        for post in articles if self._unread else ():
            for language in post.languages:
                folder = post.path(language).rpartition("/")[0]
                if folder not in posts.folders:
                    self._flat.setdefault(folder, []).append(post)

    def certain(self) -> Iterator[Diagnostic]:
        """What names alone can tell."""
        folders: set[str] = set()
        scripts: list[str] = []
        for path in self._unread:
            original = original_of(path)
            above = path.rpartition("/")[0]
            parent, _, folder = above.rpartition("/")
            kept = without_backup(path)
            if original is not None and original in self.there:
                if original not in self._unread:
                    yield misnamed(path, original, self.there)
            elif folder == _FIGURES and parent in self._posts.folders:
                scripts.append(path)
            elif kept is not None:
                if kept not in self.there:
                    yield from self._of_a_backup(path, kept)
            elif path.endswith(".md"):
                yield from self._of_a_list(path)
            elif path.endswith(".py"):
                if parent in self._posts.folders and near_folder(folder, (_FIGURES,)) is not None:
                    if above not in folders:
                        meant = f"{parent}/{_FIGURES}"
                        is_there = any(one.startswith(f"{meant}/") for one in self.there)
                        yield misplaced_folder(path, above, meant, is_there=is_there)
                    folders.add(above)
            elif (belonging := self._belonging(path)) is not None:
                yield from self._stray(path, belonging)
            else:
                if above in (CONTENT, *_SECTION_FOLDERS):
                    yield from self._of_the_site(path)
                yield from self._other_format(path)
        yield from script_names(scripts)

    def offered(self) -> Iterator[tuple[Diagnostic, list[str]]]:
        """What to say of literature, notebooks and pictures that nothing reads, each with the halves next to
        it, which may show it or offer it to readers."""
        for path in self.there:
            if (meant := self._variant_meant(path)) is not None:
                yield misnamed(path, meant, self.there), self._halves_next_to(path)
        for path in self._unread:
            folder, _, name = path.rpartition("/")
            is_of_the_site = name in SITE_FILES and folder in (CONTENT, *_SECTION_FOLDERS)
            if original_of(path) in self.there or is_of_the_site or folder.endswith(f"/{_FIGURES}"):
                continue
            if is_of_references(name):
                found = of_references(path, self._site)
            elif name.endswith(NOTEBOOK) and not (is_note(path) or [*self._other_format(path)]):
                found = _of_a_notebook(path)
            else:
                continue
            yield found, self._halves_next_to(path)

    def _halves_next_to(self, path: str) -> list[str]:
        folder = path.rpartition("/")[0]
        return [half for half in self._posts.halves if half.rpartition("/")[0] == folder]

    def _variant_meant(self, path: str) -> str | None:
        """The path by which pages find a file for dark pages or one language: `a.dark.png`, `a.zh.png`."""
        folder, slash, name = path.rpartition("/")
        variant = _VARIANT.fullmatch(name)
        if variant is None or variant["ending"].lower() == "md":
            return None
        word, ending = variant["word"], variant["ending"]
        same = (f"{folder}{slash}{variant['stem']}.{each}" for each in (ending, ending.lower()))
        base = next((each for each in same if each in self.there), None)
        if base is None or (word in self._codes and path == with_code(base, word)):
            return None
        is_dark, is_zh = word.lower() in ("dark", "night"), word.lower().startswith(("zh", "c"))
        meant = with_code(base, "dark" if is_dark else "zh" if is_zh else "en")
        return None if meant == path else meant

    def _of_a_backup(self, path: str, kept: str) -> Iterator[Diagnostic]:
        """An earlier version of a half or of shared keys, which themselves are gone."""
        halves = [read_path(kept, section, self._first) for section in SECTIONS if section.holds(kept)]
        is_shared = any(kept in (post.shared, post.sync_path) for post in self._posts.articles.values())
        if is_shared or any(isinstance(half, HalfFile) for half in halves):
            yield misnamed(path, kept, self.there)

    def doubtful(self) -> Iterator[DoubtfulFile]:
        """Files whose text has to be read."""
        for path in self._unread:
            if path.endswith(".md") or original_of(path) in self.there:
                continue
            belonging = self._belonging(path)
            if belonging is None and (article := self._article_near(path)) is not None:
                yield DoubtfulFile(path=path, shared=article.shared, is_alike=False)
            elif belonging is None and self._is_lost(path):
                yield DoubtfulFile(path=path, shared="", is_alike=False)
            elif belonging and belonging.article and belonging.kind == META and not belonging.is_certain:
                yield DoubtfulFile(path=path, shared=belonging.article.shared, is_alike=True)

    def _is_lost(self, path: str) -> bool:
        """Whether a YAML file is where articles are, and none has its name."""
        if not (path.endswith(_YAML) and _is_of_many(path.rpartition("/")[0])):
            return False
        return not (self._is_of_a_refused_one(path) or [*self._of_the_site(path)])

    def _article_near(self, path: str) -> PostFiles | None:
        """The article in whose folder a YAML file is, or after which it is named: `a/x.yaml`, `a.zh.yaml`.

        In a folder below the article's, only a file that is named as `meta.yaml` may be meant for it.
        """
        folders = self._posts.folders
        place = path.rpartition("/")[0]
        if not path.endswith(_YAML):
            return None
        if place not in folders:
            owner, _ = self._named_after(path)
            if owner is not None or not any(sure for _, sure in self._nearly(path, (META,))):
                return owner
            while place and place not in folders:
                place = place.rpartition("/")[0]
        return self._posts.articles.get(folders.get(place, ""))

    def _own_article(self, folder: str) -> PostFiles | None:
        """The article that a folder belongs to, or would by its name."""
        name = self._posts.folders.get(folder)
        if name is None:
            for section in SECTIONS:
                if section.holds(f"{folder}/"):
                    name = name_in(section, folder.partition(f"/{section.name}/")[2])
        return self._posts.articles.get(name or "")

    def _belonging(self, path: str) -> _Belonging | None:
        """The file of an article that this one was meant to be; None if none."""
        above, _, name = path.rpartition("/")
        if not self._is_place_of_articles(above):
            return None
        possible = [
            _Belonging(kind=kind, article=self._own_article(above), is_certain=is_certain)
            for kind, is_certain in self._nearly(path, (META, SYNC))
        ]
        for post in self._flat.get(above, ()):
            stem = post.name.rpartition("/")[2]
            known = {f"{stem}.{kind}": kind for kind in (META, SYNC)}
            possible += [
                _Belonging(kind=known[meant], article=post, is_certain=is_certain)
                for meant, is_certain in self._nearly(path, known)
            ]
        owner, has_word = self._named_after(path)
        if owner is not None and has_word and is_like(path, "yaml"):
            possible.append(_Belonging(kind=META, article=owner, is_certain=True))
        possible += [
            _Belonging(kind=kind, article=None, is_certain=True)
            for kind in (META, SYNC)
            if name.endswith(f".{kind}") and self._own_article(above) is None
        ]
        return max(possible, key=lambda file: (file.article is not None, file.is_certain), default=None)

    def _named_after(self, path: str) -> tuple[PostFiles | None, bool]:
        """The article whose name a file next to it has: `a.yaml`, `a.zh.yaml`, `meta.a.yaml`; and whether the
        file has the word `meta`, too."""
        above, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0] or name
        flat = {post.name.rpartition("/")[2]: post for post in self._flat.get(above, ())}
        has_word = False
        while True:
            owner = flat.get(stem) or self._posts.articles.get(self._posts.folders.get(f"{above}/{stem}", ""))
            around = _AROUND_A_NAME.search(stem)
            if owner is not None or around is None:
                return owner, has_word
            has_word = has_word or "meta" in around[0].casefold()
            stem = stem[: around.start()] + stem[around.end() :]

    def _nearly(self, path: str, known: Collection[str]) -> Iterable[tuple[str, bool]]:
        """The known names that a file has, at a place where nothing reads it, or should have."""
        name = path.rpartition("/")[2]
        return [(name, True)] if name in known else near_names(path, known, self.there)

    def _stray(self, path: str, belonging: _Belonging) -> Iterator[Diagnostic]:
        """What to say of a file that was meant to belong to an article."""
        above, _, name = path.rpartition("/")
        article, kind = belonging.article, belonging.kind
        if not belonging.is_certain and kind == META:
            return  # its text decides
        if article is not None:
            meant = article.shared if kind == META else article.sync_path
            found = misnamed(path, meant, self.there)
        elif self._is_of_a_refused_one(path):
            return  # its article has mistakes in its names, which are reported
        else:
            found = _of_no_article(path, kind)
        changes_articles = article is not None or (
            not name.endswith(f".{kind}") and any(half.startswith(f"{above}/") for half in self._posts.halves)
        )
        yield as_error(found) if kind == META and changes_articles else found

    def _is_of_a_refused_one(self, path: str) -> bool:
        """Whether a file is in the folder of halves that make no article, or is called as they are."""
        above, _, name = path.rpartition("/")
        beginning = f"{above}/{name.partition('.')[0]}." if _is_of_many(above) else f"{above}/"
        return any(
            refused.startswith(beginning) and refused.rpartition("/")[0] == above
            for refused in self._posts.refused
        )

    def _of_the_site(self, path: str) -> Iterator[Diagnostic]:
        """Files of `site/` that are in a folder of articles."""
        name = path.rpartition("/")[2]
        nearly = [meant for meant, _ in near_names(path, SITE_FILES, self.there)]
        if name in SITE_FILES or nearly:
            yield misnamed(path, f"{SITE}/{nearly[0] if nearly else name}", self._site)
        elif (setting := of_the_site(path, self._site)) is not None:
            yield setting

    def _of_a_list(self, path: str) -> Iterator[Diagnostic]:
        """A text for a list of articles, as Hugo has it."""
        name = path.rpartition("/")[2]
        if name.startswith("_index."):
            message = f'nothing reads "{name}": the lists of articles have no text of their own'
            fix = f"move it to {CONTENT}/pages/home/zh.md or en.md, the text of the home page, or delete it."
            yield warning(path, message, fix)

    def _other_format(self, path: str) -> Iterator[Diagnostic]:
        """A text that should be half of an article, in a format that diglot does not read."""
        if not is_like(path, "md") or is_note(path):
            return
        folder, _, name = path.rpartition("/")
        stem, _, ending = name.rpartition(".")
        is_half = stem == "index" or language_of(stem.removeprefix("index.")) is not None
        is_beside_halves = folder in self._flat and language_of(stem.rpartition(".")[2]) is not None
        if (
            not is_half
            and not is_beside_halves
            and (ending in _ALSO_ATTACHED or folder not in _SECTION_FOLDERS)
        ):
            return
        for section in SECTIONS:
            half = read_path(f"{folder}/{stem}.md", section, self._first) if section.holds(path) else None
            if not isinstance(half, HalfFile):
                continue
            article = self._posts.articles.get(name_in(section, half.name))
            if article is None and is_beside_halves and not is_half:
                continue  # a file for one language that articles there offer: table.zh.html
            if article is None or article.half(half.language) is None:
                message = f'nothing reads "{name}": articles are written in Markdown'
                yield warning(path, message, f"write its text as Markdown, into {half.path}.")

    def _is_place_of_articles(self, folder: str) -> bool:
        """Whether a folder could hold files of articles: not one inside the folder of an article."""
        if folder == CONTENT or folder in self._flat or folder in self._posts.folders:
            return True
        parts = folder.split("/")
        inside = any("/".join(parts[:at]) in self._posts.folders for at in range(2, len(parts)))
        return not inside and any(section.holds(f"{folder}/") for section in SECTIONS)
