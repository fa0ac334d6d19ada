"""Faults in what a half is made of: headings, lists, tables, code, formulas, links, notes, values."""

import random
import re
from collections import Counter
from collections.abc import Callable

from diglot.languages import LANGUAGES
from tests.truth.planting import Block, Fault, Planter

_Edit = Callable[[str, random.Random], str | None]


def _in_one_half(edit: _Edit, rules: set[str], *, kinds: tuple[str, ...] = ()) -> Planter:
    """A planter that edits one half of a block of some kinds, if that changes it."""

    def planter(block: Block, chance: random.Random) -> Fault | None:
        if kinds and block.kind not in kinds:
            return None
        language = chance.choice(LANGUAGES)
        text = edit(block.of(language), chance)
        if text is None or text == block.of(language):
            return None
        return Fault(
            block.having(language, text),
            frozenset(rules),
            may_be_beside=text == "" and block.kind == "heading",
        )

    return planter


def _replacing(
    pattern: str, new: str | Callable[[re.Match[str]], str], *, flags: re.RegexFlag = re.M
) -> _Edit:
    """Replaces one of the places where a pattern is found."""

    def edit(text: str, chance: random.Random) -> str | None:
        places = [*re.finditer(pattern, text, flags)]
        if not places:
            return None
        found = chance.choice(places)
        put = found.expand(new) if isinstance(new, str) else new(found)
        return text[: found.start()] + put + text[found.end() :]

    return edit


def _without_a_row(text: str, chance: random.Random) -> str | None:
    rows = text.split("\n")
    if len(rows) < 4 or not text.startswith("|"):
        return None
    del rows[chance.randrange(2, len(rows))]
    return "\n".join(rows)


def _without_a_column(text: str, _chance: random.Random) -> str | None:
    if not text.startswith("|"):
        return None
    bars = re.compile(r"(?<!\\)\|")
    return "\n".join("|".join(bars.split(row)[:-2]) + "|" for row in text.split("\n"))


def _rows_exchanged(text: str, chance: random.Random) -> str | None:
    rows = text.split("\n")
    if len(rows) < 4 or not text.startswith("|"):
        return None
    one, other = chance.sample(range(2, len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]
    return "\n".join(rows)


def _columns_exchanged(text: str, _chance: random.Random) -> str | None:
    if not text.startswith("|"):
        return None
    bars = re.compile(r"(?<!\\)\|")
    rows = [bars.split(row) for row in text.split("\n")]
    return "\n".join("|".join((*cells[:2], cells[3], cells[2], *cells[4:])) for cells in rows)


def _items_exchanged(text: str, chance: random.Random) -> str | None:
    """Two items with values in each other's place."""
    items = text.split("\n")
    bound = [index for index, item in enumerate(items) if "{eval}" in item]
    if len(bound) < 2:
        return None
    one, other = chance.sample(bound, 2)
    items[one], items[other] = items[other], items[one]
    return "\n".join(items)


_NAME = re.compile(r"\b(?:H[12]00|v[2567][ep]?|TPU|GPU|FlashAttention|HBM|softmax|SMs?)(?![`\w-])")


def _names_in(text: str) -> list[re.Match[str]]:
    """The names of chips and the like in prose."""
    hidden = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\{[^}]*\}")
    return [*_NAME.finditer(hidden.sub(lambda found: "_" * len(found.group()), text))]


def _items_with_names_exchanged(text: str, chance: random.Random) -> str | None:
    """Two items without values, each with a name that the other has not."""
    items = text.split("\n")
    names = {
        index: {found.group().removesuffix("s") for found in _names_in(item)}
        for index, item in enumerate(items)
        if "`" not in item
    }
    pairs = [
        (one, two) for one in names for two in names if names[one] - names[two] and names[two] - names[one]
    ]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    items[one], items[other] = items[other], items[one]
    return "\n".join(items)


