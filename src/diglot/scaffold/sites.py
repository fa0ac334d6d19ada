"""The files of a new site."""

import datetime
import json
import re
from pathlib import Path
from typing import Literal

import msgspec

from diglot.diagnostics import DiagnosticError, Refusal
from diglot.languages import Bilingual, Language
from diglot.project import load_project
from diglot.rules.options import CONFIG, PLACEHOLDER_URL
from diglot.rules.requirements import REQUIREMENTS, Need, find_needs
from diglot.scaffold.files import NewFile, is_there
from diglot.scaffold.requirements import diglot_requirement
from diglot.scaffold.schemas import Kind, find_schema
from diglot.scaffold.templates import templates_in, yaml_text

Host = Literal["github", "gitlab"]
WORKFLOWS: dict[Host, str] = {"github": ".github/workflows/site.yml", "gitlab": ".gitlab-ci.yml"}
"""Where each host expects its workflow."""

DEFAULT_TITLE = Bilingual(zh="工程笔记", en="Engineering notes")
_USED_SCHEMAS: tuple[Kind, ...] = ("site", "meta", "chips")
"""The schemas that editors' settings refer to. No editor validates the front matter of Markdown."""
_WORKFLOW_FOLDER = Path(__file__).with_name("workflows")
_DOTTED = {
    "gitignore": ".gitignore",
    "vscode/extensions.json": ".vscode/extensions.json",
    "vscode/settings.json": ".vscode/settings.json",
}
"""Templates whose real names would have an effect among diglot's own sources."""


class NewSite(msgspec.Struct, frozen=True, kw_only=True):
    """What the author chose for a new site."""

    title: Bilingual = DEFAULT_TITLE
    base_url: str = PLACEHOLDER_URL
    first_language: Language | None = None
    """The first language; None for diglot's default."""
    host: Host | None = None
    """The host whose workflow is added."""
    is_empty: bool = False
    """Whether to leave out the article, its figure and the page about the site."""
    today: datetime.date


def site_files(site: NewSite) -> tuple[NewFile, ...]:
    """All files of a new site. Raises Refusal if its configuration would contain a mistake."""
    names = {
        "TITLE_ZH": yaml_text(site.title.zh),
        "TITLE_EN": yaml_text(site.title.en),
        "BASE_URL": yaml_text(site.base_url),
        "LANGUAGES": f"languages: {{first: {site.first_language}}}\n" if site.first_language else "",
        "TODAY": site.today.isoformat(),
    }
    files = [*templates_in("empty" if site.is_empty else "example", names), *_surroundings(site)]
    _check_configuration(files)
    return tuple(sorted(files, key=lambda file: file.path))


def added_files(site: NewSite, folder: Path) -> tuple[NewFile, ...]:
    """The files of a new site that the one in a folder can use: all except its configuration and content."""
    return tuple(sorted(_surroundings(site, folder), key=lambda file: file.path))


def _surroundings(site: NewSite, folder: Path | None = None) -> list[NewFile]:
    needs = _needs_of(folder) if folder is not None else ()
    diglot, package = diglot_requirement([need.extra for need in needs if need.extra])
    libraries = [need.requirement for need in needs if not need.extra]
    names = {"TITLE_EN": site.title.en, "REQUIREMENTS": "\n".join([diglot, *libraries])}
    files = [
        NewFile(path=_DOTTED.get(file.path, file.path), text=file.text)
        for file in templates_in("always", names)
    ]
    if package is not None and not (folder is not None and is_there(folder, REQUIREMENTS)):
        files.append(package)
    for kind in _USED_SCHEMAS:
        text = json.dumps(find_schema(kind), indent=2, ensure_ascii=False)
        files.append(NewFile(path=f".vscode/diglot/{kind}.json", text=f"{text}\n"))
    if site.host is not None:
        files.append(NewFile(path=WORKFLOWS[site.host], text=_workflow(site.host, folder)))
    return files


def _workflow(host: Host, folder: Path | None) -> str:
    """A host's workflow. On GitHub, large files are fetched only if it says so; GitLab does it by itself."""
    text = (_WORKFLOW_FOLDER / f"{host}.yml").read_text("utf-8")
    if host == "github" and folder is not None and _keeps_large_files(folder):
        text = _CHECKOUT.sub(r"\g<0>\n        with:\n          lfs: true # see .gitattributes", text)
    return text


_CHECKOUT = re.compile(r"^ *- uses: actions/checkout@.*$", re.MULTILINE)


def _keeps_large_files(folder: Path) -> bool:
    """Whether the folder's repository has files in Git LFS."""
    try:
        return "filter=lfs" in (folder / ".gitattributes").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _needs_of(folder: Path) -> tuple[Need, ...]:
    """What the site in a folder uses besides diglot."""
    try:
        project = load_project((folder / CONFIG).read_text("utf-8"), CONFIG)
    except (DiagnosticError, OSError, UnicodeDecodeError):  # `check` says why
        project = None
    return find_needs(folder, CONFIG, project)


def _check_configuration(files: list[NewFile]) -> None:
    text = next(file.text for file in files if file.path == CONFIG)
    try:
        load_project(text, CONFIG)
    except DiagnosticError as error:
        mistake = error.diagnostics[0]
        raise Refusal(mistake.message, mistake.fix or "choose another value.") from error
