"""Pygments' lexers, several times as fast: tries only the rules that can match the next two characters.

A lexer tries the regular expressions of its state in turn, often forty of them, at every token. Here each
expression is analysed once for what it may start with, and a state becomes a table from the start of a text
to rules, in their old order. The rules left out could not have matched, so the tokens are the same.
"""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

_PARSER: Any = import_module("re._parser")  # has no type stubs
_OP: Any = import_module("re._constants")

_OTHER = "\x80"
"""Stands for all characters beyond ASCII, which are not told apart."""

_Characters = frozenset[str]

_ALL: _Characters = frozenset(map(chr, range(129)))
_ANYTHING = _ALL | {""}
"""Any character, or the end of the text."""
_FEWEST_RULES = 4
"""States with fewer rules gain nothing from a table."""

_FLAGS_INSIDE = re.compile(r"\(\?[aiLmsux]")

_Rule = tuple[Any, Any, Any]
"""A rule as Pygments stores it: a bound `match`, the action, and the next state."""


def quickened(lexer: Any) -> Any:
    """The lexer class with tables as states; unchanged where it does not consist of regular expressions."""
    if not hasattr(lexer, "process_tokendef") or getattr(lexer, "token_variants", None):
        return lexer
    quick: Any = type(lexer)(
        lexer.__name__,
        (lexer,),
        {"_all_tokens": {}, "_tmpname": 0, "_process_regex": staticmethod(_Expression)},
    )
    # Pygments processes a class only where `_tokens` is missing: not here, nor where the lexer uses itself.
    quick._tokens = _States(quick.process_tokendef("", quick.get_tokendefs()))
    return quick


class _Expression:
    """A regular expression that is compiled when it is first tried: most of a lexer's never are."""

    __slots__ = ("_flags", "_match", "_regex")

    def __init__(self, regex: Any, flags: int, _state: str) -> None:
        self._regex, self._flags = regex, flags
        self._match: Any = None

    @property
    def starts(self) -> "_Starts":
        """What its matches may start with."""
        if (listed := getattr(self._regex, "words", None)) is not None:  # saves joining the words
            prefix, suffix = self._regex.prefix, self._regex.suffix
            if not _FLAGS_INSIDE.search(prefix):  # which would apply to the words, too
                with suppress(re.error):  # they may be valid only together, such as `(` and `)`
                    return starts_of_words(listed, prefix, suffix, self._flags)
        return starts_of(self._text(), self._flags)

    @property
    def match(self) -> Any:
        """The bound method that Pygments calls."""
        if self._match is None:
            self._match = re.compile(self._text(), self._flags).match
        return self._match

    def _text(self) -> str:
        text: str = self._regex if isinstance(self._regex, str) else self._regex.get()  # a list of words
        return text


class _States(dict[str, Sequence[_Rule]]):
    """The rules of each state, prepared when the lexer first enters it."""

    def __init__(self, rules: Mapping[str, Sequence[_Rule]]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, name: str) -> Sequence[_Rule]:
        rules = self._rules[name]
        ready = self[name] = _State(rules) if len(rules) >= _FEWEST_RULES else [*map(_compiled, rules)]
        return ready


def _compiled(rule: _Rule) -> _Rule:
    # For `default`, the expression is not the lexer's: Pygments adds one that matches the empty text.
    return (rule[0].match, *rule[1:]) if isinstance(rule[0], _Expression) else rule


class _State(list[_Rule]):
    """The rules of a state, in place of the list that Pygments iterates over.

    Pygments tries the rules of the list in turn. The first one here reads the text and never matches;
    depending on what it read, it replaces the rules after it before the iteration reaches them.
    """

    __slots__ = ("_by_first", "_by_start", "_rules", "_starts")

    def __init__(self, rules: Sequence[_Rule]) -> None:
        super().__init__([(self._look, None, None)])
        self._rules = rules
        self._starts = [one.starts if isinstance(one, _Expression) else _NOTHING for one, _, _ in rules]
        self._by_first: dict[str, Sequence[tuple[_Rule, _Characters]]] = {}
        self._by_start: dict[str, Sequence[_Rule]] = {}

    def _look(self, text: str, position: int, _end: int = 0) -> None:
        start = text[position : position + 2]
        rules = self._by_start.get(start)
        if rules is None:
            first, second = (min(character, _OTHER) for character in (start[:1], start[1:]))
            rules = self._by_start[start] = [
                _compiled(rule) for rule, seconds in self._beginning_with(first) if second in seconds
            ]
        self[1:] = rules

    def _beginning_with(self, first: str) -> Sequence[tuple[_Rule, _Characters]]:
        """The rules that can begin with a character, each with the characters that may follow."""
        if first not in self._by_first:
            found = (
                (rule, starts.behind(first)) for rule, starts in zip(self._rules, self._starts, strict=True)
            )
            self._by_first[first] = [(rule, seconds) for rule, seconds in found if seconds]
        return self._by_first[first]


