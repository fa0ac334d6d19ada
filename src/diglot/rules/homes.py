"""Where a file belongs that nothing reads where it is: one table of names, for every folder that is read.

In these folders a file is read, is one of those that people keep anywhere (`is_kept`), or is reported with
its home. Names alone decide; whether a script or a template uses a file is for the caller to find out.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic, differ_little
from diglot.rules.layouts import is_in_notes, is_note
from diglot.rules.misnamed import SITE, SITE_FILES, misnamed, near_names, warning
from diglot.rules.near_names import folded, is_backup, is_one_slip_away, other_ending, without_backup, word_of

Kind = Literal["template", "asset", "script", "code", "text", "data", "references"]

_ENDINGS: Mapping[Kind, tuple[str, ...]] = {
    "template": (
        "html",
        "htm",
        "j2",
        "jinja",
        "jinja2",
        "njk",
        "liquid",
        "tmpl",
        "mustache",
        "hbs",
        "ejs",
        "astro",
    ),
    "asset": (
        *(
            "css",
            "js",
            "mjs",
            "scss",
            "sass",
            "less",
            "ico",
            "svg",
            "png",
            "jpg",
            "jpeg",
            "webp",
            "avif",
            "gif",
        ),
        *("xml", "webmanifest", "woff", "woff2", "ttf", "otf", "mp4", "webm", "pdf"),
    ),
    "script": ("py",),
    "code": ("ipynb", "pyx", "r", "jl", "m", "gnuplot", "gp", "plt", "ts", "tsx", "jsx", "vue"),
    "text": ("md", "markdown", "mdx", "qmd", "rmd", "rst", "adoc", "org", "docx"),
    "data": ("yaml", "yml", "json", "json5", "toml"),
    "references": ("bib", "bibtex", "biblatex", "bbl", "ris", "enw", "csl"),
}
"""The kinds of files that have a place in a project, by the endings of their names."""
PUBLISHED_NAMES = ("robots.txt", "humans.txt", "ads.txt", "CNAME", "_headers", "_redirects", "favicon.ico")
"""Names of files that hosts and programs look for at the root of a site."""
MADE_NAMES = ("sitemap.xml", "feed.xml", "site.webmanifest", "index.html", "404.html")
"""Names of files that diglot makes itself."""
_NAME_OF_HOST = r"(?:[\w-]+\.)+[\w-]+"
_PLACE = r"(?:/|https?://)\S*"
LINES_OF_HOSTS: Mapping[str, tuple[str, str]] = {
    "CNAME": (_NAME_OF_HOST, "example.org, the name of a host alone"),
    "_redirects": (rf"{_PLACE}\s+\S+(?:\s.*)?", "/old /new 301"),
    "_headers": (
        rf"{_PLACE}|\s+(?:! ?[\w-]+|[\w-]+:.*)",
        "a path, /*, and indented below it X-Frame-Options: DENY",
    ),
    ".well-known/security.txt": (r"[\w-]+:.*|-----.*|[A-Za-z0-9+/=]+", "Contact: mailto:ada@example.org"),
}
"""What the lines of files for hosts look like, as a pattern and in words; they pass over others."""
WELL_KNOWN = ("security.txt", "assetlinks.json", "apple-app-site-association", "change-password", "webfinger")
"""Names of files that programs look for in `.well-known/`."""
HIDDEN_SLIPS = {
    ".htaccess": (".htacess", ".htacces", ".htaccss", ".htaccesss", ".htacccess", ".htaccess.txt"),
    ".well-known": (".well_known", ".wellknown", ".well-know", ".well-knwon", ".well-knows"),
}
"""Names that hosts look for and that are hidden, with those to ask for: no list of files has others."""
_KEPT = ("readme", "license", "licence", "copying", "notice", "changelog", "contributing", "todo", "makefile")
_SYSTEM = ("thumbs.db", "desktop.ini", "icon\r")

_SETTINGS = ("tags", "categories", "series", "authors", "navigation")
_OTHER_SETTINGS = {"menu": "navigation", "menus": "navigation", "nav": "navigation", "author": "authors"}
"""Keys of `site.yaml` that have files of their own in other generators, and what they are called there."""
_SITE_NAMES = {
    **dict.fromkeys(("gloss", "terms", "terminology", "vocabulary"), "glossary.yaml"),
    **dict.fromkeys(("hant-words", "hant_words", "traditional", "opencc"), "hant.yaml"),
    **dict.fromkeys(
        (
            *(
                "config",
                "_config",
                "settings",
                "configuration",
                "params",
                "hugo",
                "mkdocs",
                "zensical",
                "quarto",
            ),
            *(
                "_quarto",
                "docusaurus.config",
                "astro.config",
                "gatsby-config",
                "eleventy.config",
                "pelicanconf",
            ),
        ),
        "site.yaml",
    ),
}
"""What people and other generators call the files of `site/`, without their ending."""
_OF_DOCUMENTATION = frozenset(("mkdocs", "zensical", "docusaurus.config"))
"""Generators that a project of another kind has for its documentation, in `docs/`."""
_TEMPLATE_NAMES = {
    **dict.fromkeys(("baseof", "default", "layout", "skeleton"), "base.html"),
    **dict.fromkeys(("single", "post", "page", "article-page"), "article.html"),
    **dict.fromkeys(("index", "landing-page"), "home.html"),
    **dict.fromkeys(("404", "notfound"), "not_found.html"),
    **dict.fromkeys(("taxonomy", "tags", "categories", "section"), "list.html"),
}
"""What other generators call the templates of the theme, without their ending."""

_KEY = re.compile(r"^[ \t{]*[\"']?(\w+)[\"']?[ \t]*[:=]", re.MULTILINE)
OF_AN_EXTENSION = r"^(?:from|import) diglot\.extending\b[\s\S]*^feature\b"
_EXTENSION = re.compile(OF_AN_EXTENSION.encode(), re.MULTILINE)
_FIGURE_SCRIPT = re.compile(rb"^TITLE\b.*^def (?:compute|draw)\b", re.MULTILINE | re.DOTALL)


class ReadFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in which everything is read, kept, or reported."""

    path: str
    known: tuple[str, ...] = ()
    """The names that are read directly in it."""
    homes: Mapping[Kind, str]
    """Where files of the other kinds belong; a kind that is not in it is left alone."""


