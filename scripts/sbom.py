"""The bill of materials of the wheel: what of others is in it, as CycloneDX in `.dist-info/sboms/` (PEP 770).

Hatchling runs this when it builds a wheel. All that is not diglot's own are fonts, which `make_fonts.py`
makes from published packages; what diglot needs at run time is listed with its bounds, and is not in it.
"""

import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "diglot.cdx.json"
_PLACES = {"src/diglot": "diglot", "templates": "diglot/theme"}
"""Folders of the checkout, and where the wheel has them."""
_SUFFIXES = (".ttf", ".otf", ".woff", ".woff2")
_OFL = "OFL-1.1"


class BundledFont(NamedTuple):
    """A font of which the wheel has subsets."""

    name: str
    version: str
    """As the font itself says it."""
    licence_file: str
    package: str
    """The npm package that it was made from, as a package URL."""
    sha256: str
    """Of that package."""
    families: tuple[str, ...]
    """What the names of its subsets begin with."""


_EXPO, _FONTSOURCE = "pkg:npm/%40expo-google-fonts", "pkg:npm/%40fontsource"
FONTS = (
    BundledFont(
        "Noto Sans SC",
        "2.004",
        "OFL-noto-sans-sc.txt",
        f"{_EXPO}/noto-sans-sc@0.4.3",
        "0d69d0f4971d2ff574e3d93cbc218dc950bf3f3f8f8e2c008d97687ed53aee59",
        ("DiglotSansSC", "DiglotSansHant", "diglot-sans-sc", "diglot-sans-hant"),
    ),
    BundledFont(
        "Source Sans 3",
        "3.052",
        "OFL-source-sans-3.txt",
        f"{_EXPO}/source-sans-3@0.4.1",
        "eb41834f563921e19b18b40bc924b97110983aef800d9cb67b9186f546311828",
        ("DiglotSans-", "diglot-sans-400", "diglot-sans-600"),
    ),
    BundledFont(
        "Source Serif 4",
        "4.004",
        "OFL-source-serif-4.txt",
        f"{_EXPO}/source-serif-4@0.4.1",
        "84f0b412fbc9b0b666d6fe04620b2cd2e54bfd49ca61fe0663a9e5beb30afcc4",
        ("diglot-serif",),
    ),
    BundledFont(
        "STIX Two Math",
        "2.12",
        "OFL-stix-two-math.txt",
        f"{_FONTSOURCE}/stix-two-math@5.3.0",
        "948de1b5470fbbd745fedbe6135797454fe833d94feecc6f2073cd771fe2f5fd",
        ("diglot-math",),
    ),
)


def bill_of_materials(
    root: Path, *, version: str, dependencies: Iterable[str], fonts: Iterable[BundledFont] = FONTS
) -> dict[str, Any]:
    """The bill as CycloneDX 1.6. The same sources give the same bill.

    Raises ValueError for a file of a font that belongs to none of `fonts`.
    """
    files = dict(_font_files(root))
    fonts = tuple(fonts)
    required = [_dependency(text) for text in sorted(dependencies, key=str.lower)]
    own = f"pkg:pypi/diglot@{version}"
    bundled = [_font(font, files) for font in fonts]
    if unknown := [name for name in files if not any(_is_of(name, font) for font in fonts)]:
        raise ValueError(f"no font of scripts/sbom.py has {', '.join(unknown)}")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "diglot",
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [*bundled, *required],
        "dependencies": [{"ref": own, "dependsOn": [one["bom-ref"] for one in (*bundled, *required)]}],
    }


def _font_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """The files of fonts, by their paths in the wheel."""
    for folder, place in _PLACES.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in _SUFFIXES:
                yield f"{place}/{path.relative_to(root / folder).as_posix()}", path.read_bytes()


def _is_of(path: str, font: BundledFont) -> bool:
    return path.rpartition("/")[2].startswith(font.families)


def _font(font: BundledFont, files: Mapping[str, bytes]) -> dict[str, Any]:
    return {
        "type": "data",
        "bom-ref": font.package,
        "name": font.name,
        "version": font.version,
        "description": f"Renamed subsets; the text of the licence is in {font.licence_file}.",
        "purl": font.package,
        "hashes": [{"alg": "SHA-256", "content": font.sha256}],
        "licenses": [{"license": {"id": _OFL}}],
        "components": [
            {
                "type": "file",
                "bom-ref": path,
                "name": path,
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
            }
            for path, content in files.items()
            if _is_of(path, font)
        ],
    }


def _dependency(requirement: str) -> dict[str, Any]:
    """A library that an installer brings: `numpy>=1.26`."""
    found = re.match(r"[\w.-]+", requirement)
    name = re.sub(r"[-_.]+", "-", found[0] if found else requirement).lower()
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}",
        "name": name,
        "purl": f"pkg:pypi/{name}",
        "scope": "required",
        "properties": [{"name": "diglot:requirement", "value": requirement}],
    }


class SbomHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the bill into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the bill before the wheel is made."""
        self._folder = tempfile.TemporaryDirectory()
        bill = bill_of_materials(
            Path(self.root),
            version=self.metadata.version,
            dependencies=self.metadata.core.dependencies,
        )
        path = Path(self._folder.name) / NAME
        path.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", "utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what is in the wheel now."""
        self._folder.cleanup()
