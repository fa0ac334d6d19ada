"""Code as HTML with Pygments' short classes, and their one style sheet for light and dark.

Hues belong to data: keywords are heavier, comments fade, nothing else is told apart. Both are the theme's
variables, so dark needs no second sheet.
"""

import functools
import time
from html import escape
from typing import Any

from diglot.content.fast import quick_lexer
from diglot.content.limits import LONGEST_CODE, LONGEST_CODE_LINE, LONGEST_HIGHLIGHTING_S
from diglot.content.mistakes import TooMuch

_LOOKED_EVERY = 63
"""Of so many tokens and one more, the first looks at the clock."""
_ENDLESS = frozenset({"mcschema"})
"""Languages with an expression that takes twice as long for each character: nothing can end it."""


@functools.lru_cache(maxsize=64)
def _lexer(language: str) -> Any:
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    # To ask for what is not there takes a look through all that is installed, each time.
    if language.lower() in _ENDLESS:
        return None
    if language.lower() not in _names() and language.lower() not in _names_in_plugins():
        return None
    try:
        return quick_lexer(find_lexer_class_by_name(language))(stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@functools.cache
def _names() -> frozenset[str]:
    """What Pygments' own lexers are called."""
    from pygments.lexers import get_all_lexers

    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


@functools.cache
def _names_in_plugins() -> frozenset[str]:
    from pygments.plugin import find_plugin_lexers

    return frozenset(alias.lower() for lexer in find_plugin_lexers() for alias in lexer.aliases)


def is_too_long(code: str) -> bool:
    """Whether code is shown plain, in whatever language."""
    if len(code) <= LONGEST_CODE_LINE:
        return False
    return len(code) > LONGEST_CODE or max(map(len, code.split("\n"))) > LONGEST_CODE_LINE


def known_language(language: str) -> bool:
    """Whether code in a language can be highlighted; `text` can, as it stands."""
    return language in ("text", "plain", "txt") or _lexer(language) is not None


@functools.lru_cache(maxsize=1024)
def highlighted(code: str, language: str) -> str:
    """HTML of code, escaped; plain for a language that Pygments does not know. Raises TooMuch."""
    lexer = _lexer(language) if language not in ("", "text", "plain", "txt") else None
    if lexer is None or is_too_long(code):
        return escape(code, quote=False)
    classes = _CLASSES
    out: list[str] = []
    run, run_class = "", ""
    began_s = time.thread_time()
    for count, (kind, text) in enumerate(lexer.get_tokens(code)):
        if count & _LOOKED_EVERY == 0 and time.thread_time() - began_s > LONGEST_HIGHLIGHTING_S:
            raise TooMuch(
                "code-tangled",
                f'highlighting this code as "{language}" takes more than {LONGEST_HIGHLIGHTING_S:g} s',
                "show a part of it, or fence it as `text`.",
            )
        name = classes[kind]
        if name == run_class:
            run += text
            continue
        if run:
            out.append(_span(run, run_class))
        run, run_class = text, name
    out.append(_span(run, run_class))
    return "".join(out)


def _span(run: str, name: str) -> str:
    if "&" in run or "<" in run or ">" in run:
        run = escape(run, quote=False)
    return f'<span class="{name}">{run}</span>' if name and run else run


class _Classes(dict[Any, str]):
    """By a token's type, its short class: empty for what is shown plain."""

    def __missing__(self, kind: Any) -> str:
        name = self[kind] = _class_of(kind)
        return name


_CLASSES = _Classes()


def _class_of(kind: Any) -> str:
    """The short class of a token's type, empty for what is shown plain."""
    from pygments.token import STANDARD_TYPES, Token

    # What the lexer stumbles over is shown plain: it may be an ellipsis the author meant.
    if kind in Token.Error or kind in Token.Text:
        return ""
    while (short := STANDARD_TYPES.get(kind)) is None:
        kind = kind.parent
    return short if short not in ("n", "p") else ""


def stylesheet() -> str:
    """CSS of the classes; `--soft` is the theme's colour for what stands back."""
    from pygments.token import STANDARD_TYPES, Comment, Generic, Keyword, Operator

    def selector(*kinds: Any) -> str:
        names = sorted(
            short for kind, short in STANDARD_TYPES.items() if short and any(kind in k for k in kinds)
        )
        return ",".join(f"pre .{name}" for name in names)

    return (
        f"{selector(Keyword, Operator.Word, Generic.Heading, Generic.Strong)}{{font-weight:600}}\n"
        f"{selector(Comment, Generic.Output, Generic.Prompt)}{{color:var(--soft)}}\n"
        f"{selector(Generic.Deleted)}{{text-decoration:line-through}}\n"
        f"{selector(Generic.Inserted)}{{text-decoration:underline}}\n"
    )
