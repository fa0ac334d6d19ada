"""Which known name a file was probably meant to have: another ending, other letters, a copy next to it.

Every folder that is read declares the names that it knows; here is what counts as nearly one of them. All is
computed from names alone; nothing is read.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

import msgspec

from diglot.diagnostics import differ_little


class NearMiss(msgspec.Struct, frozen=True):
    """A known name that a file probably should have."""

    meant: str
    is_certain: bool
    """Whether it is the same word with another ending, case or separators. Otherwise a letter is wrong, or
    words are added, so that it may be a name of its own."""


_BACKUP = re.compile(
    r"(.+?)(?:\.(?:orig|bak|backup|old|rej|save|swo|autosave|\d+)|\.~\d+~|~)$", re.IGNORECASE | re.DOTALL
)
_COPY = re.compile(
    r"(?: ?[(（]\d+[)）]| (?:- )?(?:copy|副本|拷贝)(?:[ (]*\d+\)?)?| ?的(?:副本|拷贝)(?: ?\d+)?"
    r"|-副本(?:[ (]*\d+\)?)?| ?[(（](?:copy|副本|拷贝)[)）])$"
)
_COPY_OF = re.compile(r"(?:copy of |(?:副本|复件|拷贝)[ -]*(?:\(\d+\) *)?)(?=.)")
"""What older systems put before the name of a copy."""
_CONFLICT = re.compile(
    r" ?[(（][^()（）]*(?:conflict|冲突)[^()（）]*[)）]$|[._-](?:sync-)?conflict-\d{6,}[\w-]*$"
)

_SIGN_OF_COPY = re.compile(r"[ (（]|-conflict|副本|复件|拷贝|[._]conflict", re.IGNORECASE)
"""What each copy has in its path, for speed."""

_SAME_FORMAT: dict[str, tuple[str, ...]] = {
    "yaml": ("yml", "yam", "yaml.yaml", "yaml.yml"),
    "md": ("markdown", "mdown", "mkd", "mkdn", "mdwn", "mdtxt", "mdtext", "mdx", "qmd", "rmd", "md.markdown"),
    "py": ("pyw", "py3", "py.py"),
    "html": ("htm", "xhtml", "html.j2", "html.jinja", "html.jinja2", "j2", "jinja", "jinja2"),
    "txt": ("text", "txt.txt"),
    "bib": ("bibtex", "bib.bib"),
    "json": ("csl", "csljson", "json.json"),
}
"""Other endings of the same kind of file."""
_OTHER_FORMAT: dict[str, tuple[str, ...]] = {
    "yaml": ("json", "json5", "toml", "txt", "ini", "cfg", "conf", ""),
    "md": (
        *(
            "txt",
            "text",
            "rst",
            "adoc",
            "asciidoc",
            "org",
            "tex",
            "typ",
            "ipynb",
            "doc",
            "docx",
            "odt",
            "rtf",
        ),
        *("html", "htm", "xhtml", "textile"),
    ),
    "py": ("ipynb",),
    "html": ("tmpl", "njk", "liquid", "mustache", ""),
    "txt": ("md", ""),
    "bib": ("tex", "biblatex"),
}
"""Endings of other formats, in which people write the same: they count only after the very word."""
_FOR_TEXT = ".txt"
"""What editors that know only texts add to every name."""
_SHORTEST = 4
"""Letters of the shortest word in which a wrong letter is looked for."""


def folded(name: str) -> str:
    """A name without what readers of a list of files do not see: case, width, invisible characters."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(one for one in plain if unicodedata.category(one) != "Cf").strip()


def word_of(stem: str) -> str:
    """The letters and digits of a name, without what separates them."""
    return re.sub(r"[\W_]+", "", folded(stem))


def is_backup(name: str) -> bool:
    """Whether a program keeps an earlier version of a file under this name: `zh.md.orig`."""
    return _BACKUP.match(name) is not None


def original_of(path: str) -> str | None:
    """The file that this one is a copy of, by its name: `zh.md` for `zh (1).md`, `zh copy.md`; else None."""
    if _SIGN_OF_COPY.search(path) is None:  # true of nearly all paths
        return None
    stem, ending = _split(path)
    for pattern in (_COPY, _CONFLICT):
        if (found := pattern.search(stem.casefold())) is not None and found.start():
            return stem[: found.start()] + ending
    folder, slash, name = stem.rpartition("/")
    before = _COPY_OF.match(name.casefold())
    return None if before is None else f"{folder}{slash}{name[before.end() :]}{ending}"


def without_backup(path: str) -> str | None:
    """The file of which a program keeps an earlier version under this path; None for any other."""
    folder, slash, name = path.rpartition("/")
    backup = _BACKUP.match(name)
    return None if backup is None else f"{folder}{slash}{backup[1]}"