def _cut_in_two(text: str, chance: random.Random) -> str | None:
    """A paragraph as two, each of which is long enough to be more than a remark."""
    ends = [found.end() for found in re.finditer(r"[。？！](?!$)|[.?!] (?=[A-Z])", text)]
    ends = [end for end in ends if 0.3 < end / len(text) < 0.7]
    if not ends:
        return None
    end = chance.choice(ends)
    return f"{text[:end].rstrip()}\n\n{text[end:]}"


def _counted_otherwise(text: str, _chance: random.Random) -> str:
    if text.startswith("{"):
        return text
    return re.sub(r"(?m)^- ", "1. ", text) if text.startswith("- ") else re.sub(r"(?m)^\d+\. ", "- ", text)


def _two_items_in_one(text: str, _chance: random.Random) -> str | None:
    marks = [*re.finditer(r"\n(?:-|\d+\.) ", text)]
    return text[: marks[0].start()] + " " + text[marks[0].end() :] if marks else None


def _another_item(text: str, _chance: random.Random) -> str:
    return f"{text}\n- 再说一句。" if re.search("[\u4e00-\u9fff]", text) else f"{text}\n- One more thing."


def _with_a_note(text: str, chance: random.Random) -> str:
    label = f"n{chance.randrange(10**6)}"
    return f"{text}[^{label}]\n\n[^{label}]: …"


def _the_other_name(block: Block, chance: random.Random) -> Fault | None:
    """One half names a chip where the other names another one of the block."""
    names = {
        language: [found for found in _names_in(block.of(language)) if re.search(r"\d", found.group())]
        for language in LANGUAGES
    }
    zh, en = (Counter(found.group() for found in names[language]) for language in LANGUAGES)
    if zh != en or len(zh) < 2:
        return None
    language = chance.choice(LANGUAGES)
    text, found = block.of(language), chance.choice(names[language])
    other = chance.choice(sorted(zh.keys() - {found.group()}))
    return Fault(
        block.having(language, text[: found.start()] + other + text[found.end() :]),
        frozenset(("halves-name",)),
    )


_SIBLINGS = {
    **{"v5p": "v6e", "v6e": "v5p", "h200": "v5p", "v7": "v2", "a128": "a256", "a256": "a128"},
    **{"fits": "spills", "spills": "fits", "decode_32": "decode_256", "decode_256": "decode_32"},
}
"""Words of paths that lead to other values of the same figures."""

