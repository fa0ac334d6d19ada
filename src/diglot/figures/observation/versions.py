"""Versions of what figures are made with besides their scripts: part of the key of every figure."""

import sys
from importlib.util import find_spec
from pathlib import Path

from diglot.digests import digest_of
from diglot.installed import installed_as, version_of

LOADED = ("numpy", "matplotlib", "PIL", "fontTools", "jinja2", "yaml")
"""What workers have loaded before a script runs, so that its imports of them are not observed."""
_PACKAGE = Path(__file__).resolve().parents[1]


def versions() -> tuple[tuple[str, str], ...]:
    """Versions of Python and these libraries, and a digest of this package. Imports none of them."""
    found = [("python", ".".join(map(str, sys.version_info[:3])))]
    found += [(name, _version(name)) for name in LOADED]
    return (*found, ("figures", _own_digest()))


def _version(module: str) -> str:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return "none"
    folder = installed_as(module, Path(spec.origin).parent.parent)
    return version_of(folder) if folder is not None else "unknown"


def _own_digest() -> str:
    """Digest of this package's code and fonts, because a change of either may change any drawing."""
    files = sorted(
        [
            *_PACKAGE.rglob("*.py"),
            *_PACKAGE.rglob("*.ttf"),
            *(_PACKAGE.parent / "expressions").glob("*.py"),
            _PACKAGE.parent / "languages.py",
        ]
    )
    return digest_of("\n".join(f"{path.name} {digest_of(path.read_bytes())}" for path in files).encode())
