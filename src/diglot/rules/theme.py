"""The theme's files as tasks: templates with those they refer to, and assets with digests in their names."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from diglot.characters import visible
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.engine.globs import is_scratch
from diglot.invariants import certain
from diglot.output_paths import PathFault, check_path
from diglot.render.assets import (
    FOLDER,
    css_references,
    hashed_name,
    rewrite_css,
    without_comments,
    without_gaps,
)
from diglot.render.formula_font import formula_font
from diglot.render.template_checks import check_templates
from diglot.render.template_references import (
    Reference,
    leaves_theme,
    name_inside,
    plain_references_in,
    references_in,
)
from diglot.render.templates import BUILT_IN, BUILT_IN_PREFIX, Templates, TemplateSource
from diglot.render.theme import built_in_theme
from diglot.rules.context import TaskContext
from diglot.rules.formulas import find_formula_characters
from diglot.rules.reading import decode_text, read_text
from diglot.rules.spelling import wants_traditional
from diglot.rules.tasks import Fetch, task

_STATIC = "static"
_FORMULA_FONT = "fonts/diglot-math.woff"
TRADITIONAL_STYLE = "traditional.css"
_OF_TRADITIONAL = frozenset(
    (TRADITIONAL_STYLE, "fonts/diglot-sans-hant-400.woff2", "fonts/diglot-sans-hant-400-name.woff2")
)
"""What only sites need that are there in traditional characters, too."""


def folders_of(fetch: Fetch) -> tuple[str, ...]:
    """The folders of theme files: the project's own, unless it is the built-in one, then the built-in one."""
    return fetch.context.keep(_folders_of)


def _folders_of(context: TaskContext) -> tuple[str, ...]:
    return theme_folders(context.root)


async def _content(fetch: Fetch, path: str) -> bytes:
    """The content of a file that is known to exist."""
    return certain(await fetch(FILE, path), f"{path} was found and is not there")


async def find_theme_file(fetch: Fetch, name: str) -> str | None:
    """The path of a theme's file, relative to the project if inside it; None if there is no such file."""
    for folder in folders_of(fetch):
        path = f"{folder}/{name}"
        if await fetch.digest(FILE, path) != ABSENT:
            return path
    return None


@task("templates")
async def collect_templates(fetch: Fetch, name: str) -> tuple[tuple[str, TemplateSource], ...]:
    """A template and everything it extends, includes or imports, directly or not, each with its name.

    Where a page decides on the name, these are all templates of the theme.
    """
    found: dict[str, TemplateSource] = {}
    wanted = [_Wanted(Reference(names=(name,), is_optional=False, line=1), None)]
    while wanted:
        reference, by = wanted.pop()
        names = reference.names or await _all_templates(fetch)
        is_optional = reference.is_optional or not reference.names
        is_there = False
        for one in names:
            if leaves_theme(one):
                raise DiagnosticError(_outside(one, reference, by))
            if one not in found:
                path = await _find_template(fetch, one)
                if path is None:
                    continue
                source = TemplateSource(path=shown_path(fetch, path), text=await read_text(fetch, path))
                found[one] = source
                read = plain_references_in if source.path.startswith(BUILT_IN) else references_in
                wanted += [_Wanted(other, source) for other in reversed(read(source.text))]
            is_there = True
        if not (is_there or is_optional):
            raise DiagnosticError(await _missing(fetch, names, reference, by))
    if mistakes := check_templates(found):
        raise DiagnosticError(*mistakes)
    return tuple(found.items())


@task("own-templates")
async def check_own_templates(fetch: Fetch, _name: None) -> None:
    """Check all templates that replace built-in ones, also where no page can be made yet, or needs them."""
    own, *others = folders_of(fetch)
    for path in await fetch(LISTING, f"{own}/*.html") if others else ():
        name = path.rpartition("/")[2]
        if await fetch.digest(FILE, f"{others[-1]}/{name}") != ABSENT:
            try:
                Templates(dict(await fetch(collect_templates, name))).read(name)
            except UpstreamFailed:  # it reports its mistakes itself
                continue
            except DiagnosticError as error:
                fetch.report(*error.diagnostics)


class _Wanted(NamedTuple):
    reference: Reference
    by: TemplateSource | None
    """The template that asks for it; None for that of a page."""


_TEXTS = (".html", ".htm", ".xml", ".svg", ".txt", ".css", ".js", ".md", ".j2", ".jinja")


