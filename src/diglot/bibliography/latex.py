"""From an entry to a work: LaTeX to plain text, names, dates, identifiers."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping

from bibtexparser.middlewares.names import parse_single_name_into_parts
from pylatexenc.latex2text import LatexNodes2Text

from diglot.bibliography.works import Entry, Kind, Name, Work

KINDS: Mapping[str, Kind] = {
    "article": "article",
    **dict.fromkeys(("inproceedings", "conference"), "paper"),
    **dict.fromkeys(("incollection", "inbook", "inreference"), "chapter"),
    **dict.fromkeys(("book", "proceedings", "collection", "mvbook", "booklet"), "book"),
    **dict.fromkeys(("techreport", "report", "manual", "patent"), "report"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "thesis"),
    **dict.fromkeys(("misc", "online", "electronic", "www", "software", "dataset", "unpublished"), "online"),
}
"""Types of entries of BibTeX and BibLaTeX; others are treated as `misc`."""
_THESES = {"phdthesis": "Ph.D. dissertation", "mastersthesis": "M.S. thesis"}
_DEEPEST = 50
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LATEX = re.compile(r"[\\{}~$]|--|``|''")
_PERCENT = re.compile(r"(?<!\\)%")
_AROUND_TEXT = re.compile(r"\\(?:texttt|textsf|mbox|href\s*\{[^{}]*\})\s*(?=\{)")
"""Commands that the decoder drops with their text, or fails at."""
_LOGO = re.compile(r"\\((?:La)?TeX)\b(?:\s*\{\})?")
_APOSTROPHE = re.compile(r"(?<=[A-Za-z}])'(?!')")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv[:.\s]\s*|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]+/\d{7})", re.IGNORECASE
)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)


def work_of(entry: Entry) -> Work:
    """The work that an entry describes."""
    fields = entry.fields

    def text(*names: str) -> str:
        """The first of these fields that the entry has, as plain text."""
        return next((plain(fields[name]) for name in names if fields.get(name)), "")

    def bare(name: str) -> str:
        """A field that is an address or an identifier."""
        return re.sub(r"[{}\s]", "", fields.get(name, "")).replace("\\_", "_").replace("\\%", "%")

    year, month, day = _date(fields, text)
    doi, url = _DOI.sub("", bare("doi")), bare("url") or _address_in(fields.get("howpublished", ""))
    arxiv = _arxiv(fields, url)
    kind = KINDS.get(entry.type, "online")
    container = text("journal", "journaltitle", "booktitle")
    if arxiv and (kind == "online" or "arxiv" in container.lower()):
        kind, container = "preprint", ""
    authors = [*_names(fields.get("author") or fields.get("editor", ""))]
    if not authors and text("organization"):
        authors = [Name(family=text("organization"))]
    return Work(
        key=entry.key,
        kind=kind,
        title=text("title"),
        authors=tuple(name for name in authors if name is not _OTHERS),
        has_more_authors=_OTHERS in authors,
        container=container or (text("howpublished") if kind == "online" and "url" in fields else ""),
        year=year,
        month=month,
        day=day,
        volume=text("volume"),
        issue=text("number", "issue") if kind != "report" else "",
        pages=re.sub(r"\s*[-–—]+\s*", "–", text("pages")),
        publisher=text("institution", "school", "publisher"),
        place=text("address", "location"),
        edition=text("edition"),
        number=_THESES.get(entry.type, "")
        if kind == "thesis"
        else text("number")
        if kind == "report"
        else "",
        doi=doi,
        arxiv=arxiv,
        url=url,
        accessed=bare("urldate"),
        bibtex=entry.bibtex,
    )


def plain(latex: str) -> str:
    """LaTeX as plain text."""
    latex = _APOSTROPHE.sub("’", latex)
    if _LATEX.search(latex) is None:
        return latex
    if _depth(latex) > _DEEPEST:
        return re.sub(r"[{}]", "", latex)
    latex = _LOGO.sub(r"\1", _AROUND_TEXT.sub("", _PERCENT.sub(r"\\%", latex)))
    return str(_decoder().latex_to_text(latex))


@functools.cache
def _decoder() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text")


def _depth(latex: str) -> int:
    depth = deepest = 0
    for brace in re.findall(r"[{}]", latex):
        depth += 1 if brace == "{" else -1
        deepest = max(deepest, depth)
    return deepest


_OTHERS = Name(family="others")


def _names(latex: str) -> Iterator[Name]:
    """The people in a list; `_OTHERS` for those that are not named."""
    for written in _split(latex):
        if written.startswith("{") and _closes_last(written):
            yield Name(family=plain(written[1:-1]))
        elif written == "others":
            yield _OTHERS
        elif _HAN.search(name := plain(written)):
            yield Name(family="".join(re.split(r"[,，\s]+", name)))
        else:
            parts = parse_single_name_into_parts(name, strict=False)
            family = " ".join((*parts.von, *parts.last))
            yield Name(family=family, given=" ".join(parts.first), suffix=" ".join(parts.jr))


def _split(latex: str) -> Iterator[str]:
    """A list of names, split at each `and` outside braces."""
    start = 0
    for found in _AND.finditer(latex):
        if latex.count("{", start, found.start()) == latex.count("}", start, found.start()):
            yield latex[start : found.start()].strip()
            start = found.end()
    if rest := latex[start:].strip():
        yield rest


def _closes_last(text: str) -> bool:
    """Whether the brace at the beginning of a text is closed at its end."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if not depth:
            return at == len(text) - 1
    return False


def _date(fields: Mapping[str, str], text: Callable[..., str]) -> tuple[str, int, int]:
    if (found := _DATE.match(fields.get("date", ""))) is not None:
        return found[1], int(found[2] or 0), int(found[3] or 0)
    written = text("month").lower().rstrip(".")
    month = int(written) if written.isdecimal() else 0
    if not month and written[:3] in _MONTHS:
        month = _MONTHS.index(written[:3]) + 1
    day = text("day")
    return text("year"), month if month <= len(_MONTHS) else 0, int(day) if re.fullmatch(r"\d\d?", day) else 0


def _arxiv(fields: Mapping[str, str], url: str) -> str:
    eprint = fields.get("eprint", "").strip()
    kind = (fields.get("archiveprefix") or fields.get("eprinttype") or "").lower()
    if eprint and kind == "arxiv":
        return re.sub(r"(?i)^arxiv:", "", eprint)
    places = (url, *(fields.get(name, "") for name in ("journal", "note", "howpublished", "volume")))
    return next((found[1] for place in places if (found := _ARXIV.search(place))), "")


def _address_in(latex: str) -> str:
    """The address in `\\url{…}`, which older entries have instead of a field."""
    found = re.search(r"\\url\{([^{}]+)\}|(https?://[^\s{}]+)", latex)
    return (found[1] or found[2]) if found else ""
