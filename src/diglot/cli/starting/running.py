"""The commands that need no site: `init`, `schema`."""

import argparse
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.terminal import Terminal, unfinished_address
from diglot.diagnostics import Refusal, counted
from diglot.languages import LANGUAGES, Bilingual
from diglot.rules.options import CONFIG, PLACEHOLDER_URL, today
from diglot.scaffold.files import NewFile, is_there, write_new
from diglot.scaffold.sites import DEFAULT_TITLE, WORKFLOWS, NewSite, added_files, site_files
from diglot.scaffold.titles import titles_by_language

NEXT = """\
  diglot serve --open                         # the site in your browser, updated on every save
  diglot new post "中文题目" "English title"  # your first article"""


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write a new site, or add to one what it lacks."""
    folder: Path = (arguments.root or Path()) / arguments.folder
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file", "name a folder for the site.")
    site = _chosen(arguments)
    is_site = is_there(folder, CONFIG)
    files = added_files(site, folder) if is_site else site_files(site)
    left = [file.path for file in files if is_there(folder, file.path)]
    added = [file for file in files if file.path not in left]
    write_new(folder, added)
    if arguments.json:
        report = {"ok": True, "folder": str(folder), "added": [file.path for file in added], "left": left}
        terminal.result(as_json(report))
    else:
        _tell(folder, added, left, is_site, terminal)
        if added and not is_site and site.base_url == PLACEHOLDER_URL:
            terminal.say(f"\n{unfinished_address(CONFIG, PLACEHOLDER_URL)}")
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
        terminal.say("left alone, because they already exist:")
        terminal.say("\n".join(f"  {path}" for path in left))
    if added and not is_site:
        entering = "" if here == "." else f"  cd {shlex.quote(here)}\n"
        terminal.say(f"\nnext:\n{entering}{NEXT}")


def _chosen(arguments: argparse.Namespace) -> NewSite:
    given = NewSite(
        title=_title(arguments.titles),
        base_url=arguments.base_url or PLACEHOLDER_URL,
        first_language=arguments.first_language,
        host=arguments.ci,
        is_empty=arguments.empty,
        today=arguments.clock or today(),
    )
    return _ask(given) if arguments.ask else given


def _title(titles: list[str]) -> Bilingual:
    if not titles:
        return DEFAULT_TITLE
    if len(titles) > 2:
        raise Refusal(f"{len(titles)} titles are given", "give one, or one in Chinese and one in English.")
    found = titles_by_language(titles)
    (first, *_) = found.values()
    return Bilingual(zh=found.get("zh", first), en=found.get("en", first))


def _ask(site: NewSite) -> NewSite:
    """The site as its author answers; an empty one keeps the proposal. Raises Refusal without a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refusal("--ask needs a terminal", "leave it out, and use --title, --base-url and the rest.")
    title = Bilingual(
        zh=_answer("Title in Chinese", site.title.zh), en=_answer("Title in English", site.title.en)
    )
    site = msgspec.structs.replace(site, title=title)
    site = _until_accepted(
        lambda: msgspec.structs.replace(site, base_url=_answer("Address when published", site.base_url))
    )
    first = _choice("First language", LANGUAGES, site.first_language or LANGUAGES[0])
    hosts = (*WORKFLOWS, "none")
    host = _choice("Publish with a workflow of", hosts, site.host or "none")
    example = _choice("Begin with an example article", ("yes", "no"), "no" if site.is_empty else "yes")
    return msgspec.structs.replace(
        site,
        first_language="en" if first == "en" else site.first_language,
        host=next((one for one in WORKFLOWS if one == host), None),
        is_empty=example == "no",
    )


def _until_accepted(answered: Callable[[], NewSite]) -> NewSite:
    while True:
        try:
            site = answered()
            site_files(site)
        except Refusal as refusal:
            print(f"  {refusal.message}: {refusal.fix}", file=sys.stderr)
        else:
            return site


def _choice(question: str, words: tuple[str, ...], proposed: str) -> str:
    while True:
        answer = _answer(f"{question} ({', '.join(words)})", proposed)
        found = [word for word in words if word.startswith(answer.casefold())]
        if len(found) == 1:
            return found[0]
        print(f'  "{answer}" is not one of {", ".join(words)}', file=sys.stderr)


def _answer(question: str, proposed: str) -> str:
    print(f"{question} [{proposed}]: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:  # the end of the input: nobody is there any more
        raise KeyboardInterrupt
    return " ".join(line.split()) or proposed
