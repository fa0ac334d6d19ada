"""The commands that need no site: `init`, `schema`."""

import argparse
import os
import shlex
from pathlib import Path

from diglot.cli.parsing import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.terminal import Terminal, counted
from diglot.diagnostics import Refusal
from diglot.languages import Bilingual
from diglot.rules.options import CONFIG, today
from diglot.scaffold.files import NewFile, is_there, write_new
from diglot.scaffold.sites import DEFAULT_BASE_URL, DEFAULT_TITLE, NewSite, added_files, site_files
from diglot.scaffold.titles import titles_by_language

NEXT = """\
  diglot serve --open                         # the site in your browser; every save shows at once
  diglot new post "中文题目" "English title"  # your first article"""


def init_command(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write a new site, or add to one what it lacks."""
    folder: Path = (arguments.root or Path()) / arguments.folder
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file", "name a folder for the site.")
    site = _chosen(arguments)
    is_site = is_there(folder, CONFIG)
    files = added_files(site) if is_site else site_files(site)
    left = [file.path for file in files if is_there(folder, file.path)]
    added = [file for file in files if file.path not in left]
    write_new(folder, added)
    if arguments.json:
        report = {"ok": True, "folder": str(folder), "added": [file.path for file in added], "left": left}
        terminal.result(as_json(report))
    else:
        _tell(folder, added, left, is_site, terminal)
    return EXIT_DONE


def schema_command(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print a JSON Schema."""
    from diglot.scaffold.schemas import find_schema  # noqa: PLC0415  (it loads the hardware library)

    terminal.result(as_json(find_schema(arguments.kind)))
    return EXIT_DONE


def _tell(folder: Path, added: list[NewFile], left: list[str], is_site: bool, terminal: Terminal) -> None:
    here = os.path.relpath(folder)
    where = "this folder" if here == "." else here
    if is_site:
        terminal.say(f"{where} holds a site already: its configuration and content stay as they are")
    if added:
        terminal.say(f"added {counted(len(added), 'file')} to {where}:")
        terminal.say("\n".join(f"  {file.path}" for file in added))
    else:
        terminal.say("nothing to add")
    if left:
        terminal.say("left alone, because they are there already:")
        terminal.say("\n".join(f"  {path}" for path in left))
    if added and not is_site:
        entering = "" if here == "." else f"  cd {shlex.quote(here)}\n"
        terminal.say(f"\nnext:\n{entering}{NEXT}")


def _chosen(arguments: argparse.Namespace) -> NewSite:
    given = NewSite(
        title=_title(arguments.titles),
        base_url=arguments.base_url or DEFAULT_BASE_URL,
        first_language=arguments.first_language,
        host=arguments.ci,
        is_empty=arguments.empty,
        today=arguments.clock or today(),
    )
    if not arguments.ask:
        return given
    from diglot.cli.asking import ask  # noqa: PLC0415  (few ask for questions)

    return ask(given)


def _title(titles: list[str]) -> Bilingual:
    if not titles:
        return DEFAULT_TITLE
    if len(titles) > 2:
        raise Refusal(f"{len(titles)} titles are given", "give one, or one in Chinese and one in English.")
    found = titles_by_language(titles)
    (first, *_) = found.values()
    return Bilingual(zh=found.get("zh", first), en=found.get("en", first))
