"""Reports files that nothing reads because of their names and places.

Each folder says which names it knows; `near_names` says which other names are nearly those, and `homes`
where all others belong. A file whose keys would change what is published (`meta.yml` with `draft: true`) is
an error, any other one a warning.
"""

import re
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from functools import partial

from diglot.diagnostics import Diagnostic, Location, shortened
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, UNREADABLE_LISTING
from diglot.engine.globs import gives
from diglot.invariants import certain
from diglot.rules.content_names import ContentNames
from diglot.rules.figures import SCRIPT_FILES
from diglot.rules.homes import (
    HIDDEN_SLIPS,
    LINES_OF_HOSTS,
    MADE_NAMES,
    SITE_FOLDER,
    TEMPLATES_FOLDER,
    WELL_KNOWN,
    find_home,
    is_extension,
    is_figure_script,
    is_kept,
    is_perhaps_a_script,
    keys_of,
    published_name,
    script_names,
    template_meant,
    wrong_line,
)
from diglot.rules.layouts import CONTENT, is_in_notes
from diglot.rules.misnamed import SITE, SITE_FILES, misnamed, misplaced_folder, near_names, warning
from diglot.rules.near_names import is_backup, near_folder, other_ending
from diglot.rules.options import CONFIGURATION
from diglot.rules.projects import find_first_language
from diglot.rules.reading import read_content
from diglot.rules.root_names import warn_of_the_root
from diglot.rules.sources import find_posts
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import folders_of
from diglot.unreadable import diagnose_unreadable

_SITE_FOLDERS = ("static", "hardware")
_FIGURES = "figures"
_EXTENSIONS = "extensions"
_READ = (CONTENT, _FIGURES, SITE, "templates", _EXTENSIONS)
_OF_THEMES = ("static", "strings")
_OF_HUGO = "_default"
"""Where its templates are."""
_STATIC = f"{SITE}/static"
_CHIPS = f"{SITE}/hardware"
_STRINGS = ("zh.yaml", "en.yaml")


_FOLDERS_IN_SITE = {
    **dict.fromkeys(("chips", "chip", "accelerators"), _CHIPS),
    **dict.fromkeys(("templates", "template", "theme", "themes", "layouts"), "templates"),
    **dict.fromkeys(("assets", "public", "files"), _STATIC),
    **dict.fromkeys(("figures", "figure"), _FIGURES),
    **dict.fromkeys(("extensions", "extension", "plugins"), _EXTENSIONS),
    CONTENT: CONTENT,
    **{name: f"{CONTENT}/{name}" for name in ("posts", "pages", "talks")},
    **dict.fromkeys(("strings", "words", "i18n"), "templates/strings"),
    **{name: f"{_STATIC}/{name}" for name in ("css", "js", "img", "images", "fonts", "media", "downloads")},
}
"""What people call the folders that are read, in a place where none of them is."""
_NAMES_OF_FILES = (
    *("content/**/*.md", "content/**/*.yaml", "figures/*.py", "extensions/*.py"),
    *("site/*.yaml", "site/hardware/*.yaml", "templates/*.html"),
)
"""Patterns of names that no folder has, as its files would not be read."""
_BACKUPS, _HIDDEN_META = "**/*~", "**/.[!#_]*eta.y*ml"
"""Patterns of files that are in no other list: earlier versions that editors keep, and hidden keys of
articles, but not an editor's `.meta.yaml.swp` and `.#meta.yaml`, or `._meta.yaml` of macOS."""
_OTHER_DATA = (".json", ".toml", ".csv", ".json5")


