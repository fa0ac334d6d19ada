"""A build of any Markdown ends soon and in little memory, or reports where it is too much.

Each case is a half in both languages, parsed, paired and rendered to all of its pages, in a process of its
own with limits on time and memory. Ordinary test runs build some cases at part of their size;
`DIGLOT_HOSTILE=long` builds all at full size.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest

from tests.content.test_commonmark import EXAMPLES
from tests.hostile.conftest import Counted
from tests.hostile.markdown import GROUPS, Make
from tests.hostile.markdown_builds import Builder
from tests.hostile.profile import LONG, draws, tries

MOST_S = 5.0
MOST_BYTES = 500_000_000
_SHARE = 1 if LONG else 8
_LANGUAGES = ("python", "c", "javascript", "html", "bash", "yaml", "json", "css", "tex", "rust")


class Case(NamedTuple):
    name: str
    text: str


def all_cases() -> list[tuple[str, int, Make]]:
    return [
        (f"{group}: {name}", size, make)
        for group, cases in GROUPS.items()
        for name, (size, make) in cases.items()
    ]


def drawn_cases() -> Iterable[Case]:
    """All cases at full size, or one of each group, chosen by the seed, at part of it."""
    cases = all_cases()
    if not LONG:
        chance = draws("markdown")
        cases = [
            chance.choice([case for case in cases if case[0].startswith(f"{group}: ")]) for group in GROUPS
        ]
    return (Case(name, make(max(2, size // _SHARE))) for name, size, make in cases)


# Texts mixed from the other cases


def mixed(source: random.Random, pieces: int) -> str:
    """Pieces of random cases, each repeated a few times, some with separators."""
    makes = [make for _, _, make in all_cases()]
    text = []
    for _ in range(pieces):
        piece = source.choice(makes)(source.randrange(1, 8))[:4000]
        prefix = source.choice(["", "", "", "> ", "- ", "1. ", "    ", "[^1]: ", ": ", "|"])
        text.append(prefix + piece * source.choice([1, 1, 1, 3, 40]))
        text.append(source.choice(["", " ", "\n", "\n", "\n\n", "\n\n"]))
    return "".join(text)[:400_000]


def glued(source: random.Random, pieces: int) -> str:
    """Random examples from CommonMark's specification, one after another."""
    examples = [source.choice(EXAMPLES)["markdown"] for _ in range(pieces)]
    return source.choice(["\n", "", "\n\n"]).join(examples)


@pytest.fixture(scope="module")
def builder() -> Iterator[Builder]:
    """Starts the process that builds, which is small however much this one has loaded."""
    process = Builder()
    yield process
    process.close()


def complaint(told: dict[str, Any], most_s: float = MOST_S) -> str:
    """Describe what a build did wrong; empty if nothing."""
    if "ended" in told:
        return f"ended: {told['ended']}"
    if told["took_s"] > most_s:
        return f"took {told['took_s']:.1f} s"
    if told["peak_bytes"] > MOST_BYTES:
        return f"took {told['peak_bytes'] // 10**6} MB"
    if not told["published"] and not all(told["errors"] or [""]):
        return "nothing is published, and no place is named"
    if told["characters"] > 2_000_000:
        return f"says {told['characters']:,} characters"
    return ""


@pytest.mark.timeout(0)
def test_markdown_takes_seconds_or_is_refused_where_it_stands(tally: Counted, builder: Builder) -> None:
    count = tally("markdown")
    for name, text in drawn_cases():
        count.tried += 1
        if told := complaint(builder.build(text)):
            count.through.append(f"{name}: {told}")


@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", ["mixed", "glued"])
def test_markdown_of_everything_takes_seconds_or_is_refused(
    kind: str, tally: Counted, builder: Builder
) -> None:
    count = tally("markdown")
    source = draws(f"markdown {kind}")
    make: Callable[[random.Random, int], str] = mixed if kind == "mixed" else glued
    for number in range(tries(3, long=200)):
        text = make(source, source.randrange(5, 60))
        count.tried += 1
        if told := complaint(builder.build(text)):
            count.through.append(f"{kind} {number}: {told}\n{text[:300]!r}")


@pytest.mark.timeout(0)
def test_copies_of_a_build_take_no_harm_either(tally: Counted, builder: Builder) -> None:
    """With many articles, forked workers parse them, with the stack that they have."""
    count = tally("markdown")
    texts = [
        "$" + "{" * 4900 + "$",
        "$$" + r"\sum_{" * 600 + "a" + "}" * 600 + "$$",
        "> - " * 3000 + "a",
        "[" * 20_000 + "a" + "]" * 20_000,
    ]
    for text in texts[: tries(1, long=4)]:
        count.tried += 1
        if told := complaint(builder.build(text, jobs=2, articles=24), most_s=4 * MOST_S):
            count.through.append(f"{text[:20]!r}: {told}")


def code_cases() -> Iterable[tuple[str, str]]:
    """Nonsense code in many languages."""
    from pygments.lexers import get_all_lexers

    languages = [aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) if aliases]
    pieces = ["a", '"', "'", "(", "[", "{", "<", "/", "\\", "a ", '"\\', "<a ", "${", "a.", "1", " ", "\t"]
    pieces += ["a=", "(*", "`", "a'", "::", "{{", "$", '\\\\"', "0x", "é", "中", "[[", "/**\n", '"\n', "{\n"]
    chosen = languages if LONG else draws("markdown code").sample(languages, 4)
    for language in chosen:
        for piece in draws(f"markdown {language}").sample(pieces, 3):
            line = piece * (1990 // len(piece))
            yield language, f"```{language}\n{(line + chr(10)) * 10}\n```\n"


@pytest.mark.timeout(0)
def test_code_of_any_language_is_highlighted_soon_or_shown_plain(tally: Counted, builder: Builder) -> None:
    count = tally("markdown")
    for language, text in code_cases():
        count.tried += 1
        if told := complaint(builder.build(text)):
            count.through.append(f"{language}: {told}\n{text[:80]!r}")
