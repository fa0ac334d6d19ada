"""What draws figures besides their scripts: part of the key of every figure."""

import sys
from importlib.util import find_spec
from pathlib import Path

from diglot.digests import digest_of

DRAWN_WITH = ("numpy", "matplotlib", "pillow", "fonttools")
_IMPORTED_AS = {"pillow": "PIL", "fonttools": "fontTools"}
_PACKAGE = Path(__file__).resolve().parent


def versions() -> tuple[tuple[str, str], ...]:
    """Python, the libraries that draw, and a digest of this package and its faces; imports none of them."""
    found = [("python", ".".join(map(str, sys.version_info[:3])))]
    found += [(name, _version(name)) for name in DRAWN_WITH]
    return (*found, ("figures", _own_digest()))


def _version(name: str) -> str:
    """By the folder that says what was installed: importlib.metadata would take 40 ms to load."""
    spec = find_spec(_IMPORTED_AS.get(name, name))
    if spec is None or spec.origin is None:
        return "none"
    beside = Path(spec.origin).parent.parent
    for folder in sorted(beside.glob("*.dist-info")):
        distribution, _, version = folder.name.removesuffix(".dist-info").partition("-")
        if distribution.lower() == name:
            return version
    return "unknown"


def _own_digest() -> str:
    """Of the code and the faces: a change of either may change any drawing."""
    files = sorted([*_PACKAGE.glob("*.py"), *_PACKAGE.glob("fonts/*.ttf"), _PACKAGE.parent / "languages.py"])
    return digest_of("\n".join(f"{path.name} {digest_of(path.read_bytes())}" for path in files).encode())
