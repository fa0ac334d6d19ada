"""Files that the old site published unchanged and that no article shows."""

import posixpath

from diglot.importing.records import Findings, SourceSite
from diglot.importing.words import words
from diglot.output_paths import PathFault, check_path, find_clashes

_OF_THEMES = words("endings of themes")
_GENERATED = words("generated files")
_RENAME = "rename it and copy it to site/static/."


def static_files(
    site: SourceSite, used: set[str], taken: list[str], findings: Findings, left: dict[str, str]
) -> dict[str, str]:
    """Paths in `site/static/` with their files in the source; what is not copied goes to `left`, with why.

    Leaves out style sheets, scripts and fonts, which belong to the old theme.
    """
    published: dict[str, str] = {}
    of_theme: list[str] = []
    generated: list[str] = []
    faults: dict[str, str] = {}
    for address, source in sorted(site.statics.items()):
        path = address.lstrip("/")
        if source in used:
            continue
        if path.lower() in _GENERATED:
            generated.append(source)
            continue
        if posixpath.splitext(path)[1].lower() in _OF_THEMES:
            of_theme.append(source)
            continue
        try:
            check_path(path)
        except PathFault as fault:
            faults[source] = f"cannot be published: its path {fault}"
        else:
            published[path] = source
    for clash in find_clashes([*taken, *published]):
        source = published.pop(clash.second)
        faults[source] = (
            f'has a name that {clash.why} "{clash.first}"'
            if clash.first in published
            else "has a page's address"
        )
    for path in published.keys() & taken:
        faults[published.pop(path)] = "has a page's address"
    for source, reason in sorted(faults.items()):
        findings.tell(source, f"this file is not copied: it {reason}", _RENAME)
    left.update(faults)
    left.update(dict.fromkeys(generated, "is a file that diglot makes itself, or that no site needs"))
    if generated:
        message = (
            f"{', '.join(map(posixpath.basename, generated))}: diglot makes such files itself, or needs none"
        )
        findings.tell(generated[0], message, "add what is missed to site/site.yaml, or to the theme.")
    if of_theme:
        left.update(dict.fromkeys(of_theme, "is a style sheet, a script or a data file"))
        message = f"{len(of_theme)} style sheets, scripts and data files like this one are not copied"
        findings.tell(of_theme[0], message, "copy what readers download to site/static/.")
    return {f"site/static/{path}": source for path, source in published.items()}