@task("file-names")
async def check_names(fetch: Fetch, _name: None) -> None:
    """Report the files that nothing reads although their names or places show that they should be read."""
    patterns = [pattern for folder in _READ for pattern in (folder, f"{folder}/**")]
    odd = [
        one for pattern in (*patterns, *_NAMES_OF_FILES) for one in await fetch(UNREADABLE_LISTING, pattern)
    ]
    articles = (await fetch(find_posts)).folders
    fetch.report(*[diagnose_unreadable(one) for one in dict.fromkeys(odd) if one.path not in articles])
    site = [*await fetch(LISTING, f"{SITE}/**"), *await fetch(LISTING, f"{SITE}/{_BACKUPS}")]
    elsewhere = [path for folder in _READ if folder != SITE for path in await fetch(LISTING, f"{folder}/**")]
    unread = list(_in_site(site, elsewhere, await fetch(CONFIGURATION)))
    unread += await _in_templates(fetch)
    for folder, what in ((_FIGURES, "the scripts of figures"), (_EXTENSIONS, _EXTENSIONS)):
        scripts = [*await fetch(LISTING, f"{folder}/*"), *await fetch(LISTING, f"{folder}/*~")]
        unread += script_names(scripts, what)
    named = [one for one in unread if not await _is_named(fetch, one)]
    fetch.report(*[await _of_an_extension(fetch, one) or one for one in named])
    fetch.report(*await _scripts_elsewhere(fetch), *await _in_extensions(fetch))
    fetch.report(*await warn_of_the_root(fetch, frozenset(site)))
    fetch.report(*await _in_content(fetch, site), *await _in_static(fetch, site))


def _named_in_static(path: str, meant: str) -> str:
    """The file, or the folder with it that is to be renamed."""
    below = path.split("/", 2)[2]
    folder = below.partition("/")[0]
    return f'"{below}"' if folder == below or "/" in meant else f'the folder "{folder}"'


async def _in_static(fetch: Fetch, site: Collection[str]) -> list[Diagnostic]:
    """Files under nearly the names that hosts and programs look for at the root of a site."""
    paths = [path for path in site if path.startswith(f"{_STATIC}/")]
    for name in (name for names in HIDDEN_SLIPS.values() for name in names):
        if await fetch.digest(FILE, path := f"{_STATIC}/{name}") != ABSENT:
            paths.append(path)
        paths += await fetch(LISTING, f"{path}/**")
    named = {path.split("/")[2]: path for path in reversed(paths)}
    hidden = {path.rpartition("/")[2]: path for path in await fetch(LISTING, f"{_STATIC}/.well-known/*")}
    meant = [(path, published_name(name)) for name, path in named.items()]
    meant += [
        (path, f".well-known/{known}")
        for name, path in (*named.items(), *hidden.items())
        if (known := published_name(name, WELL_KNOWN)) is not None
    ]
    found = [
        warning(
            path,
            f'no host or program looks for {_named_in_static(path, name)}: its name is "{name}"',
            f"rename it to {_STATIC}/{name}.",
        )
        for path, name in meant
        if name is not None
    ]
    found += [
        warning(
            path, f'"{name}" is nearly "{made}", which diglot makes', "delete it, or give it another name."
        )
        for name, path in named.items()
        if (made := published_name(name, MADE_NAMES)) is not None
    ]
    return found + [one async for one in _in_files_of_hosts(fetch)]


async def _in_files_of_hosts(fetch: Fetch) -> AsyncIterator[Diagnostic]:
    """Lines that hosts pass over in files for them."""
    for name in LINES_OF_HOSTS:
        path = f"{_STATIC}/{name}"
        if await fetch.digest(FILE, path) == ABSENT:
            continue
        wrong = wrong_line(name, (await read_content(fetch, path)).decode("utf-8", "replace"))
        if wrong is not None:
            number, line, example = wrong
            yield Diagnostic(
                rule="host-line",
                message=f'hosts pass over "{shortened(line, 80)}" in {name}',
                severity="warning",
                location=Location(path=path, line=number),
                fix=f"write it as {example}.",
            )


async def _is_named(fetch: Fetch, unread: Diagnostic) -> bool:
    """Whether a script, an extension or, for a template, an own template names a file, which is then read."""
    path, own = certain(unread.location, "it is about a file").path, f"{folders_of(fetch)[0]}/"
    patterns, name = [f"{_FIGURES}/**", f"{CONTENT}/**/*.py", f"{_EXTENSIONS}/**"], path.rpartition("/")[2]
    if path.startswith(own):
        patterns, name = [f"{own}**"], path.removeprefix(own)
    for pattern in patterns:
        for reader in await fetch(LISTING, pattern):
            is_text = reader.endswith((".py", ".html")) and reader != path
            if is_text and name.encode() in await read_content(fetch, reader):
                return True
    return False


