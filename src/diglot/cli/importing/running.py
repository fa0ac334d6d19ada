"""The command `import`."""

import argparse
import os
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path

import msgspec

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal, counted
from diglot.importing.site_import import Import, import_site
from diglot.importing.writing.files import Batch, state_of, write_batches
from diglot.importing.writing.report import account, report_name, report_text
from diglot.importing.writing.site_file import lacking_terms
from diglot.rules.options import CONFIG

_MOST_TOLD = 40
"""Findings printed; all of them are in the report."""
_MOST_LISTED = 400


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Convert a site or a post, and write what is new."""
    if arguments.output is None:
        raise Refusal(
            "the folder to write to is missing",
            "name it with -o: `-o .` for this one, `-o blog` for a new one.",
        )
    folder: Path = (arguments.root or Path()) / arguments.output
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file", "name a folder for the project.")
    source: Path = arguments.source.resolve()
    if folder.resolve() == source or source in folder.resolve().parents:
        raise Refusal(f"{folder} is in the source", "name a folder outside of the old site.")
    result = import_site(arguments.system, arguments.source, base_url=arguments.base_url or "")
    new, left, same = _sorted(result.batches, folder, force=arguments.force)
    lacking = ""
    if any(
        batch.name == CONFIG for batch in left
    ):  # a project gets more articles, and keeps its configuration
        left = [batch for batch in left if batch.name != CONFIG]
        lacking = lacking_terms((folder / CONFIG).read_text("utf-8", "replace"), result.labels)
    report = report_name(folder)
    summary = _summary(result, new, left, same, dry=arguments.dry_run)
    if not arguments.dry_run:
        text = report_text(
            summary, result.findings, result.ledger, command=_command(arguments), lacking=lacking
        )
        write_batches([*new, Batch(name=report, files={report: text})], folder)
    if arguments.json:
        terminal.result(as_json(_json(result, new, left, dry=arguments.dry_run)))
    else:
        _tell(result, terminal, report=folder / report, new=new, dry=arguments.dry_run)
        _conclude(summary, lacking, terminal, folder=folder, report=report, dry=arguments.dry_run)
    return EXIT_SITE_ERRORS if left else EXIT_DONE


def _sorted(
    batches: Sequence[Batch], folder: Path, *, force: bool
) -> tuple[list[Batch], list[Batch], list[Batch]]:
    """What is to be written, what is left alone because it would replace something, and what is there."""
    states = [(batch, state_of(batch, folder, force=force)) for batch in batches]
    return (
        [batch for batch, state in states if state in ("new", "replaced")],
        [batch for batch, state in states if state == "exists"],
        [batch for batch, state in states if state == "same"],
    )


def _summary(
    result: Import, new: Sequence[Batch], left: Sequence[Batch], same: Sequence[Batch], *, dry: bool
) -> list[str]:
    """What the import found and wrote, a line each."""
    files = sum(len(batch.files) for batch in new)
    found = [
        f"{counted(result.pairs, 'post')} in both languages",
        f"{result.single} in one",
        counted(result.pages, "page"),
        f"{counted(result.pictures, 'other file')}",
    ]
    lines = [
        f"{', '.join(found)}; {'would write' if dry else 'wrote'} {counted(files, 'file')}",
        account(result.ledger),
    ]
    if same:
        lines.append(f"{len(same)} left unchanged")
    lines += [f"left alone, because other files are there: {batch.name}" for batch in left]
    if left:
        lines.append("--force replaces them; to keep both, import into another folder")
    if not result.address:
        lines.append("the address of the site is not known: write it into site/site.yaml")
    return lines


def _command(arguments: argparse.Namespace) -> str:
    words = ["diglot", "import", arguments.system, str(arguments.source), "-o", str(arguments.output)]
    return shlex.join([*words, *(["--force"] if arguments.force else [])])


def _json(result: Import, new: Sequence[Batch], left: Sequence[Batch], *, dry: bool) -> dict[str, object]:
    return {
        "ok": not left,
        "pairs": result.pairs,
        "single": result.single,
        "pages": result.pages,
        "would_write" if dry else "written": [path for batch in new for path in batch.files],
        "left": [batch.name for batch in left],
        "files": msgspec.to_builtins(result.ledger),
        "findings": [
            {"path": one.path, "line": one.line or None, "message": one.message, "fix": one.fix or None}
            for one in result.findings
        ],
    }


def _tell(result: Import, terminal: Terminal, *, report: Path, new: Sequence[Batch], dry: bool) -> None:
    """Print the findings, and in a dry run the files that would be written."""
    for finding in result.findings[:_MOST_TOLD]:
        terminal.say(f"{finding}\n")
    if len(result.findings) > _MOST_TOLD:
        more = f"{len(result.findings) - _MOST_TOLD} more findings"
        terminal.say(f"{more} are not shown here\n" if dry else f"{more} are in {os.path.relpath(report)}\n")
    if dry:
        paths = [path for batch in new for path in batch.files]
        terminal.result("\n".join(paths[:_MOST_LISTED]))
        if len(paths) > _MOST_LISTED:
            terminal.result(f"… and {len(paths) - _MOST_LISTED} more")


def _conclude(
    summary: Sequence[str], lacking: str, terminal: Terminal, *, folder: Path, report: str, dry: bool
) -> None:
    """Print what was written, and what to do next."""
    terminal.say("\n".join(summary))
    if lacking:
        terminal.say(f"{CONFIG} already exists; what it lacks:\n{textwrap.indent(lacking.rstrip(), '  ')}")
    if dry:
        terminal.say("nothing was written")
        return
    here = os.path.relpath(folder)
    entering = "" if here == "." else f"cd {shlex.quote(here)} && "
    terminal.say(f"what to review is listed in {Path(here, report).as_posix()}")
    terminal.say(f"next: {entering}diglot serve --open")