SITE_FOLDER = ReadFolder(
    path=SITE,
    known=SITE_FILES,
    homes={
        "template": "templates",
        "asset": f"{SITE}/static",
        "script": "figures",
        "code": "figures",
        "text": "content",
        "data": f"{SITE}/site.yaml",
        "references": f"{SITE}/references.bib",
    },
)
TEMPLATES_FOLDER = ReadFolder(
    path="templates",
    homes={
        "asset": "templates/static",
        "script": "figures",
        "code": "figures",
        "text": "content",
        "data": f"{SITE}/site.yaml",
    },
)


def kind_of(name: str) -> Kind | None:
    """What a file is for, by its name; None if that cannot be told."""
    plain = folded(name)
    if name in PUBLISHED_NAMES:
        return "asset"
    ending = plain.rpartition(".")[2] if "." in plain else ""
    return next((kind for kind, endings in _ENDINGS.items() if ending in endings), None)


def published_name(
    name: str, known: Collection[str] = (*PUBLISHED_NAMES, *HIDDEN_SLIPS, "llms.txt")
) -> str | None:
    """The name that hosts or programs look for, where this one is nearly it: `robots.txt` for `robot.txt`."""
    if name in known:
        return None
    words = {word_of(name), word_of(name.removesuffix(".txt"))}
    same = next((meant for meant in known if word_of(meant) in words), None)
    return same or next((meant for meant in known if _is_nearly(folded(name), meant)), None)


def _is_nearly(name: str, meant: str) -> bool:
    """Whether a letter is wrong: in a short name only in its ending, because elsewhere it makes another."""
    if len(meant) > _LONGEST_OF_SHORT:
        return is_one_slip_away(name, meant)
    return name.partition(".")[0] == meant.partition(".")[0] and is_one_slip_away(name, meant)


def wrong_line(name: str, text: str) -> tuple[int, str, str] | None:
    """The first line that hosts pass over in a file for them: its number, itself, and how one looks."""
    pattern, example = LINES_OF_HOSTS[name]
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").split("\n")]
    written = [
        (at, line) for at, line in enumerate(lines, start=1) if line.strip() and line.lstrip()[0] != "#"
    ]
    for at, line in written:
        if re.fullmatch(pattern, line) is None or (name == "CNAME" and at != written[0][0]):
            return at, line.strip(), example
    return None


