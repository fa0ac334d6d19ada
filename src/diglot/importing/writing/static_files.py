"""Files that the old site published unchanged and that no article shows."""

import posixpath

from diglot.importing.records import Findings, SourceSite
from diglot.importing.words import words
from diglot.output_paths import PathFault, check_path, find_clashes

_OF_THEMES = words("endings of themes")
_GENERATED = words("generated files")
_RENAME = "rename it and copy it to site/static/."


def static_files(site: SourceSite, used: set[str], taken: list[str], findings: Findings) -> dict[str, str]:
    """Paths in `site/static/` with their files in the source; reports what is not copied.

    Leaves out style sheets, scripts and fonts, which belong to the old theme.
    """
    found: dict[str, str] = {}
    left: list[str] = []
    for address, source in sorted(site.statics.items()):
        path = address.lstrip("/")
        if source in used:
            continue
        if posixpath.splitext(path)[1].lower() in _OF_THEMES or path.lower() in _GENERATED:
            left.append(source)
            continue
        try:
            check_path(path)
        except PathFault as fault:
            findings.tell(source, f"this file is not copied: its path {fault}", _RENAME)
            continue
        if path.lower().startswith(("zh/", "en/")) and any(find_clashes([*taken, path])):
            findings.tell(source, "this file is not copied: a page has its address", _RENAME)
            continue
        found[f"site/static/{path}"] = source
    if left:
        message = f"{len(left)} style sheets, scripts and data files like this one are not copied"
        findings.tell(left[0], message, "copy what readers download to site/static/.")
    return found