async def _all_templates(fetch: Fetch) -> tuple[str, ...]:
    """The names of all templates that there are, also of the built-in ones that a project has replaced."""
    names: dict[str, None] = {}
    folders = folders_of(fetch)
    for folder in folders:
        for path in await fetch(LISTING, f"{folder}/**"):
            name = path.removeprefix(f"{folder}/")
            if name.endswith(_TEXTS) and not name.startswith((f"{_STATIC}/", "strings/")):
                names[name] = None
                if folder == folders[-1]:
                    names[BUILT_IN_PREFIX + name] = None
    return tuple(names)


def _outside(name: str, reference: Reference, by: TemplateSource | None) -> Diagnostic:
    inside = name_inside(name)
    return Diagnostic(
        rule="template-outside",
        message=f'"{visible(name)}" is no name of a template: it is a path'
        + (" out of the theme" if inside is None else ""),
        location=Location(path=by.path, line=reference.line) if by else None,
        source_line=by.text.splitlines()[reference.line - 1] if by else None,
        fix="move the file into templates/, and name it from there, as in `parts/card.html`."
        if inside is None
        else f'write "{inside}": names begin at templates/.',
    )


async def _find_template(fetch: Fetch, name: str) -> str | None:
    """The path of a template; `diglot/base.html` is the built-in one, even where a project has its own."""
    if name.startswith(BUILT_IN_PREFIX):
        return await _find_built_in(fetch, name.removeprefix(BUILT_IN_PREFIX))
    return await find_theme_file(fetch, name)


async def _find_built_in(fetch: Fetch, name: str) -> str | None:
    path = f"{folders_of(fetch)[-1]}/{name}"
    return None if await fetch.digest(FILE, path) == ABSENT else path


@task("assets")
async def list_assets(fetch: Fetch, _name: None) -> tuple[tuple[str, str], ...]:
    """All static files of the theme with their published paths, sorted by name."""
    names: set[str] = set()
    for folder in folders_of(fetch):
        prefix = f"{folder}/{_STATIC}/"
        names |= {path.removeprefix(prefix) for path in await fetch(LISTING, f"{prefix}**")}
    if not await fetch(wants_traditional):
        names -= _OF_TRADITIONAL
    sound: list[str] = []
    for name in sorted(names):
        try:
            check_path(published_path(name, 8 * "0"))
        except PathFault as fault:
            fetch.report(await _unpublishable(fetch, name, fault))  # an error, but other pages are still made
            continue
        sound.append(name)
    paths = await fetch.all(find_asset_path, sound)
    return tuple(zip(sound, paths, strict=True))


async def _unpublishable(fetch: Fetch, name: str, fault: PathFault) -> Diagnostic:
    path = await find_theme_file(fetch, f"{_STATIC}/{name}")
    return Diagnostic(
        rule="path-name",
        message=f'"{visible(name)}" cannot be published: its path {fault}',
        location=Location(path=shown_path(fetch, path or name)),
        fix="rename the file.",
    )


@task("asset-path")
async def find_asset_path(fetch: Fetch, name: str) -> str:
    """A static file's path from the site's root, with its content's digest in the name."""
    return published_path(name, await fetch.digest(make_asset, name))


@task("asset")
async def make_asset(fetch: Fetch, name: str) -> bytes:
    """A static file's content. In style sheets, `url(…)` refers to published names.

    Scripts and style sheets of the built-in theme lose their comments and indentation; those of a project are
    published as they are.
    """
    found = await find_theme_file(fetch, f"{_STATIC}/{name}")
    path = certain(found, f"{name} was asked for and is not there")
    content = await _content(fetch, path)
    is_built_in = path.startswith(f"{folders_of(fetch)[-1]}/")
    if name.endswith(".js") and is_built_in:
        return without_comments(content.decode()).encode()
    if name == _FORMULA_FONT and is_built_in:
        return await _formula_font(fetch, content)
    if not name.endswith(".css"):
        return content
    text = decode_text(content, shown_path(fetch, path))
    published: dict[str, str] = {}
    for reference, line in css_references(text, name).items():
        place = Location(path=shown_path(fetch, path), line=line)
        source_line = text.split("\n")[line - 1]
        if not await _is_asset(fetch, reference):
            raise DiagnosticError(
                Diagnostic(
                    rule="asset-missing",
                    message=f'the theme has no static file "{reference}"',
                    location=place,
                    source_line=source_line,
                    fix=f"add it to templates/{_STATIC}/, or remove the reference.",
                )
            )
        if circle := await _circle(fetch, name, reference):
            raise DiagnosticError(
                Diagnostic(
                    rule="asset-circle",
                    message=f"this style sheet refers to itself: {' → '.join(circle)}",
                    location=place,
                    source_line=source_line,
                    fix="remove one of the references: published names contain the digest "
                    "of all that a file refers to.",
                )
            )
        published[reference] = (await fetch(find_asset_path, reference)).removeprefix(f"{FOLDER}/")
    sheet = rewrite_css(text, name, published.__getitem__)
    return (without_gaps(sheet) if is_built_in else sheet).encode()