_LONGEST_OF_SHORT = len("ads.txt")
"""Characters of names up to which a wrong letter makes a name of its own."""


def is_kept(name: str) -> bool:
    """Whether people keep a file of this name in any folder: a README, an editor's backup, `_notes.txt`."""
    plain = folded(name)
    return name not in PUBLISHED_NAMES and (
        name.startswith("_")
        or is_backup(name)
        or name.endswith(".schema.json")
        or is_note(name)
        or plain in _SYSTEM
        or plain.partition(".")[0] in _KEPT
    )


def is_lost_backup(path: str, there: Collection[str]) -> bool:
    """Whether a file is an earlier version of one that is not there, and that nobody keeps anywhere."""
    kept = without_backup(path)
    return kept is not None and kept not in there and not is_kept(kept.rpartition("/")[2])


def find_home(path: str, folder: ReadFolder, there: Collection[str]) -> Diagnostic | None:
    """The warning about a file that is not read in a folder, with where it belongs; None if it may stay."""
    name = path.rpartition("/")[2]
    below = path.removeprefix(f"{folder.path}/")
    is_direct = below == name
    if is_in_notes(below) and not below.startswith("_data/"):  # which is Jekyll's folder of settings
        return None
    if is_lost_backup(path, there) and (kept := without_backup(below)) in folder.known:
        return misnamed(path, f"{folder.path}/{kept}", there)
    if is_direct and (near := [meant for meant, _ in near_names(path, folder.known, there)]):
        return misnamed(path, f"{folder.path}/{near[0]}", there)
    if (setting := of_the_site(path, there)) is not None and (is_direct or "data" in folder.homes):
        return setting
    kind = kind_of(name)
    if is_kept(name) or kind is None or (home := folder.homes.get(kind)) is None:
        return None
    if kind == "code":
        return in_another_language(path, f"{home}/{name.rpartition('.')[0]}.py", there)
    if kind == "text":
        return of_an_article(path)
    if kind == "references":
        return of_references(path, there)
    if kind == "template" and folded(name).endswith((".html", ".htm")):
        return warning(
            path,
            f'nothing reads "{name}" in this folder',
            f"move it to {home}/{name} if it is a template, or into {SITE}/static/ to publish it as it is.",
        )
    if kind == "data" and is_direct and folder is SITE_FOLDER and name.endswith(".yaml"):
        return warning(
            path,
            f'nothing reads "{name}" unless `--config` names it: settings of the site are in {home}',
            f"for another configuration, rename it to {SITE}/site.{name}; "
            f"else move what you need of it into {home}, and delete it.",
        )
    if kind == "data":
        return warning(
            path,
            f'nothing reads "{name}": no script or template names it, and settings of the site are in {home}',
            f"move what you need of it into {home}, and delete it; a name that begins with _ is left alone.",
        )
    inside = below if home.startswith(f"{folder.path}/") else name
    return misnamed(path, f"{home}/{inside}", there)


def is_perhaps_a_script(path: str) -> bool:
    """Whether a file may be a script whose name does not say so: `m`, `m.p`, `m.txt`; its text decides."""
    name = path.rpartition("/")[2]
    ending = folded(name).rpartition(".")[2] if "." in name else ""
    is_like_one = ending in ("", "txt", "python") or differ_little(ending, "py")
    return is_like_one and not is_kept(name) and other_ending(name, "py") is None


def script_names(paths: Iterable[str], what: str = "the scripts of figures") -> Iterator[Diagnostic]:
    """Warnings about files in a folder of scripts that should be some; all data may be there."""
    there = frozenset(paths)
    for path in sorted(there):
        folder, _, name = path.rpartition("/")
        if is_lost_backup(path, there) and (script := without_backup(path) or "").endswith(".py"):
            yield misnamed(path, script, there)
        if path.endswith(".py") or is_kept(name):
            continue
        if (stem := other_ending(name, "py")) is not None:
            yield misnamed(path, f"{folder}/{stem}.py", there)
        elif kind_of(name) == "code" or name.endswith((".js", ".mjs")):
            script = f"{path.rpartition('.')[0]}.py"
            yield from filter(None, [in_another_language(path, script, there, what)])