class _Starts(NamedTuple):
    """What the matches of an expression may start with.

    Too many starts do no harm: an expression that is not understood may start with anything, or be empty.
    """

    pairs: tuple[tuple[_Characters, _Characters], ...]
    """For matches of two characters or more: any of the first set, then any of the second."""
    single: _Characters
    """For matches of one character: these, followed by any character."""
    is_empty: bool
    """Whether a match may be empty."""

    def firsts(self) -> _Characters:
        """All characters that matches may begin with."""
        return self.single.union(*(first for first, _ in self.pairs))

    def behind(self, first: str) -> _Characters:
        """The characters that may follow a first one; the empty text stands for the end."""
        if self.is_empty or first in self.single:
            return _ANYTHING
        return frozenset().union(*(second for one, second in self.pairs if first in one))

    def then(self, other: "_Starts") -> "_Starts":
        """The starts of this expression followed by another."""
        pairs = self.pairs
        if self.single and (seconds := other.firsts()):
            pairs = (*pairs, (self.single, seconds))
        return _Starts(
            pairs=(*pairs, *other.pairs) if self.is_empty else pairs,
            single=(self.single if other.is_empty else frozenset())
            | (other.single if self.is_empty else frozenset()),
            is_empty=self.is_empty and other.is_empty,
        )


def _one_of(starts: Sequence[_Starts]) -> _Starts:
    """The starts of an alternative between expressions."""
    return _Starts(
        pairs=tuple(pair for one in starts for pair in one.pairs),
        single=frozenset().union(*(one.single for one in starts)),
        is_empty=any(one.is_empty for one in starts),
    )


_NOTHING = _Starts(pairs=(), single=frozenset(), is_empty=True)
_ANY = _Starts(pairs=((_ALL, _ALL),), single=_ALL, is_empty=True)


def starts_of(pattern: str, flags: int) -> _Starts:
    """What the matches of an expression may start with."""
    return _in_any_case(*_read(pattern, flags))


def starts_of_words(words: Iterable[str], prefix: str, suffix: str, flags: int) -> _Starts:
    """The same for a list of words, with one expression before and one after them."""
    (before, _), (behind, _) = _read(prefix, flags), _read(suffix, flags)
    listed = [
        _Starts(((_one(ord(word[0])), _one(ord(word[1]))),), frozenset(), False)
        if len(word) > 1
        else _Starts((), _one(ord(word)), False)
        for word in {word[:2] for word in words if word}
    ]
    return _in_any_case(before.then(_one_of(listed)).then(behind), flags)


@functools.cache
def _read(pattern: str, flags: int) -> tuple[_Starts, int]:
    """What matches start with if case matters, and the flags, including those set inside the pattern."""
    parsed = _PARSER.parse(pattern, flags & ~re.IGNORECASE)
    return _starts(parsed), flags | parsed.state.flags


def _in_any_case(starts: _Starts, flags: int) -> _Starts:
    """The same in upper and lower case, where the flags ignore case."""
    if not flags & re.IGNORECASE:
        return starts
    # The other case of a letter may be beyond ASCII: ſ (U+017F) is an s, the Kelvin sign a k.
    firsts = starts.firsts()
    firsts |= {character.swapcase() for character in firsts} | {_OTHER}
    return _Starts(pairs=(), single=firsts, is_empty=starts.is_empty)


def _starts(sequence: Any) -> _Starts:
    """The same for a parsed expression."""
    found = _NOTHING
    for operation, argument in sequence:
        found = found.then(_starts_of_one(operation, argument))
        if not found.is_empty and not found.single:  # two characters are known
            break
    return found


def _starts_of_one(operation: Any, argument: Any) -> _Starts:
    if operation is _OP.LITERAL:
        return _Starts((), _one(argument), False)
    if operation is _OP.NOT_LITERAL:
        return _Starts((), _ALL - _one(argument) | {_OTHER}, False)
    if operation is _OP.ANY:
        return _Starts((), _ALL, False)
    if operation is _OP.IN:
        return _Starts((), _in_class(argument), False)
    if operation is _OP.BRANCH:
        return _one_of([*map(_starts, argument[1])])
    if operation is _OP.SUBPATTERN:
        _, flags_added, flags_removed, inside = argument
        return _ANY if flags_added or flags_removed else _starts(inside)
    if operation is _OP.ATOMIC_GROUP:
        return _starts(argument)
    if operation in (_OP.MAX_REPEAT, _OP.MIN_REPEAT, _OP.POSSESSIVE_REPEAT):
        least, most, repeated = argument
        once = _starts(repeated)
        times = (_NOTHING, once, once.then(once))  # more repetitions start like two
        return _one_of(times[min(least, 2) : min(most, 2) + 1])
    if operation in (_OP.AT, _OP.ASSERT, _OP.ASSERT_NOT):  # consume no character: what follows decides
        return _NOTHING
    return _ANY


def _one(code: int) -> frozenset[str]:
    return frozenset((chr(code) if code < 128 else _OTHER,))


def _in_class(items: Sequence[tuple[Any, Any]]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for operation, argument in items:
        if operation is _OP.LITERAL:
            found |= _one(argument)
        elif operation is _OP.RANGE:
            first, last = argument
            found |= frozenset(map(chr, range(first, min(last, 127) + 1)))
            found |= {_OTHER} if last > 127 else frozenset()
        elif operation is _OP.CATEGORY:
            found |= _in_category(argument)
        elif operation is not _OP.NEGATE:
            return _ALL
    return _ALL - found | {_OTHER} if items[0][0] is _OP.NEGATE else found


@functools.cache
def _in_category(category: Any) -> frozenset[str]:
    for letter, positive, negative in (
        ("d", _OP.CATEGORY_DIGIT, _OP.CATEGORY_NOT_DIGIT),
        ("s", _OP.CATEGORY_SPACE, _OP.CATEGORY_NOT_SPACE),
        ("w", _OP.CATEGORY_WORD, _OP.CATEGORY_NOT_WORD),
    ):
        if category in (positive, negative):
            sign = letter if category is positive else letter.upper()
            return frozenset(filter(re.compile(rf"\{sign}").match, _ALL)) | {_OTHER}
    return _ALL
