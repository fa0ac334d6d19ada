"""Names that other tools give to things, and what to write instead of them here: `foreign_names.yaml`."""

import re
from functools import cache
from pathlib import Path

import msgspec

_TAG = re.compile(r"\{(\{[<%]|%-?|\{)\s*/?\s*([A-Za-z_][\w.]*)")
ANY_TAG = "write the text, Markdown or HTML itself; to show the braces, put them into `code`."


class _Advice(msgspec.Struct, frozen=True, kw_only=True):
    names: tuple[str, ...]
    fix: str


class _ForeignNames(msgspec.Struct, frozen=True, kw_only=True):
    keys: tuple[_Advice, ...]
    tags: tuple[_Advice, ...]
    variables: tuple[_Advice, ...]
    commands: tuple[_Advice, ...]
    shortcodes: tuple[_Advice, ...]
    environments: frozenset[str]
    emoji: dict[str, str]


@cache  # most articles have nothing foreign, so that it is read when one does
def _known() -> _ForeignNames:
    return msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=_ForeignNames)


def _fix(advice: tuple[_Advice, ...], name: str) -> str | None:
    return next((one.fix for one in advice if name in one.names), None)


def fix_of_key(key: str) -> str | None:
    """What to do about a key of front matter; None if no tool is known that has it."""
    return _fix(_known().keys, key)


def fix_of_tag(tag: str) -> str:
    """What to write instead of a tag: `{{< figure … >}}`, `{% include … %}`, `{{ site.url }}`."""
    found = _TAG.match(tag)
    if found is None:
        return ANY_TAG
    return _fix(_known().variables if found.group(1) == "{" else _known().tags, found.group(2)) or ANY_TAG


def fix_of_command(name: str) -> str | None:
    """What to write instead of a command of LaTeX: `\\cite{…}`, `\\textbf{…}`; None if it is not known."""
    return _fix(_known().commands, name)


def fix_of_shortcode(name: str) -> str:
    """What to write instead of words in brackets: `[b]…[/b]`, `[gallery]`."""
    return _fix(_known().shortcodes, name) or "write the text, Markdown or HTML itself."


def is_environment(name: str) -> bool:
    """Whether an environment of LaTeX has this name."""
    return name in _known().environments


def emoji_named(name: str) -> str | None:
    """The emoji with a name, as in `:rocket:`; None if there is none."""
    return _known().emoji.get(name)
