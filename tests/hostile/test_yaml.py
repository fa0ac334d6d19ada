"""Mistakes in YAML and configuration are reported with their place, in bounded time and memory."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diglot.content.front_matter import parse_front_matter
from diglot.content.records import SharedText
from diglot.diagnostics import DiagnosticError
from diglot.project import load_project
from diglot.render.strings import Strings, parse_strings
from diglot.strict_yaml import MOST_MISTAKES, read_mapping
from tests.hostile.conftest import Counted
from tests.hostile.profile import draws, tries
from tests.hostile.yaml_texts import NESTED_KEYS, PAGE_KEYS, SITE_KEYS, TEXTS, VALUES
from tests.space import Space, errors

SPACE_BYTES = 1 << 30
MOST_S = 3.0
MOST_CHARACTERS = 2_000
"""Maximum length of a diagnostic, which people read in a terminal."""

SITE = "title: Site\nbase_url: https://example.org/\n"
MATTER = "title: A\ndate: 2026-11-01\n"


def in_half(text: str) -> object:
    return parse_front_matter(f"---\n{text}\n---\n\nText.\n", "en.md", "en")


def in_shared(text: str) -> object:
    return parse_front_matter(
        f"---\n{MATTER}---\n\nText.\n", "en.md", "en", SharedText(path="meta.yaml", text=text)
    )


READERS: dict[str, Callable[[str], object]] = {
    "mapping": lambda text: read_mapping(text, "site.yaml"),
    "site": lambda text: load_project(text, "site.yaml"),
    "half": in_half,
    "meta": in_shared,
    "words": lambda text: parse_strings(text, "zh.yaml", "zh"),
}


def trouble(read: Callable[[str], object], text: str) -> str | None:
    """Report what is wrong with the reading of a text; None if it gives a value or proper diagnostics."""
    since = time.thread_time()
    try:
        read(text)
    except DiagnosticError as error:
        if len(error.diagnostics) > 2 * MOST_MISTAKES + 10:
            return f"{len(error.diagnostics)} diagnostics"
        lines = text.count("\n") + text.count("\r") + 3
        for one in error.diagnostics:
            if len(str(one)) > MOST_CHARACTERS:
                return f"a diagnostic of {len(str(one))} characters: {str(one)[:200]}"
            if one.location is None or not 1 <= (one.location.line or 0) <= lines:
                return f"no place: {one}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    took_s = time.thread_time() - since
    return f"took {took_s:.1f} s" if took_s > MOST_S else None


def hostile_texts(rounds: int) -> Iterator[tuple[str, str]]:
    draw = draws("yaml texts")
    for _ in range(rounds):
        for name, make in TEXTS.items():
            yield name, make(draw)


def read_all(rounds: int, readers: int) -> None:
    """Read all texts and print each case before and after, because a text might end the process."""
    draw = draws("yaml readers")
    for name, text in hostile_texts(rounds):
        for reader, read in draw.sample(list(READERS.items()), readers):
            print(json.dumps([f"{name}, as {reader}", None]), flush=True)
            print(json.dumps([f"{name}, as {reader}", trouble(read, text) or ""]), flush=True)


@pytest.mark.timeout(3000)
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS knows no limit of a process's address space")
def test_hostile_texts_are_told_of(tally: Counted) -> None:
    count = tally("yaml")
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from tests.hostile.test_yaml import read_all\nread_all({tries(1, long=2)}, {tries(1, long=5)})",
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=tries(120, long=2400),
        cwd=Path(__file__).parents[2],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SPACE_BYTES, SPACE_BYTES)),
    )
    told = [json.loads(line) for line in run.stdout.splitlines()]
    count.tried = len(told) // 2
    count.through += [f"{name}: {what}" for name, what in told if what]
    if run.returncode:
        count.through.append(f"{told[-1][0] if told else ''} ended the process: {run.stderr[-500:]}")


@pytest.mark.parametrize("path", ["site.yaml", "en.md", "meta.yaml", "zh.yaml"])
def test_any_value_may_stand_behind_any_key(tally: Counted, path: str) -> None:
    count = tally("yaml")
    read, start, keys = {
        "site.yaml": (READERS["site"], SITE, (*(f"{key}: VALUE" for key in SITE_KEYS), *NESTED_KEYS)),
        "en.md": (in_half, MATTER, tuple(f"{key}: VALUE" for key in PAGE_KEYS)),
        "meta.yaml": (in_shared, "", tuple(f"{key}: VALUE" for key in PAGE_KEYS)),
        "zh.yaml": (READERS["words"], "home: x\n", ("about: VALUE", "home_one: VALUE", "VALUE: x")),
    }[path]
    draw = draws(f"yaml values {path}")
    pairs = [(key, value) for key in keys for value in VALUES]
    for key, value in draw.sample(pairs, min(len(pairs), tries(350, long=10**6))):
        line = key.replace("VALUE", value)
        kept = "".join(
            f"{one}\n" for one in start.splitlines() if one.partition(":")[0] != line.partition(":")[0]
        )
        for text in (f"{kept}{line}\n", f"{line}\n{start}"):
            count.tried += 1
            if (what := trouble(read, text)) is not None:
                count.through.append(f"{path}: {line[:100]}: {what}")


def accepted(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except DiagnosticError:
        return False
    return True


@pytest.mark.timeout(3000)
def test_what_is_accepted_can_be_built(tally: Counted, tmp_path: Path) -> None:
    """Builds sites with values that the readers accept."""
    count, draw = tally("yaml"), draws("yaml builds")
    sites = [f"{key}: VALUE" for key in SITE_KEYS[:12]] + list(NESTED_KEYS)
    pages = [f"{key}: VALUE" for key in PAGE_KEYS[:11]]
    cases = [("site", key.replace("VALUE", value)) for key in sites for value in VALUES]
    cases += [("page", key.replace("VALUE", value)) for key in pages for value in VALUES]
    draw.shuffle(cases)
    left = tries(3, long=60)
    for where, line in cases:
        start = SITE if where == "site" else MATTER
        kept = "".join(
            f"{one}\n" for one in start.splitlines() if one.partition(":")[0] != line.partition(":")[0]
        )
        if not left:
            break
        if line.startswith("only:") or not accepted(
            READERS["site"] if where == "site" else in_half, kept + line
        ):
            continue
        left -= 1
        count.tried += 1
        space = Space(tmp_path / f"{left}")
        space.write(
            "site/site.yaml", f"{kept if where == 'site' else SITE}{line if where == 'site' else ''}\n"
        )
        matter = f"{kept}{line}" if where == "page" else MATTER
        for language in ("zh", "en"):
            space.write(f"content/posts/a/{language}.md", f"---\n{matter}\n---\n\nText.\n")
        try:
            found = errors(space.build(drafts=True, future=True))
        except Exception as error:
            count.through.append(f"{line[:100]}: {type(error).__name__}: {error}")
            continue
        count.through += [f"{line[:100]}: {one}" for one in found if one.rule == "internal-error"]


@pytest.mark.parametrize(
    "content", [b"title: \xff", b"\xff\xfet\x00i\x00", b"title: \xed\xa0\x80", b"\x00" * 1000]
)
@pytest.mark.parametrize("path", ["site/site.yaml", "content/posts/a/en.md", "content/posts/a/meta.yaml"])
def test_bytes_that_are_no_text_are_told_of(space: Space, path: str, content: bytes) -> None:
    if os.environ.get("DIGLOT_HOSTILE") != "long" and content != b"title: \xff":
        pytest.skip("in the long profile")
    space.post("a", zh="好。", en="Good.")
    space.write(path, content)
    (told, *_) = errors(space.build())
    rules = ("file-encoding", "yaml-syntax", "front-matter-missing", "character-forbidden")
    assert told.rule in rules
    assert told.location is not None
    assert told.location.path == path


def test_a_missing_word_of_the_interface_is_told_of(space: Space, tally: Counted) -> None:
    """Removes each interface string in turn; pages, templates and Python use them."""
    count, draw = tally("yaml"), draws("yaml words")
    folder = Path(__file__).parents[2] / "templates/strings"
    lines = (folder / "zh.yaml").read_text("utf-8").splitlines(keepends=True)
    space.post("a", zh="## 节 {#x}\n\n见{ref}`x`。", en="## S {#x}\n\nSee {ref}`x`.")
    places = [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    with space.site() as site:
        for n in draw.sample(places, min(len(places), tries(2, long=999))):
            space.write("templates/strings/zh.yaml", "".join(lines[:n] + lines[n + 1 :]))
            count.tried += 1
            key = lines[n].partition(":")[0]
            for one in site.build().diagnostics:
                if one.rule == "internal-error" or (one.severity == "error" and key not in one.message):
                    count.through.append(f"without {key}: {one}")


@pytest.mark.parametrize(
    "word",
    [
        *(
            "'{n:>999999999}'",
            "'{n.__class__}'",
            "'{n!r}'",
            "'{0}'",
            "'{}'",
            "'{'",
            "'}'",
            "'{n'",
            "'{m}'",
            "'{n[0]}'",
        ),
        *("'{n:{n}}'", "'{{n}'"),
    ],
)
def test_a_word_is_filled_with_what_it_is_given_or_told_of(word: str) -> None:
    try:
        words = parse_strings(f"w: {word}\n", "templates/strings/zh.yaml", "zh")
        words("w", n=2)
    except DiagnosticError as error:
        (told,) = error.diagnostics
        assert told.fix
        assert told.location is not None
    else:
        pytest.fail(f"{word} was taken")


def test_a_word_without_values_may_hold_braces() -> None:
    assert Strings(language="zh", words={"w": "{"})("w") == "{"
