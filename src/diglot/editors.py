"""Addresses that open a line of a file in an editor: `vscode://file/…:42`."""

import re
from types import MappingProxyType

EDITORS = MappingProxyType(
    {
        "cursor": "cursor://file{path}:{line}:{column}",
        "idea": "idea://open?file={path}&line={line}&column={column}",
        "pycharm": "pycharm://open?file={path}&line={line}&column={column}",
        "sublime": "subl://open?url=file://{path}&line={line}&column={column}",
        "textmate": "txmt://open?url=file://{path}&line={line}&column={column}",
        "vscode": "vscode://file{path}:{line}:{column}",
        "vscode-insiders": "vscode-insiders://file{path}:{line}:{column}",
        "vscodium": "vscodium://file{path}:{line}:{column}",
        "zed": "zed://file{path}:{line}:{column}",
    }
)
"""URL template of each editor, with `{path}` (absolute, beginning with a slash), `{line}` and `{column}`."""

EDITOR_FIX = (
    f"use one of {', '.join(EDITORS)}, or write an address with {{path}} and {{line}}, as in "
    f'"{EDITORS["vscode"]}".'
)

_ADDRESS = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):[^\s<>\"'\\]*")
_RUNNING = {"javascript", "data", "vbscript", "blob", "about"}
"""Schemes that would run or show something in the page instead of opening an editor."""


def find_editor(text: str) -> str | None:
    """The URL template for an editor's name, or the text itself if it is a template; else None."""
    if text in EDITORS:
        return EDITORS[text]
    address = _ADDRESS.fullmatch(text)
    if address is None or address["scheme"] in _RUNNING or "{path}" not in text:
        return None
    return text
