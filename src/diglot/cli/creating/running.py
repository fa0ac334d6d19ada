"""Makes the files of something new."""

import argparse
from pathlib import Path

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError, Refusal, did_you_mean
from diglot.project import load_project
from diglot.rules.options import SiteOptions
from diglot.rules.sources import PAGES, POSTS, TALKS
from diglot.scaffold.files import NewFile, write_new
from diglot.scaffold.pairs import NewPair, pair_files
from diglot.scaffold.talks import talk_from
from diglot.scaffold.titles import titles_by_language


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write the files of something new and print their paths."""
    options = site_options(arguments)
    if arguments.new_command == "figure":
        from diglot.scaffold.figures import figure_file  # noqa: PLC0415  (only `new figure` needs it)

        files: tuple[NewFile, ...] = (
            figure_file(options.root, arguments.name, arguments.kind, article=arguments.post),
        )
    else:
        files = _pair(arguments, options)
    write_new(options.root, files)
    paths = [file.path for file in files]
    if arguments.json:
        terminal.result(as_json({"ok": True, "created": paths}))
    else:
        terminal.result("\n".join(paths))
        if arguments.new_command == "figure":
            _tell_how_to_show(Path(paths[0]).stem, arguments.kind, terminal)
        elif arguments.new_command == "post":
            _tell_unknown_tags(arguments.tags, options, terminal)
    return EXIT_DONE


def _pair(arguments: argparse.Namespace, options: SiteOptions) -> tuple[NewFile, ...]:
    if len(arguments.titles) > 2:
        raise Refusal(
            f"{len(arguments.titles)} titles are given",
            "put each title in quotes, first the Chinese one, then the English one.",
        )
    is_post = arguments.new_command == "post"
    titles = titles_by_language(arguments.titles) if arguments.titles else {}
    start = None
    if arguments.new_command == "talk":
        start = (
            talk_from(options.root, arguments.from_post, is_flat=arguments.flat)
            if arguments.from_post
            else None
        )
        if start is None and not titles:
            raise Refusal("no title is given", "write both titles, or name an article with --from.")
    pair = NewPair(
        section={"post": POSTS, "page": PAGES, "talk": TALKS}[arguments.new_command],
        titles=titles or (start.titles if start else {}),
        slug=arguments.slug or (start.slug if start and not titles else None),
        bodies=start.bodies if start else {},
        date=arguments.date or options.day if is_post else None,
        tags=arguments.tags if is_post else (),
        article=start.article if start else "",
        draft=arguments.draft,
        only=arguments.only,
        is_flat=arguments.flat,
    )
    return pair_files(options.root, pair)


def _tell_unknown_tags(tags: tuple[str, ...], options: SiteOptions, terminal: Terminal) -> None:
    """Say which tags have no label yet; a build warns of them, too."""
    try:
        text = (options.root / options.config).read_text("utf-8")
        known = {term.id for term in load_project(text, options.config).tags}
    except (OSError, UnicodeDecodeError, DiagnosticError):  # a build says what is wrong with it
        return
    for tag in tags:
        if tag not in known:
            hint = did_you_mean(tag, known, otherwise="add it there, with a label in both languages.")
            terminal.say(f'the tag "{tag}" is not in {options.config}: {hint}')


def _tell_how_to_show(name: str, kind: str, terminal: Terminal) -> None:
    """Say what to write in an article; a table has no drawing."""
    directive = "table" if kind == "table" else "figure"
    terminal.say(
        f"show it in both halves of an article:\n\n```{{{directive}}} {name}\nWhat readers see.\n```"
    )
