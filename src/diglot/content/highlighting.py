"""Highlights code as HTML with Pygments' short classes; one style sheet serves light and dark.

Colours are reserved for data: keywords are bold, comments are soft, deleted and inserted lines are struck
through and underlined. The soft colour is a variable of the theme, so dark needs no second sheet.
"""

import functools
import time
from html import escape
from typing import Any

from diglot.content.fast import quick_lexer
from diglot.content.limits import LONGEST_CODE, LONGEST_CODE_LINE, LONGEST_HIGHLIGHTING_S
from diglot.content.mistakes import TooMuch

_LOOKED_EVERY = 63
"""Bit mask of the token count: the clock is read at every 64th token."""
_ENDLESS = frozenset({"mcschema"})
"""Languages with a regular expression of exponential time, which nothing can interrupt."""


@functools.lru_cache(maxsize=64)
def _lexer(language: str) -> Any:
    from pygments.lexers import find_lexer_class_by_name  # noqa: PLC0415  (only articles with code need it)
    from pygments.util import ClassNotFound  # noqa: PLC0415  (only articles with code need it)

    # Names are checked first: for an unknown one, Pygments searches all installed plugins each time.
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
    """All names of Pygments' built-in lexers."""
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  (only articles with code need it)

    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


@functools.cache
def _names_in_plugins() -> frozenset[str]:
    from pygments.plugin import find_plugin_lexers  # noqa: PLC0415  (only articles with code need it)

    return frozenset(alias.lower() for lexer in find_plugin_lexers() for alias in lexer.aliases)


def is_too_long(code: str) -> bool:
    """Whether code is too long to be highlighted, in any language."""
    if len(code) <= LONGEST_CODE_LINE:
        return False
    return len(code) > LONGEST_CODE or max(map(len, code.split("\n"))) > LONGEST_CODE_LINE


COMMON_LANGUAGES = (
    *(
        "bash",
        "console",
        "cpp",
        "csharp",
        "css",
        "cuda",
        "diff",
        "docker",
        "fortran",
        "go",
        "haskell",
        "html",
    ),
    *(
        "ini",
        "java",
        "javascript",
        "json",
        "julia",
        "kotlin",
        "latex",
        "lua",
        "makefile",
        "markdown",
        "matlab",
    ),
    *(
        "mermaid",
        "nix",
        "perl",
        "php",
        "powershell",
        "python",
        "ruby",
        "rust",
        "scala",
        "shell",
        "sql",
        "swift",
    ),
    *("text", "toml", "typescript", "verilog", "vhdl", "xml", "yaml", "zig"),
)
"""Names that a misspelt one may be meant as; Pygments has 1,000, most of them nobody's."""


def known_language(language: str) -> bool:
    """Whether Pygments knows a language; true for `text` and its synonyms, which are shown plain."""
    return language in ("text", "plain", "txt") or _lexer(language) is not None


@functools.lru_cache(maxsize=1024)
def highlighted(code: str, language: str) -> str:
    """Code as escaped HTML; without markup for a language that Pygments does not know.

    Raises TooMuch where highlighting takes too long.
    """
    return "".join([_span(text, name) for name, text in pieces_of_code(code, language)])


def without_comments(code: str, language: str) -> str:
    """Code without its comments, where Pygments knows the language."""
    return "".join(text for name, text in pieces_of_code(code, language) if name not in _OF_COMMENTS)


_OF_COMMENTS = frozenset(("c", "c1", "cm", "ch", "cs", "sd"))


def pieces_of_code(code: str, language: str) -> list[tuple[str, str]]:
    """Code in pieces, each with its class; all of it without one where Pygments does not know the language.

    Raises TooMuch where that takes too long.
    """
    lexer = _lexer(language) if language not in ("", "text", "plain", "txt") else None
    if lexer is None or is_too_long(code):
        return [("", code)]
    classes = _CLASSES
    pieces: list[tuple[str, str]] = []
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
            pieces.append((run_class, run))
        run, run_class = text, name
    pieces.append((run_class, run))
    return pieces


def _span(run: str, name: str) -> str:
    if "&" in run or "<" in run or ">" in run:
        run = escape(run, quote=False)
    return f'<span class="{name}">{run}</span>' if name and run else run


class _Classes(dict[Any, str]):
    """Short class of each token type; empty where the token is shown plain."""

    def __missing__(self, kind: Any) -> str:
        name = self[kind] = _class_of(kind)
        return name


_CLASSES = _Classes()


def _class_of(kind: Any) -> str:
    """The short class of a token type; empty where the token is shown plain."""
    from pygments.token import STANDARD_TYPES, Token  # noqa: PLC0415  (only articles with code need it)

    # A lexer error is shown plain: the author may have meant it, as an ellipsis.
    if kind in Token.Error or kind in Token.Text:
        return ""
    while (short := STANDARD_TYPES.get(kind)) is None:
        kind = kind.parent
    return short if short not in ("n", "p") else ""


def stylesheet() -> str:
    """CSS of the classes; `--soft` is the theme's colour for secondary text."""
    from pygments.token import STANDARD_TYPES, Comment, Generic, Keyword, Operator  # noqa: PLC0415  (only articles with code need it)

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
