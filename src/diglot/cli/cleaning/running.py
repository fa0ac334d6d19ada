"""Removes the cache and the output."""

import argparse
import shutil

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import counted
from diglot.publishing.output_mark import is_marked
from diglot.publishing.unpublishing import Unpublished
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.rules.site_cache import doomed


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Remove the cache, and the output if it is diglot's."""
    options = site_options(arguments)
    if arguments.older_than is not None:
        return _forget(options, terminal, older_than_s=arguments.older_than, json=arguments.json)
    removed, left = [], ""
    is_cached = options.cache.is_dir()
    if is_cached or (not arguments.cache and is_marked(options.output)):
        aside = doomed(options.cache)
        with (
            Site(options, progress=terminal.told) as site,
            site.cache.alone(site.progress),
        ):
            unpublished = None if arguments.cache else site.cache.unpublish()
            shutil.rmtree(aside, ignore_errors=True)  # left by a process that was killed
            options.cache.rename(aside)  # in one step: a preview builds as soon as the lock is free
        shutil.rmtree(aside, ignore_errors=True)  # another build may be removing it, too
        if is_cached:
            removed.append(options.cache)
        if unpublished is not None:
            removed.append(options.output)
            left = _left_over(unpublished)
    names = [str(folder).removeprefix(f"{options.root}/") for folder in removed]
    if arguments.json:
        terminal.result(as_json({"ok": True, "removed": names}))
    else:
        terminal.say(f"removed {' and '.join(names)}{left}" if names else "nothing to remove")
    return EXIT_DONE


def _left_over(unpublished: Unpublished) -> str:
    """A phrase that says what remains of an output folder."""
    if unpublished.foreign_files:
        files = counted(len(unpublished.foreign_files), "file")
        return f", except {files} that diglot did not make: {', '.join(unpublished.foreign_files[:5])}"
    return "" if unpublished.whole else ", except what diglot did not make"


def _forget(options: SiteOptions, terminal: Terminal, *, older_than_s: int, json: bool) -> int:
    with Site(options, progress=terminal.told) as site:
        forgotten = site.cache.forget(older_than_s=older_than_s)
    if json:
        report = {"ok": True, "forgotten": forgotten.tasks, "freed_bytes": forgotten.freed_bytes}
        terminal.result(as_json(report))
    else:
        terminal.say(
            f"removed {counted(forgotten.tasks, 'task')} from the cache, freed "
            f"{forgotten.freed_bytes / 1e6:.1f} MB"
        )
    return EXIT_DONE
