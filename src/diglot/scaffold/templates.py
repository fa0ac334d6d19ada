"""Reads the files in `templates/` and fills them in."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from diglot.diagnostics import DiagnosticError
from diglot.digests import BYTECODE
from diglot.invariants import require
from diglot.scaffold.files import NewFile
from diglot.strict_yaml import read_mapping

FOLDER = Path(__file__).with_name("templates")
_NAME = re.compile(r"@([A-Z_]+)@")


def read_template(path: str, names: Mapping[str, str] | None = None) -> str:
    """The text of a template, with each `@NAME@` replaced by the text for that name."""
    text = (FOLDER / path).read_text("utf-8")
    return _NAME.sub(lambda found: names[found[1]] if names else found[0], text)


def templates_in(folder: str, names: Mapping[str, str]) -> Iterator[NewFile]:
    """The templates below a folder, filled in, by path."""
    below = (FOLDER / folder).rglob("*")
    # In an installed diglot, pip has compiled the figures among them.
    found = sorted(path for path in below if path.is_file() and BYTECODE not in path.parts)
    require(bool(found), "the templates are installed with diglot")
    for path in found:
        inside = path.relative_to(FOLDER / folder).as_posix()
        yield NewFile(path=inside, text=read_template(f"{folder}/{inside}", names))


def yaml_text(text: str) -> str:
    """A text as a YAML value that is valid anywhere, also in `{zh: …, en: …}`; quoted if necessary."""
    try:
        found = read_mapping(f"key: {{inner: {text}, last: x}}", "").values
    except DiagnosticError:
        found = {}
    if found == {"key": {"inner": text, "last": "x"}} and not text.startswith("@"):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