def of_an_article(path: str) -> Diagnostic:
    """The warning about a text that is in no folder of articles."""
    name = path.rpartition("/")[2]
    stem = folded(name).rpartition(".")[0]
    place = f"content/pages/{'home' if stem == 'index' else stem}"
    message = f'nothing reads "{name}" in this folder: articles are in content/'
    return warning(path, message, f"move it to {place}/zh.md or {place}/en.md, or begin its name with _.")


def is_of_references(name: str) -> bool:
    """Whether a file holds what articles cite, or how to show it, in a format of libraries of literature."""
    return kind_of(name) == "references" and not is_kept(name)


def of_references(path: str, there: Collection[str]) -> Diagnostic:
    """The warning about literature that nothing reads, or about a style for it."""
    name, meant = path.rpartition("/")[2], f"{SITE}/references.bib"
    ending = folded(name).rpartition(".")[2]
    if ending == "csl":
        message = f'nothing reads "{name}": the formats of citations are diglot\'s own'
        return warning(
            path, message, f"choose one with `citations: {{style: …}}` in {SITE}/site.yaml, and delete it."
        )
    if ending in ("ris", "enw", "bbl"):
        message = f'nothing reads "{name}": literature is in BibTeX or CSL-JSON'
        return warning(path, message, f"export it as BibTeX, into {meant}.")
    return misnamed(path, meant, there)


def in_another_language(
    path: str, script: str, there: Collection[str], what: str = "the scripts of figures"
) -> Diagnostic | None:
    """The warning about a program that would do what scripts do, without being a script of diglot's."""
    if script in there:
        return None
    message = f'nothing reads "{path.rpartition("/")[2]}": {what} are Python files'
    return warning(path, message, f"write what it does as {script}; a name that begins with _ is left alone.")


def of_the_site(path: str, there: Collection[str]) -> Diagnostic | None:
    """The warning about a file that says what belongs into a file of `site/`, by its name."""
    name = path.rpartition("/")[2]
    if (meant := name if name in PUBLISHED_NAMES else published_name(name)) is not None:
        return misnamed(path, f"{SITE}/static/{meant}", there)
    stem, _, ending = folded(name).rpartition(".")
    if ending not in (*_ENDINGS["data"], "js", "mjs", "ts", "py") or is_backup(name):
        return None
    if ending in _ENDINGS["data"] and (key := _OTHER_SETTINGS.get(stem, stem)) in _SETTINGS:
        message = f'nothing reads "{name}": `{key}` is a key of {SITE}/site.yaml'
        return warning(path, message, f"move what it says below `{key}:` there, and delete it.")
    own = f"{stem}.yaml" if ending in _ENDINGS["data"] and f"{stem}.yaml" in SITE_FILES else None
    meant = own or _SITE_NAMES.get(stem)
    return None if meant is None else misnamed(path, f"{SITE}/{meant}", there)


def template_meant(name: str, known: Collection[str]) -> str | None:
    """The template of the theme that other generators call so: `article.html` for `single.html`."""
    meant = _TEMPLATE_NAMES.get(folded(name).partition(".")[0])
    return meant if meant in known and kind_of(name) == "template" else None


def is_configuration(name: str) -> bool:
    """Whether a file at the root is called as the configuration of a site, perhaps of another program."""
    return _SITE_NAMES.get(folded(name).rpartition(".")[0]) == "site.yaml"


def is_of_documentation(name: str) -> bool:
    """Whether it is that of a generator for documentation."""
    return folded(name).rpartition(".")[0] in _OF_DOCUMENTATION


def keys_of(content: bytes) -> frozenset[str]:
    """The keys that a file of settings sets, in whatever format."""
    return frozenset(_KEY.findall(content.decode("utf-8", "replace")))


def is_extension(content: bytes) -> bool:
    """Whether a Python file defines an extension of the site."""
    return _EXTENSION.search(content) is not None


def is_figure_script(content: bytes) -> bool:
    """Whether a Python file is the script of a figure, and no module for others."""
    return _FIGURE_SCRIPT.search(content) is not None
