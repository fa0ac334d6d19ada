"""Pygments' lexers, several times as fast: at each character only the rules are tried that can begin with it.

A lexer tries the regular expressions of its state one after the other, often forty of them, at every token.
Here each expression is read once for the characters it may begin with, and a state becomes a table from
character to rules, in their old order: what is left out could not have matched, so the tokens are the same.
"""

import functools
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

_PARSER: Any = import_module("re._parser")  # without stubs
_OP: Any = import_module("re._constants")

_OTHER = "\x80"
"""Stands for every character beyond ASCII: what begins with one of them may begin with all."""

_ALL = frozenset(map(chr, range(129)))
_FEWEST_RULES = 4
"""Below that, a table saves nothing."""

_Rule = tuple[Any, Any, Any]
"""As Pygments keeps them: a bound `match`, what to do with it, and the next state."""


def quickened(lexer: Any) -> Any:
    """The lexer, with its states as tables; one that is not made of regular expressions as it was."""
    if states := getattr(lexer, "_tokens", None):
        lexer._tokens = {
            name: _State(tuple(rules)) if len(rules) >= _FEWEST_RULES else rules
            for name, rules in states.items()
        }
    return lexer


class _State(list[_Rule]):
    """The rules of a state, in place of the list that Pygments walks through.

    Its loop tries what it is given, one after the other. The first rule here looks at the text and never
    matches; what it saw decides which others stand behind it when the loop comes to them.
    """

    __slots__ = ("_begins", "_candidates", "_rules")

    def __init__(self, rules: Sequence[_Rule]) -> None:
        super().__init__([(self._look, None, None)])
        self._rules = rules
        self._begins: Sequence[frozenset[str]] = ()  # most states are never entered
        self._candidates: dict[str, Sequence[_Rule]] = {"": rules}

    def _look(self, text: str, position: int, _end: int = 0) -> None:
        character = text[position : position + 1]
        candidates = self._candidates.get(character)
        if candidates is None:
            candidates = self._candidates[character] = self._beginning_with(min(character, _OTHER))
        self[1:] = candidates

    def _beginning_with(self, character: str) -> Sequence[_Rule]:
        if not self._begins:
            self._begins = [_beginnings(match.__self__) for match, _, _ in self._rules]
        return [rule for rule, begins in zip(self._rules, self._begins, strict=True) if character in begins]


@functools.cache
def _beginnings(pattern: re.Pattern[str]) -> frozenset[str]:
    """Every character that a match of the pattern may begin with; all, if it may be empty."""
    found, may_be_empty = _first(_PARSER.parse(pattern.pattern, pattern.flags & ~re.IGNORECASE))
    if may_be_empty:
        return _ALL
    if pattern.flags & re.IGNORECASE:  # a letter's other case may lie beyond ASCII: ſ is an s, K a k
        found = found | {character.swapcase() for character in found} | {_OTHER}
    return frozenset(found)


def _first(sequence: Any) -> tuple[frozenset[str], bool]:
    """The characters that a parsed expression may begin with, and whether it may match nothing at all.

    Too many characters do no harm: what is not understood may begin with all of them, and be empty.
    """
    found: frozenset[str] = frozenset()
    for operation, argument in sequence:
        characters, may_be_empty = _first_of(operation, argument)
        found |= characters
        if not may_be_empty:
            return found, False
    return found, True


def _first_of(operation: Any, argument: Any) -> tuple[frozenset[str], bool]:
    if operation is _OP.LITERAL:
        return _one(argument), False
    if operation is _OP.NOT_LITERAL:
        return _ALL - _one(argument) | {_OTHER}, False
    if operation is _OP.ANY:
        return _ALL, False
    if operation is _OP.IN:
        return _in_class(argument), False
    if operation is _OP.BRANCH:
        branches = [_first(branch) for branch in argument[1]]
        return frozenset().union(*(found for found, _ in branches)), any(empty for _, empty in branches)
    if operation is _OP.SUBPATTERN:
        _, flags_added, flags_removed, inside = argument
        return (_ALL, True) if flags_added or flags_removed else _first(inside)
    if operation is _OP.ATOMIC_GROUP:
        return _first(argument)
    if operation in (_OP.MAX_REPEAT, _OP.MIN_REPEAT, _OP.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        found, may_be_empty = _first(repeated)
        return found, may_be_empty or least == 0
    if operation in (_OP.AT, _OP.ASSERT, _OP.ASSERT_NOT):  # these take no character: what follows begins
        return frozenset(), True
    return _ALL, True


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
