"""Files that the old site published unchanged and that no article shows."""

import posixpath

from diglot.importing.records import Finding, SourceSite
from diglot.output_paths import PathFault, check_path, find_clashes

_OF_THEMES = (
    ".css",
    ".js",
    ".map",
    ".scss",
    ".sass",
    ".less",
    ".woff",
    ".woff2",
    ".ttf",
    ".otf",
    ".eot",
    ".styl",
    ".ts",
    ".json",
    ".yml",
    ".yaml",
    ".toml",
    ".lock",
    ".sh",
    ".py",
    ".rb",
    ".bat",
    ".php",
)
_GENERATED = frozenset(
    (
        "index.html",
        "404.html",
        "robots.txt",
        "sitemap.xml",
        "feed.xml",
        "atom.xml",
        "rss.xml",
        "index.xml",
        "dockerfile",
        "makefile",
        "gemfile",
    )
)


def static_files(site: SourceSite, used: set[str], taken: list[str]) -> tuple[dict[str, str], list[Finding]]:
    """Paths in `site/static/` with their files in the source, and findings about what is not copied.

    Leaves out style sheets, scripts and fonts, which belong to the old theme.
    """
    found: dict[str, str] = {}
    findings = []
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
            findings.append(
                Finding(
                    path=source,
                    line=0,
                    message=f"this file is not copied: its path {fault}",
                    fix="rename it and copy it to site/static/.",
                )
            )
            continue
        if (
            path.lower().startswith(("zh/", "en/"))
            and next(iter(find_clashes([*taken, path])), None) is not None
        ):
            findings.append(
                Finding(
                    path=source,
                    line=0,
                    message="this file is not copied: a page has its address",
                    fix="rename it and copy it to site/static/.",
                )
            )
            continue
        found[f"site/static/{path}"] = source
    if left:
        findings.append(
            Finding(
                path=left[0],
                line=0,
                message=f"{len(left)} style sheets, scripts and data files like this one are not copied",
                fix="copy what readers download to site/static/.",
            )
        )
    return found, findings