async def _formula_font(fetch: Fetch, whole: bytes) -> bytes:
    """The built-in formula font with the characters that the site's formulas need."""
    characters = await fetch(find_formula_characters)
    if not characters:  # then no reader fetches it
        return whole
    made: bytes = await fetch.wait(fetch.context.pool.call(formula_font, whole, characters))
    return made


async def _is_asset(fetch: Fetch, name: str) -> bool:
    """Whether a static file exists and is published; hidden files are not."""
    parts = name.split("/")
    if ".." in parts or any(map(is_scratch, parts)):
        return False
    return await find_theme_file(fetch, f"{_STATIC}/{name}") is not None


async def _circle(fetch: Fetch, name: str, reference: str) -> tuple[str, ...]:
    """The path from a style sheet through one of its references back to itself; empty if there is none."""
    todo: list[tuple[str, ...]] = [(name, reference)]
    met = {reference}
    while todo:
        way = todo.pop()
        if way[-1] == name:
            return way
        if (
            not way[-1].endswith(".css")
            or (path := await find_theme_file(fetch, f"{_STATIC}/{way[-1]}")) is None
        ):
            continue
        content = await _content(fetch, path)
        for other in css_references(content.decode("utf-8", "replace"), way[-1]):
            if other not in met or other == name:
                met.add(other)
                todo.append((*way, other))
    return ()


async def _missing(
    fetch: Fetch, names: Sequence[str], reference: Reference, by: TemplateSource | None
) -> Diagnostic:
    name = names[0]
    is_built_in = name.startswith(BUILT_IN_PREFIX)
    there = await _all_templates(fetch)
    known = {one for one in there if one.startswith(BUILT_IN_PREFIX) == is_built_in}
    own = "" if by is None else by.path.removeprefix(f"{folders_of(fetch)[0]}/")
    if nearest(name, known) == own:  # a template that asked for itself would never end
        built_in = BUILT_IN_PREFIX + own
        fix = (
            f'write "{built_in}" for the built-in one.'
            if built_in in there
            else did_you_mean(name, known - {own})
        )
    else:
        fix = did_you_mean(name, known)
    several = "".join(f', and no "{other}"' for other in names[1:])
    return Diagnostic(
        rule="template-missing",
        message=f'the theme has no template "{name}"{several}',
        location=Location(path=by.path, line=reference.line) if by else None,
        source_line=by.text.splitlines()[reference.line - 1] if by else None,
        fix=fix,
    )


CUSTOM_STYLE = "site/static/custom.css"
"""The project's own style sheet, which every page links to as the last one."""


@task("custom-style")
async def find_custom_style(fetch: Fetch, _name: None) -> str:
    """Path of the project's own style sheet from the site's root; empty if there is none.

    It is published under its own name; what follows the name makes browsers fetch a new version.
    """
    digest = await fetch.digest(FILE, CUSTOM_STYLE)
    return "" if digest == ABSENT else f"{Path(CUSTOM_STYLE).name}?v={digest[:8]}"


def theme_folders(root: Path) -> tuple[str, ...]:
    """The folders of theme files, as keys of inputs name them: the project's own templates come first."""
    own, built_in = root / "templates", built_in_theme()
    folders = [own] if own.resolve() == built_in.resolve() else [own, built_in]
    return tuple(_within(folder, root) for folder in folders)


def published_path(name: str, digest: str) -> str:
    """The path of a static file with this content, from the site's root."""
    return f"{FOLDER}/{hashed_name(name, digest)}"


def _within(folder: Path, root: Path) -> str:
    """A folder's path, relative to the project if inside it, so that a moved project keeps its traces."""
    return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else folder.as_posix()


def shown_path(fetch: Fetch, path: str) -> str:
    """A theme file's path for diagnostics. Those of the built-in theme are not the project's to edit."""
    folders = folders_of(fetch)
    if len(folders) > 1 and path.startswith(f"{folders[-1]}/"):
        return BUILT_IN + path.removeprefix(f"{folders[-1]}/")
    return path