def _in_site(paths: Collection[str], elsewhere: Iterable[str], configuration: str) -> Iterator[Diagnostic]:
    """What nothing reads in `site/`; the configuration may have any name."""
    there = frozenset((*paths, *elsewhere))
    folders: set[str] = set()
    for path in sorted(paths):
        first, slash, rest = path.removeprefix(f"{SITE}/").partition("/")
        if path == configuration or path.startswith(f"{_STATIC}/") or _is_another_configuration(path):
            continue
        if slash and first == "hardware":
            yield from _chip_file(path, rest, there)
        elif slash and (meant := _folder_meant(first)) is not None:
            if first not in folders:
                is_there = any(one.startswith(f"{meant}/") for one in there)
                yield misplaced_folder(path, f"{SITE}/{first}", meant, is_there=is_there)
            folders.add(first)
        elif path.removeprefix(f"{SITE}/") not in SITE_FILES:
            yield from filter(None, [find_home(path, SITE_FOLDER, there)])


def _is_another_configuration(path: str) -> bool:
    """Whether a file is a configuration that `--config` names: `site.prod.yaml`, `site-2.yaml`."""
    return re.fullmatch(rf"{SITE}/site[.-][^/.]+\.yaml", path) is not None


def _folder_meant(name: str) -> str | None:
    """The folder that one in `site/` was meant to be."""
    if (near := near_folder(name, _SITE_FOLDERS)) is not None:
        return f"{SITE}/{near}"
    return _FOLDERS_IN_SITE.get(name)


def _chip_file(path: str, name: str, there: Collection[str]) -> Iterator[Diagnostic]:
    if is_in_notes(path):
        return
    report = partial(misnamed, there=there, rule="chip-file-name")
    if "/" in name and name.endswith(".yaml"):
        yield report(path, f"{_CHIPS}/{name.rpartition('/')[2]}")
    elif "/" not in name and (stem := other_ending(name, "yaml")) is not None and not is_backup(name):
        yield report(path, f"{_CHIPS}/{stem}.yaml")
    elif name.endswith(_OTHER_DATA):
        message = f'nothing reads "{name}": the facts of chips are in YAML files'
        yield warning(path, message, f"write them into {path.rpartition('.')[0]}.yaml.", "chip-file-name")


async def _scripts_elsewhere(fetch: Fetch) -> list[Diagnostic]:
    """Scripts of figures, and extensions, in folders where only what other scripts import is read, and those
    whose names do not say that they are scripts."""
    found = []
    for above in (_FIGURES, _EXTENSIONS, f"{CONTENT}/**/{_FIGURES}"):
        paths = await fetch(LISTING, f"{above}/*")
        for path in filter(is_perhaps_a_script, paths):
            content = await read_content(fetch, path)
            if is_extension(content) if above == _EXTENSIONS else is_figure_script(content):
                found.append(misnamed(path, f"{path.rpartition('.')[0] or path}.py", paths))
    for above in (_FIGURES, CONTENT):
        paths = await fetch(LISTING, f"{above}/**")
        for path in paths:
            folder, _, name = path.rpartition("/")
            if (
                not name.endswith(".py")
                or is_kept(name)
                or is_in_notes(path)
                or any(gives(one, path) for one in SCRIPT_FILES)
            ):
                continue
            if near_folder(folder.rpartition("/")[2], (_FIGURES,)) is not None:  # it is reported as a folder
                continue
            content = await read_content(fetch, path)
            if is_extension(content):
                meant = f"{_EXTENSIONS}/{name}"
                found.append(misnamed(path, meant, await fetch(LISTING, f"{_EXTENSIONS}/*")))
            elif is_figure_script(content):
                own = await _article_folder(fetch, folder) if above == CONTENT else ""
                found.append(misnamed(path, f"{own}{_FIGURES}/{name}", paths))
    return found


async def _of_an_extension(fetch: Fetch, unread: Diagnostic) -> Diagnostic | None:
    """What to say of an unread file in place of `unread`, if it is an extension; else None."""
    path = certain(unread.location, "it is about a file").path
    is_named_with_its_folder = path.startswith(f"{SITE}/") and _folder_meant(path.split("/")[1]) is not None
    if (
        not path.endswith(".py")
        or is_named_with_its_folder
        or not is_extension(await read_content(fetch, path))
    ):
        return None
    return misnamed(
        path, f"{_EXTENSIONS}/{path.rpartition('/')[2]}", await fetch(LISTING, f"{_EXTENSIONS}/*")
    )


