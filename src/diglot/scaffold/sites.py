"""The files of a new site."""

import datetime
import json
from pathlib import Path
from typing import Literal

import msgspec

from diglot import __version__
from diglot.diagnostics import DiagnosticError, Refusal
from diglot.installed import origin_of
from diglot.languages import Bilingual, Language
from diglot.project import load_project
from diglot.rules.options import CONFIG, PLACEHOLDER_URL
from diglot.scaffold.files import NewFile
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


def added_files(site: NewSite) -> tuple[NewFile, ...]:
    """The files of a new site that an existing one can use: all except its configuration and content."""
    return tuple(sorted(_surroundings(site), key=lambda file: file.path))


def _surroundings(site: NewSite) -> list[NewFile]:
    names = {"TITLE_EN": site.title.en, "REQUIREMENT": requirement()}
    files = [
        NewFile(path=_DOTTED.get(file.path, file.path), text=file.text)
        for file in templates_in("always", names)
    ]
    for kind in _USED_SCHEMAS:
        text = json.dumps(find_schema(kind), indent=2, ensure_ascii=False)
        files.append(NewFile(path=f".vscode/diglot/{kind}.json", text=f"{text}\n"))
    if site.host is not None:
        workflow = (_WORKFLOW_FOLDER / f"{site.host}.yml").read_text("utf-8")
        files.append(NewFile(path=WORKFLOWS[site.host], text=workflow))
    return files


def requirement() -> str:
    """The line that installs this diglot elsewhere, with a comment where no line can."""
    origin = origin_of("diglot")
    if origin is None:
        return f"diglot=={__version__}"
    if not origin.is_local:
        return f"diglot @ {origin.url}{f'@{origin.commit}' if origin.commit else ''}"
    wheel = f"./vendor/diglot-{__version__}-py3-none-any.whl"
    return (
        "# Only this machine has the diglot that made this site. To build the site on another one, run\n"
        f"#   pip wheel --no-deps --wheel-dir vendor {origin.url}\n"
        f"# add vendor/ to the project, and write {wheel} in place of the last line.\n"
        f"diglot @ {origin.url}"
    )


def _check_configuration(files: list[NewFile]) -> None:
    text = next(file.text for file in files if file.path == CONFIG)
    try:
        load_project(text, CONFIG)
    except DiagnosticError as error:
        mistake = error.diagnostics[0]
        raise Refusal(mistake.message, mistake.fix or "choose another value.") from error
