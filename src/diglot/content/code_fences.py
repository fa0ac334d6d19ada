"""Fences of code as MyST has them: `{code-block} python` with options in the lines below it."""

import re

from markdown_it.rules_core import StateCore

_DIRECTIVE = re.compile(r"\{(?:code-block|code|sourcecode)\}[ \t]*(\S*)[ \t]*$")
_OPTION = re.compile(r":([a-z-]+):[ \t]*(.*)$")
_TITLES = ("caption", "filename")
_IGNORED = ("force", "dedent", "class")


def code_directives(state: StateCore) -> None:
    """Core rule between `block` and `inline`: writes options of MyST into the info string, as ours are."""
    if "{code" not in state.src and "{sourcecode" not in state.src:
        return
    for token in state.tokens:
        if token.type != "fence" or (found := _DIRECTIVE.match(token.info.strip())) is None:
            continue
        lines, words = token.content.split("\n"), [found[1] or "text"]
        while lines and (option := _OPTION.fullmatch(lines[0].strip())) is not None:
            name, value = option[1], option[2].strip()
            if name in ("name", "label"):
                token.attrs["id"] = value
            elif name not in _IGNORED:
                words.append(_as_ours(name, value))
            del lines[0]
        token.info, token.content = " ".join(filter(None, words)), "\n".join(lines)


def _as_ours(name: str, value: str) -> str:
    if name in _TITLES:
        return f'title="{value}"'
    if name == "emphasize-lines":
        return f"{{{value}}}"
    if name == "lineno-start":
        return f"linenums={value}"
    return "linenums" if name in ("linenos", "number-lines") else name
