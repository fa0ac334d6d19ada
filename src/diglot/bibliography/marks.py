"""The marks of citations in a half: `[1–3]`, `(Jouppi et al., 2017a)`, “Jouppi 等（2017）”.

They are known once all citations of the half are: numbers count in the order of the text, and works of one
author and year get letters.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from string import ascii_lowercase

import msgspec
from markupsafe import Markup, escape

from diglot.bibliography.entries import address_of, entry_html, language_of
from diglot.bibliography.works import (
    CitationMark,
    CitationTarget,
    CitedWork,
    HalfCitations,
    ListedWork,
    Style,
    Work,
    anchor_of,
    parse_target,
)
from diglot.diagnostics import shortened
from diglot.languages import Language

_LONGEST_TITLE = 40
"""Characters of a title that is the name of a work without authors."""


def cite(
    targets: Sequence[str],
    works: Mapping[str, Work],
    style: Style,
    language: Language,
    *,
    has_list: bool = True,
) -> HalfCitations:
    """The marks and the list of a half that cites these, in the order of its text.

    Marks lead to the list or, where there is none, to the works on the web. A citation of a work that is not
    in `works` has no mark.
    """
    numbered = [(number, parse_target(target)) for number, target in enumerate(targets, 1)]
    known = [(number, target) for number, target in numbered if works.keys() >= {*target.keys}]
    cited: dict[str, list[int]] = {}
    for number, target in known:
        for key in dict.fromkeys(target.keys):
            cited.setdefault(key, []).append(number)
    writer = _Marks([works[key] for key in cited], style, language, has_list=has_list)
    marks = {str(target): writer.mark(target) for _, target in known}
    return HalfCitations(marks=marks, works=tuple(writer.listed(cited)))


class _Piece(msgspec.Struct, frozen=True):
    text: str
    key: str = ""
    """The work that it leads to; empty for text between marks."""


class _Marks:
    def __init__(self, works: Sequence[Work], style: Style, language: Language, *, has_list: bool) -> None:
        self._style, self._language, self._has_list = style, language, has_list
        self._works = [*works] if style != "author-year" else sorted(works, key=self._rank)
        self._numbers = {work.key: number for number, work in enumerate(self._works, 1)}
        self._by_key = {work.key: work for work in works}
        self._suffixes = self._letters() if style == "author-year" else {}

    def _rank(self, work: Work) -> tuple[bool, str, str, str]:
        """The place of a work in a list by author and year: those in the language of the half come first."""
        is_foreign = language_of(work) != self._language
        return is_foreign, self._who(work).casefold(), work.year, work.title.casefold()

    def _letters(self) -> dict[str, str]:
        alike: dict[tuple[str, str], list[str]] = {}
        for work in self._works:
            alike.setdefault((self._who(work), work.year), []).append(work.key)
        return {
            key: _letter(index) for keys in alike.values() if len(keys) > 1 for index, key in enumerate(keys)
        }

    def listed(self, cited: Mapping[str, Sequence[int]]) -> Iterator[ListedWork]:
        """The works in the order of the list; `cited` says which citations cite each."""
        for number, work in enumerate(self._works, 1):
            html = entry_html(work, self._style, self._suffixes.get(work.key, ""))
            label = "" if self._style == "author-year" else f"[{number}]"
            yield ListedWork(
                key=work.key,
                language=language_of(work),
                label=label,
                html=str(html),
                text=html.striptags(),
                marks=tuple(cited[work.key]),
            )

    def mark(self, citation: CitationTarget) -> CitationMark:
        """What a citation is for readers."""
        pieces = [*(self._by_year(citation) if self._style == "author-year" else self._by_number(citation))]
        html = Markup("").join(
            Markup('<a href="{}">{}</a>').format(address, piece.text)
            if piece.key and (address := self._address(piece.key))
            else escape(piece.text)
            for piece in pieces
        )
        return CitationMark(html=str(html), text="".join(piece.text for piece in pieces))

    def _address(self, key: str) -> str:
        if self._has_list:
            return f"#{anchor_of(self._language, self._numbers[key])}"
        return address_of(self._by_key[key])

    # [1], [1, p. 3], [1–3, 5], Jouppi et al. [1]

    def _by_number(self, citation: CitationTarget) -> Iterator[_Piece]:
        if citation.form != "p":
            for index, cited in enumerate(citation.works):
                if index:
                    yield _Piece(self._and(index, len(citation.works)))
                gap = "" if self._language == "zh" else " "
                yield _Piece(f"{_before(cited)}{self._who(self._by_key[cited.key])}{gap}")
                yield from self._brackets([cited])
            return
        yield from self._brackets(citation.works)

    def _brackets(self, works: Sequence[CitedWork]) -> Iterator[_Piece]:
        is_bare = all(not (cited.before or cited.locator) for cited in works)
        order = [*works] if not is_bare else sorted(works, key=lambda cited: self._numbers[cited.key])
        comma = "，" if self._language == "zh" else ", "
        yield _Piece("[")
        for index, group in enumerate(self._runs(order) if is_bare else [[cited] for cited in order]):
            if index:
                yield _Piece(", " if is_bare else self._semicolon())
            first, last = group[0], group[-1]
            yield from [_Piece(_before(first))] * bool(first.before and is_bare is False)
            yield _Piece(str(self._numbers[first.key]), first.key)
            if len(group) > 1:
                yield _Piece("–" if len(group) > 2 else ", ")
                yield _Piece(str(self._numbers[last.key]), last.key)
            if first.locator:
                yield _Piece(f"{comma}{first.locator}")
        yield _Piece("]")

    def _runs(self, works: Sequence[CitedWork]) -> Iterator[list[CitedWork]]:
        """Works whose numbers follow each other."""
        unique = [*{cited.key: cited for cited in works}.values()]
        numbered = enumerate(unique)
        for _, group in groupby(numbered, key=lambda one: self._numbers[one[1].key] - one[0]):
            yield [cited for _, cited in group]

    # (Jouppi et al., 2017), Jouppi et al. (2017)

    def _by_year(self, citation: CitationTarget) -> Iterator[_Piece]:
        is_chinese, is_inside = self._language == "zh", citation.form == "p"
        opening, closing = ("（", "）") if is_chinese else ("(", ")")
        comma = "，" if is_chinese else ", "
        if is_inside:
            yield _Piece(opening)
        before = ""
        for index, cited in enumerate(citation.works):
            work = self._by_key[cited.key]
            who, when = self._who(work), f"{work.year or self._undated()}{self._suffixes.get(work.key, '')}"
            is_same = is_inside and who == before and not cited.before
            if index:
                between = comma if is_same else self._semicolon()
                yield _Piece(between if is_inside else self._and(index, len(citation.works)))
            if cited.before:
                yield _Piece(_before(cited))
            behind = f"{comma}{cited.locator}" if cited.locator else ""
            if is_same:
                yield _Piece(when, work.key)
                yield from [_Piece(behind)] * bool(behind)
            elif is_inside:
                yield _Piece(when if cited.hides_author else f"{who}{comma}{when}", work.key)
                yield from [_Piece(behind)] * bool(behind)
            else:
                gap = "" if is_chinese else " "
                yield _Piece(f"{who}{gap}{opening}{when}{behind}{closing}", work.key)
            before = "" if cited.locator else who
        if is_inside:
            yield _Piece(closing)

    def _who(self, work: Work) -> str:
        """Its authors as a sentence names them; its title where it has none."""
        names = [author.family for author in work.authors]
        is_chinese = self._language == "zh"
        if not names:
            title = shortened(re.split("[:：,，]", work.title)[0], _LONGEST_TITLE)
            return f"《{title}》" if is_chinese else f"“{title}”"
        if len(names) > 2 or work.has_more_authors:
            return f"{names[0]}{_gap_before_deng(names[0])}等" if is_chinese else f"{names[0]} et al."
        if len(names) == 2:
            return self._pair(*names)
        return names[0]

    def _pair(self, one: str, other: str) -> str:
        if self._language == "en":
            return f"{one} and {other}"
        return f"{one}{_gap_before_deng(one)}和{_gap_before_deng(other)}{other}"

    def _and(self, index: int, count: int) -> str:
        """What is before a work that a sentence names."""
        if self._language == "zh":
            return "和" if index == count - 1 else "、"
        return ", " if index < count - 1 else " and " if count == 2 else ", and "

    def _semicolon(self) -> str:
        return "；" if self._language == "zh" else "; "

    def _undated(self) -> str:
        return "无日期" if self._language == "zh" else "n.d."


def _before(cited: CitedWork) -> str:
    return f"{cited.before} " if cited.before else ""


def _gap_before_deng(name: str) -> str:
    """The space between a Latin name and a Chinese word."""
    return " " if name.isascii() or not "\u3400" <= name[-1] <= "\u9fff" else ""


def _letter(index: int) -> str:
    """a to z, then aa, ab and so on."""
    times, rest = divmod(index, len(ascii_lowercase))
    return (_letter(times - 1) if times else "") + ascii_lowercase[rest]
