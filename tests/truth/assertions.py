"""Assertions that are no longer true: in prose, captions, tables and slides."""

import random
import re
from collections.abc import Iterator

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.rules.parsed_halves import parts_of
from tests.truth.changed_numbers import path_of, shown, values_in_both
from tests.truth.planting import Block, Fault
from tests.truth.published import Pair, values

_ENDS = {
    "figure": "\n```",
    "notes": "\n:::",
    "admonition": "\n:::",
    "table": " |",
    "paragraph": "",
    "list": "",
}
"""What an assertion at the end of a block stands before."""


def what_is_not_true(pair: Pair) -> Iterator[Diagnostic]:
    """What a build says of the assertions of a pair."""
    for language, parsed in zip(LANGUAGES, pair.parsed, strict=True):
        for parts in parts_of(parsed.document):
            for part in parts:
                if isinstance(part, str) or part.kind != "assert":
                    continue
                try:
                    values(language).check(part.target, path=pair.path(language), line=part.line)
                except DiagnosticError as error:
                    yield from error.diagnostics


def no_longer_true(block: Block, chance: random.Random) -> Fault | None:
    """One half says what is not true of its values, where the other still says what is."""
    targets = values_in_both(block)
    if block.kind not in _ENDS or not targets or not block.zh.endswith(_ENDS[block.kind]):
        return None
    target = chance.choice(targets)
    path, number = path_of(target), float(re.sub("[,%]", "", shown(target, "en")))
    value = number / 100 if "percent" in target else number
    true, false = chance.choice(
        (
            (f"{path} > {value * 0.8}", f"{path} > {value * 1.2}"),
            (f"{path} < {value * 1.2}", f"{path} < {value * 0.8}"),
            (f"{value * 1.3} >= {path}", f"{value * 1.3} <= {path}"),
            (f'{path} | within("15%", of={value})', f'{path} | within("15%", of={value * 2})'),
            (f"not {path} < {value / 2}", f"not {path} < {value * 2}"),
            (f"{path} > 0 and {path} < {value * 2}", f"{path} > 0 and {path} > {value * 2}"),
        )
    )
    language = chance.choice(LANGUAGES)
    block = _with(block, language, false)
    return Fault(
        _with(block, twin_of(language), true), frozenset(("assert-false",)), said=(path.strip("()")[:40],)
    )


def _with(block: Block, language: Language, condition: str) -> Block:
    end = _ENDS[block.kind]
    if block.kind == "table":
        condition = condition.replace("|", r"\|")
    text = block.of(language).removesuffix(end)
    return block.having(language, f"{text} {{assert}}`{condition}`{end}")


PLANTERS = (no_longer_true,)