async def _in_extensions(fetch: Fetch) -> list[Diagnostic]:
    """Extensions that nothing runs, because they are in folders of modules that no extension imports."""
    found = []
    paths = await fetch(LISTING, f"{_EXTENSIONS}/**")
    scripts = [path for path in paths if path.endswith(".py")]
    for path in scripts:
        first, slash, rest = path.removeprefix(f"{_EXTENSIONS}/").partition("/")
        name = rest.rpartition("/")[2]
        if (
            not slash
            or is_kept(name)
            or is_in_notes(path)
            or not is_extension(await read_content(fetch, path))
        ):
            continue
        imports = re.compile(rf"^[ \t]*(?:from|import)\b.*\b{re.escape(first)}\b".encode(), re.MULTILINE)
        others = [one for one in scripts if not one.startswith(f"{_EXTENSIONS}/{first}/")]
        if not any([imports.search(await read_content(fetch, one)) for one in others]):
            found.append(misnamed(path, f"{_EXTENSIONS}/{name}", paths))
    return found


async def _article_folder(fetch: Fetch, folder: str) -> str:
    """The folder of the article that a folder is inside, with a slash; empty if there is none."""
    folders = (await fetch(find_posts)).folders
    while folder and folder not in folders:
        folder = folder.rpartition("/")[0]
    return f"{folder}/" if folder else ""


async def _in_templates(fetch: Fetch) -> list[Diagnostic]:
    """What nothing reads among the own templates: files that are no templates, and nearly called as one."""
    own, built_in = folders_of(fetch)[0], folders_of(fetch)[-1]
    if own == built_in:
        return []
    paths = await fetch(LISTING, f"{own}/**")
    known = [path.rpartition("/")[2] for path in await fetch(LISTING, f"{built_in}/*.html")] if paths else []
    found: list[Diagnostic | None] = []
    folders: set[str] = set()
    for path in paths:
        below = path.removeprefix(f"{own}/")
        first, slash, rest = below.partition("/")
        if is_in_notes(below) and first != _OF_HUGO:
            continue
        name = path.rpartition("/")[2]
        if slash and first == "strings":
            if rest not in _STRINGS and (near := [one for one, _ in near_names(path, _STRINGS, paths)]):
                found.append(misnamed(path, f"{own}/strings/{near[0]}", paths))
            elif rest not in _STRINGS and not is_kept(name):
                message = f'nothing reads "{rest}" in this folder: diglot reads zh.yaml and en.yaml'
                found.append(warning(path, message, "move what you need of it into these, and delete it."))
        elif slash and (meant := near_folder(first, _OF_THEMES)) is not None:
            if first not in folders:
                is_there = any(one.startswith(f"{own}/{meant}/") for one in paths)
                found.append(misplaced_folder(path, f"{own}/{first}", f"{own}/{meant}", is_there=is_there))
            folders.add(first)
        elif first in (_OF_THEMES if slash else known):
            continue
        elif (template := _template_meant(path, name, known, paths)) is not None:
            found.append(misnamed(path, f"{own}/{template}", paths))
        elif (stem := other_ending(name, "html")) is not None and not name.endswith(".htm") and not slash:
            found.append(misnamed(path, f"{own}/{stem}.html", paths))
        else:
            found.append(find_home(path, TEMPLATES_FOLDER, paths))
    return [*filter(None, found)]


def _template_meant(path: str, name: str, known: Collection[str], paths: Collection[str]) -> str | None:
    """The template of the theme that an own one was meant to replace, by its name; None if none."""
    if name in known:
        return name
    near = next((one for one, _ in near_names(path, known, paths)), None)
    return near or template_meant(name, known)


async def _in_content(fetch: Fetch, site: Collection[str]) -> list[Diagnostic]:
    patterns = ("**", _BACKUPS, _HIDDEN_META)
    paths = [path for pattern in patterns for path in await fetch(LISTING, f"{CONTENT}/{pattern}")]
    names = ContentNames(paths, await fetch(find_posts), await fetch(find_first_language), site)
    found = list(names.certain())
    for file in names.doubtful():
        if file.is_meant(keys_of(await read_content(fetch, file.path))):
            found.append(file.diagnose(names.there))
    for unread, halves in names.offered():
        name = certain(unread.location, "it is about a file").path.rpartition("/")[2].encode()
        if not any([name in await read_content(fetch, half) for half in halves]):
            found.append(unread)
    return found
