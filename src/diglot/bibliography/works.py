"""Records of cited works, and of the places in a text that cite them."""

import re
from typing import Literal

import msgspec

from diglot.languages import Language

BIBTEX_FILE = "site/references.bib"
CSL_FILE = "site/references.json"
FILES = (BIBTEX_FILE, CSL_FILE)

Kind = Literal["article", "paper", "chapter", "book", "report", "thesis", "preprint", "online"]
Style = Literal["ieee", "gb-t-7714", "author-year"]
STYLES: tuple[Style, ...] = ("ieee", "gb-t-7714", "author-year")


class _Record(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    pass


class Entry(_Record, frozen=True, kw_only=True):
    """What a file says of a work: fields as LaTeX, in which macros are filled in. Most are never cited."""

    key: str
    type: str
    """As in BibTeX, in lower case: `inproceedings`."""
    fields: dict[str, str]
    path: str
    line: int
    """The line at which it begins, from 1."""

    @property
    def bibtex(self) -> str:
        """The entry as BibTeX that needs nothing else."""
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@{self.type}{{{self.key},\n{fields}}}\n"


class Name(_Record, frozen=True, kw_only=True):
    """A person, or an organisation, which has a family name alone."""

    family: str
    """With its particles and without a suffix: `van der Berg`. A Chinese name is here as a whole."""
    given: str = ""
    suffix: str = ""


class Work(_Record, frozen=True, kw_only=True):
    """Something that can be cited. All texts are plain, and empty where the author gave none."""

    key: str
    kind: Kind
    title: str = ""
    authors: tuple[Name, ...] = ()
    has_more_authors: bool = False
    """Whether its list of authors ends with `and others`."""
    container: str = ""
    """The journal, proceedings or book that it is in; of what is online, the site."""
    year: str = ""
    month: int = 0
    """0 where the author gave none."""
    day: int = 0
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    """The publisher, institution or school."""
    place: str = ""
    edition: str = ""
    number: str = ""
    """Of a report."""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    accessed: str = ""
    """A day, as in 2026-09-30."""
    bibtex: str = ""
    """The entry as BibTeX that needs nothing else."""


Form = Literal["p", "t", "bare"]


class CitedWork(_Record, frozen=True, kw_only=True):
    """A work in a citation."""

    key: str
    before: str = ""
    """What is written before it, such as `see`."""
    locator: str = ""
    """What is written behind it, such as `p. 3`."""
    hides_author: bool = False
    """Whether its author has been named already: `[-@key]`."""


class CitationTarget(_Record, frozen=True, kw_only=True):
    """What a place in a text cites. Nodes and placeholders hold its text, which is JSON."""

    form: Form
    """p: in parentheses; t: the author is a part of the sentence; bare: the same, written `@key`."""
    works: tuple[CitedWork, ...]

    def __str__(self) -> str:
        return msgspec.json.encode(self).decode()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its works."""
        return tuple(cited.key for cited in self.works)


def parse_target(text: str) -> CitationTarget:
    """The target that a text is of."""
    return msgspec.json.decode(text, type=CitationTarget)


class ListedWork(_Record, frozen=True, kw_only=True):
    """An entry of a half's list of references."""

    key: str
    language: Language
    """That of the work."""
    label: str
    """`[1]`; empty in lists by author and year."""
    html: str
    text: str
    marks: tuple[int, ...]
    """Which citations of the half cite it, counted from 1."""


class CitationMark(_Record, frozen=True, kw_only=True):
    """What a citation is for readers."""

    html: str
    text: str


class HalfCitations(_Record, frozen=True, kw_only=True):
    """The citations of a half."""

    marks: dict[str, CitationMark] = {}
    """By the target of the citation."""
    works: tuple[ListedWork, ...] = ()
    """Those cited, in the order of the list."""


NO_CITATIONS = HalfCitations()


def anchor_of(language: Language, number: int) -> str:
    """The id of an entry in the list of a half."""
    return f"reference-{language}-{number}"


_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def as_latex(text: str) -> str:
    """Plain text as a field of BibTeX."""
    return _SPECIAL.sub(lambda found: _WORDS.get(found[0], f"\\{found[0]}"), text)