PLANTERS: dict[str, Planter] = {
    "no heading": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("heading",)),
    "another level": _in_one_half(
        _replacing(r"\A##", "###"),
        {"halves-heading-level", "heading-skip", "halves-missing"},
        kinds=("heading",),
    ),
    "another id": _in_one_half(
        _replacing(r"\{#([a-z-]+)\}", r"{#\1-two}"), {"halves-anchor", "halves-missing"}
    ),
    "no id": _in_one_half(_replacing(r" \{#[a-z-]+\}", ""), {"halves-anchor"}, kinds=("heading",)),
    "no figure": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("figure",)),
    "another figure": _in_one_half(
        _replacing(r"\A(```\{figure\} \w+)", r"\1_again"),
        {"halves-missing", "halves-order"},
        kinds=("figure",),
    ),
    "no control": _in_one_half(_replacing(r"^:explore: .*\n", ""), {"halves-parameters"}, kinds=("figure",)),
    "other states": _in_one_half(
        _replacing(r"^:explore: (\w+).*$", r":explore: \1 = [1, 2]"), {"halves-parameters"}, kinds=("figure",)
    ),
    "other parameters": _in_one_half(
        _replacing(r"\A(```\{figure\} \w+\n)", r"\1:dtype: int8\n"), {"halves-parameters"}, kinds=("figure",)
    ),
    "no table of numbers": _in_one_half(lambda *_: "", {"halves-missing", "halves-table"}, kinds=("table",)),
    "no row": _in_one_half(_without_a_row, {"halves-table"}, kinds=("table",)),
    "no column": _in_one_half(_without_a_column, {"halves-table"}, kinds=("table",)),
    "other rows": _in_one_half(
        _rows_exchanged, {"halves-value", "halves-quantity", "halves-name", "halves-unit"}, kinds=("table",)
    ),
    "other columns": _in_one_half(
        _columns_exchanged,
        {"halves-value", "halves-quantity", "halves-name", "halves-unit"},
        kinds=("table",),
    ),
    "no paragraph": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("paragraph",)),
    "no caption": _in_one_half(
        _replacing(r"\n\n[^:`\n][^`]*\n```\Z", "\n```"), {"halves-missing"}, kinds=("figure",)
    ),
    "no list": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("list",)),
    "a quotation": _in_one_half(_replacing(r"\A(?!>)", "> "), {"halves-missing"}, kinds=("paragraph",)),
    "items with other names": _in_one_half(
        _items_with_names_exchanged, {"halves-list", "halves-formula"}, kinds=("list",)
    ),
    "cut in two": _in_one_half(
        _cut_in_two, {"halves-split", "halves-missing", "halves-length"}, kinds=("paragraph",)
    ),
    "numbered or not": _in_one_half(_counted_otherwise, {"halves-list"}, kinds=("list",)),
    "other items": _in_one_half(_items_exchanged, {"halves-value", "halves-name"}, kinds=("list",)),
    "one item less": _in_one_half(_two_items_in_one, {"halves-list"}, kinds=("list",)),
    "one item more": _in_one_half(_another_item, {"halves-list"}, kinds=("list",)),
    "other code": _in_one_half(
        _replacing(r"max|ceil|side\*\*2|m \* k", "m + k"), {"halves-code"}, kinds=("code",)
    ),
    "no line of code": _in_one_half(_replacing(r"^    cycles.*\n", ""), {"halves-code"}, kinds=("code",)),
    "no code": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("code",)),
    "another formula": _in_one_half(
        _replacing(r"\\frac|\\min", r"\\max"), {"halves-formula"}, kinds=("formula",)
    ),
    "no formula": _in_one_half(lambda *_: "", {"halves-missing"}, kinds=("formula",)),
    "another sign": _in_one_half(_replacing(r"(?<=\$)([A-Z])\b|(?<= )-(?= 2\$)", "Z"), {"halves-formula"}),
    "another address": _in_one_half(_replacing(r"\]\((https?://[^)]*)\d\)", r"](\g<1>0)"), {"halves-link"}),
    "no link": _in_one_half(_replacing(r"\[([^\]^]+)\]\([^)]+\)", r"\1"), {"halves-link"}),
    "another article": _in_one_half(_replacing(r"\]\(/(talks|posts)/", r"](/\1/other-"), {"halves-link"}),
    "no mark of a note": _in_one_half(
        _replacing(r"\[\^\w+\](?!:)", ""), {"halves-note"}, kinds=("paragraph",)
    ),
    "another note": _in_one_half(_with_a_note, {"halves-note"}, kinds=("paragraph",)),
    "another reference": _in_one_half(
        _replacing(r"(\{ref\}`)fig-[\w-]+", r"\1fig-roofline"), {"halves-reference"}
    ),
    "no reference": _in_one_half(_replacing(r"\{ref\}`[^`]+`", "…"), {"halves-reference"}),
    "another value": _in_one_half(
        _replacing(rf"(?<=\.)({'|'.join(_SIBLINGS)})(?=[.\w ]*[|\\)])", lambda found: _SIBLINGS[found[1]]),
        {"halves-value"},
    ),
    "no value": _in_one_half(_replacing(r"\{eval\}`[^`]+`", "…"), {"halves-value"}),
    "another control": _in_one_half(_replacing(r"(\{control\}`\w+\.)\w+", r"\1m"), {"halves-value"}),
    "no control but a value": _in_one_half(_replacing(r"\{control\}", "{eval}"), {"halves-value"}),
    "the other chip": _the_other_name,
    "another chip": _in_one_half(
        _replacing(
            r"\b(H200|v6e|v5p|H100)\b(?![^`{]*`)", lambda found: "B100" if found[1] == "H200" else "v4"
        ),
        {"halves-name"},
    ),
    "another admonition": _in_one_half(
        _replacing(r"\A:::\{note\}", ":::{warning}"), {"halves-admonition"}, kinds=("admonition",)
    ),
}
