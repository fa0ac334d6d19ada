"""Entries of a list of references, in the style of the IEEE, of GB/T 7714-2015, or by author and year.

An entry is written in the language of the work, whatever the language of the article: 等 behind Chinese
authors, et al. behind others. CSL's styles were tried with citeproc-py: it escapes nothing, prints `. 陈云霁`
for Chinese names, and drops `[J]` where a work has no address.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from markupsafe import Markup, escape

from diglot.bibliography.works import Kind, Name, Style, Work
from diglot.languages import Language

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "Jun.", "Jul.", "Aug.", "Sep.", "Oct.", "Nov.", "Dec.")
_INNER = str.maketrans("“”", "‘’")
"""Quotation marks inside others."""
_TYPES: Mapping[Kind, str] = {
    **dict.fromkeys(("book", "chapter"), "M"),
    **{"article": "J", "paper": "C", "report": "R", "thesis": "D", "preprint": "EB", "online": "EB"},
}
"""The marks of GB/T 7714."""
_MOST_IEEE, _MOST_GB, _MOST_BY_YEAR = 6, 3, 20
"""How many authors a list names; where there are more, the first alone by IEEE, and these by the others."""


def entry_html(work: Work, style: Style, year_suffix: str = "") -> Markup:
    """The entry of a work. `year_suffix` is the letter behind its year, in lists by author and year."""
    if style == "ieee":
        return _ieee(work)
    return _gb_t_7714(work) if style == "gb-t-7714" else _author_year(work, year_suffix)


def language_of(work: Work) -> Language:
    """The language of a work: Chinese if its title is, or its first author where it has none."""
    text = work.title or (work.authors[0].family if work.authors else "")
    return "zh" if _HAN.search(text) else "en"


# IEEE: N. P. Jouppi et al., “Title,” in Proceedings, Jun. 2017, pp. 1–12, doi: 10.1145/3079856.3080246.


def _ieee(work: Work) -> Markup:
    authors = _listed(work, _given_first, _MOST_IEEE, only_first=True, last=(" and ", ", and "))
    date = " ".join(filter(None, (_MONTHS[work.month - 1] if work.month else "", work.year)))
    pages = f"{'pp.' if '–' in work.pages else 'p.'} {work.pages}" if work.pages else ""
    where: list[str | Markup]
    match work.kind:
        case "article":
            volume = f"vol. {work.volume}" if work.volume else ""
            issue = f"no. {work.issue}" if work.issue else ""
            where = [_italic(work.container), volume, issue, pages, date]
        case "paper" | "chapter":
            where = [_in(work.container), work.place, date, pages]
        case "report":
            number = f"Tech. Rep. {work.number}" if work.number else ""
            where = [work.publisher, work.place, number, date]
        case "book":
            where = [_edition(work), _joined(": ", work.place, work.publisher), work.year]
        case "thesis" | "preprint" | "online":
            where = [work.number, work.container, work.publisher, work.place, date]
    behind = _joined(", ", *where, _identifier(work, "doi: "))
    if work.kind == "book" or not behind:
        shown = _joined(", ", authors, _italic(work.title), behind)
    else:
        shown = _joined(" ", _joined(", ", authors, _quoted(work)), behind)
    return _joined(" ", _ended(shown), _ieee_address(work))


def _quoted(work: Work) -> Markup:
    """A title in quotation marks. The comma behind it is inside, or none if it is a question."""
    if not work.title:
        return Markup()
    if language_of(work) == "zh":
        return Markup("“{}”,").format(work.title)
    return Markup("“{}{}”").format(work.title.translate(_INNER), "" if work.title[-1] in "?!" else ",")


def _ieee_address(work: Work) -> Markup:
    if not work.url or work.doi or work.arxiv:
        return Markup()
    accessed = f" Accessed: {work.accessed}." if work.accessed else ""
    return Markup("[Online]. Available: {}.{}").format(_address(work.url), accessed)


# GB/T 7714: JOUPPI N P, YOUNG C, PATIL N, et al. Title[C/OL]//Proceedings. New York: ACM, 2017: 1-12.


def _gb_t_7714(work: Work) -> Markup:
    authors = _listed(work, _upper_case, _MOST_GB)
    is_online = bool(work.doi or work.url or work.arxiv)
    mark = (
        f"{_TYPES[work.kind]}/OL" if is_online or work.kind in ("online", "preprint") else _TYPES[work.kind]
    )
    number = f": {work.number}" if work.kind == "report" and work.number else ""
    title = Markup("{}{}[{}]").format(work.title, number, mark)
    pages = work.pages.replace("–", "-")
    parts: list[str | Markup] = []
    match work.kind:
        case "article":
            volume = f"{work.volume}{f'({work.issue})' if work.issue else ''}"
            parts = [_joined(": ", _joined(", ", work.container, work.year, volume), pages)]
        case "paper" | "chapter":
            title = Markup("{}//{}").format(title, work.container) if work.container else title
            parts = [_joined(": ", _imprint(work), pages)]
        case "book" | "report" | "thesis":
            parts = [_edition(work), _imprint(work)]
        case "preprint" | "online":
            day = "-".join(filter(None, (work.year, _two(work.month), _two(work.day))))
            parts = [work.container, Markup("({})").format(day) if day else ""]
    shown = _joined(". ", authors, title, *parts)
    if work.accessed and is_online:
        shown += f"[{work.accessed}]"
    return _ended(_joined(". ", shown, _identifier(work, "DOI:") or _address(work.url)))


# By author and year: Jouppi, N. P., & Young, C. (2017a). Title. Journal, 60(9), 67–78. https://doi.org/…


def _author_year(work: Work, suffix: str) -> Markup:
    authors = _listed(work, _family_first, _MOST_BY_YEAR, last=(", & ", ", & "))
    is_whole = work.kind not in ("article", "paper", "chapter")
    title: str | Markup = _italic(work.title) if is_whole else work.title
    date = f"({work.year or ('无日期' if language_of(work) == 'zh' else 'n.d.')}{suffix})"
    details = ", ".join(filter(None, (_edition(work), work.number)))
    if details and is_whole:
        title = Markup("{} ({})").format(title, details)
    parts: list[str | Markup] = [work.publisher]
    if work.kind == "article":
        volume = Markup("{}{}").format(_italic(work.volume), f"({work.issue})" if work.issue else "")
        parts = [_joined(", ", _italic(work.container), volume, work.pages)]
    elif work.container and not is_whole:
        pages = f" (pp. {work.pages})" if work.pages else ""
        parts = [Markup("In {}{}").format(_italic(work.container), pages), work.publisher]
    elif work.container:
        parts = [work.container]
    head = _joined(" ", authors, date) if authors else _joined(" ", title, date)
    shown = _joined(". ", head, title if authors else "", *parts)
    doi = f"https://doi.org/{work.doi}" if work.doi else ""
    link = _address(doi) if doi else _identifier(work, "") or _address(work.url)
    return _joined(" ", _ended(shown), link)


# Parts that the styles share


def _listed(
    work: Work,
    shown: Callable[[Name], str],
    most: int,
    *,
    only_first: bool = False,
    last: tuple[str, str] = (", ", ", "),
) -> str:
    """The authors of a work. `last` is what is before the last one: of two, and of more."""
    names = [*map(shown, work.authors)]
    if not names:
        return ""
    is_chinese = _HAN.search(names[0]) is not None
    if work.has_more_authors or len(names) > most:
        kept = names[:1] if only_first else names[:most]
        return f"{', '.join(kept)}{'' if only_first else ','} {'等' if is_chinese else 'et al.'}"
    if len(names) == 1:
        return names[0]
    before = ", " if is_chinese else last[len(names) > 2]
    return f"{', '.join(names[:-1])}{before}{names[-1]}"


def _initials(name: Name, dot: str) -> str:
    """`N. P.`; hyphenated names keep their hyphen: `J.-P.`."""
    words = [
        "-".join(f"{part[0].upper()}{dot}" for part in word.split("-") if part) for word in name.given.split()
    ]
    return " ".join(filter(None, words))


def _given_first(name: Name) -> str:
    return " ".join(filter(None, (_initials(name, "."), name.family, name.suffix)))


def _family_first(name: Name) -> str:
    return ", ".join(filter(None, (name.family, _initials(name, "."), name.suffix)))


def _upper_case(name: Name) -> str:
    if not name.given:
        return name.family
    return " ".join(filter(None, (name.family.upper(), _initials(name, "").replace("-", " "), name.suffix)))


def _italic(text: str) -> Markup:
    return Markup("<i>{}</i>").format(text) if text else Markup()


def _in(container: str) -> Markup:
    return Markup("in {}").format(_italic(container)) if container else Markup()


def _edition(work: Work) -> str:
    edition = work.edition.strip()
    if not edition:
        return ""
    if language_of(work) == "zh":
        return f"第{edition}版" if edition.isdecimal() else edition
    if edition.isdecimal():
        number = int(edition)
        is_teen = number % 100 in (11, 12, 13)
        edition += "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return edition if edition.rstrip(".").endswith("ed") else f"{edition} ed."


def _imprint(work: Work) -> Markup:
    """Place, publisher and year."""
    return _joined(", ", _joined(": ", work.place, work.publisher), work.year)


def _two(number: int) -> str:
    return f"{number:02}" if number else ""


def address_of(work: Work) -> str:
    """Where a work is on the web; empty where nothing says."""
    if work.doi:
        return f"https://doi.org/{quote(work.doi, safe='/:;()._-<>')}"
    if work.arxiv:
        return f"https://arxiv.org/abs/{quote(work.arxiv, safe='/')}"
    return work.url if work.url.lower().startswith(("https://", "http://")) else ""


def _identifier(work: Work, before: str) -> Markup:
    """A DOI or the number of a preprint, as a link."""
    if not (work.doi or work.arxiv):
        return Markup()
    shown = work.doi or f"arXiv:{work.arxiv}"
    return Markup('{}<a href="{}">{}</a>').format(before if work.doi else "", address_of(work), shown)


def _address(url: str) -> Markup:
    """An address as a link; as text where it would run something."""
    if not url.lower().startswith(("https://", "http://")):
        return escape(url)
    return Markup('<a href="{}">{}</a>').format(url, url)


def _joined(between: str, *parts: str | Markup) -> Markup:
    """Parts that are not empty; no full stop is doubled."""
    kept = [escape(part) for part in parts if part]
    if not between.startswith("."):
        return Markup(between).join(kept)
    ended = [part if part.striptags().endswith(("?", "!", ".")) else part + "." for part in kept[:-1]]
    return Markup(" ").join((*ended, *kept[-1:]))


def _ended(text: Markup) -> Markup:
    """A text with a full stop at its end."""
    return text if not text or text.striptags().endswith((".", "?", "!")) else text + "."