_WORD = re.compile(r"[a-z]+|\d+|[\u4e00-\u9fff]+")
_WORDS_OF_COPIES = re.compile(
    r"\d+|v|copy|of|old|new|orig|original|backup|bak|tmp|temp|final|draft|edited"
    r"|副本|复件|拷贝|备份|旧|旧版|新|新版|终稿|草稿"
)


def is_decorated(stem: str, word: str) -> bool:
    """Whether a name is a word and what people add to the names of versions: `en_old`, `en2`, `new en`."""
    words = _WORD.findall(folded(stem))
    return words.count(word) == 1 and all(one == word or _WORDS_OF_COPIES.fullmatch(one) for one in words)


def is_conflict(path: str) -> bool:
    """Whether a program that synchronises folders made a file, because two versions of it differ."""
    return _CONFLICT.search(_split(path)[0].casefold()) is not None


def _split(path: str) -> tuple[str, str]:
    """A path without its ending, and the ending with its dot."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    return (folder + slash + stem, dot + ending) if stem else (path, "")


def other_ending(name: str, ending: str) -> str | None:
    """A name without its ending, where that is another way to write `ending`: `zh` for `zh.MD`, `zh.md.txt`.

    None for the ending itself, and for one that is not like it.
    """
    if name.endswith(f".{ending}"):
        return None
    return _without(name, ending, _SAME_FORMAT[ending], slips=len(ending) >= _SHORTEST)


def _without(name: str, ending: str, others: Iterable[str], *, slips: bool) -> str | None:
    """A name in small letters without its ending, where that is `ending`, one of the others, or with `slips`
    the beginning of one, or a word that differs from it in one letter."""
    plain = folded(name)
    if plain.endswith(_FOR_TEXT) and ending != "txt":
        inner = _without(plain.removesuffix(_FOR_TEXT), ending, _SAME_FORMAT[ending], slips=False)
        if inner is not None:
            return inner
    endings = (ending, *others)
    for one in sorted(endings, key=len, reverse=True):
        if one and plain.endswith(f".{one}"):
            return plain.removesuffix(f".{one}")
    stem, dot, last = plain.rpartition(".")
    if not dot:
        return plain if "" in endings else None
    is_cut_off = any(one.startswith(last) for one in (ending, *_SAME_FORMAT[ending]))  # meta.y
    return stem if slips and last and (is_cut_off or differ_little(last, ending)) else None


@lru_cache(1024)  # files of the same names are next to many articles
def near_miss(name: str, known: tuple[str, ...]) -> NearMiss | None:
    """The known name that this one was probably meant to be; None if it is none, or known itself.

    Known names have an ending of this module's table: `meta.yaml`.
    """
    if name in known or is_backup(name):
        return None
    probable: NearMiss | None = None
    for one in known:
        stem, _, ending = one.rpartition(".")
        if word_of(name) == word_of(one):
            return NearMiss(one, is_certain=True)
        own = _without(
            name, ending, (*_SAME_FORMAT.get(ending, ()), *_OTHER_FORMAT.get(ending, ())), slips=True
        )
        if own is None:
            continue
        word, meant = word_of(own), word_of(stem)
        if word == meant:
            return NearMiss(one, is_certain=True)
        if probable is None and (is_one_slip_away(word, meant) or _has_word(own, stem)):
            probable = NearMiss(one, is_certain=False)
    return probable


def is_like(path: str, ending: str) -> bool:
    """Whether people write the same in files with this ending as in those with `ending`: `docx` for `md`."""
    name = path.rpartition("/")[2]
    own = name.rpartition(".")[2].casefold() if "." in name else ""
    return own == ending or own in _OTHER_FORMAT[ending] or own in _SAME_FORMAT[ending]


def near_folder(name: str, known: Collection[str]) -> str | None:
    """The known folder that this one was probably meant to be: `figures` for `Figure`; None if it is none."""
    if name in known:
        return None
    word = word_of(name)
    for one in known:
        if word == one or word.removesuffix("s") == one.removesuffix("s"):
            return one
    return next((one for one in known if is_one_slip_away(word, one)), None)


def is_one_slip_away(word: str, meant: str) -> bool:
    """Whether letters of a word are wrong as when typing; a digit more makes another name."""
    if len(meant) < _SHORTEST or sum(map(str.isdigit, word)) != sum(map(str.isdigit, meant)):
        return False
    return differ_little(word, meant)


def _has_word(stem: str, known: str) -> bool:
    """Whether a name has the word `meta` and others, as `meta.zh`: other known words are in many names."""
    return known == "meta" and (known in re.split(r"[\W_]+", stem) or word_of(stem) == "metadata")
