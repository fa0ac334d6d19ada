"""The report of an import, for the terminal and as `IMPORT.md`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from diglot.importing.records import Finding
from diglot.importing.source_folder import shown
from diglot.importing.writing.ledger import Ledger, Left

NAME = "IMPORT.md"

_FIRST = "# Import\n\nWritten by `"


def report_text(
    summary: Sequence[str], findings: Iterable[Finding], ledger: Ledger, *, command: str, lacking: str = ""
) -> str:
    """The report as a Markdown file: what was written, what is left to do, and what became of every file."""
    lines = [f"{_FIRST}{_plain(command)}`. Delete this file when you are done with it.", ""]
    lines += [f"- {line}" for line in summary]
    if lacking:
        lines += ["", "## To add to site/site.yaml", "", "```yaml", lacking.rstrip("\n"), "```"]
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.path, []).append(finding)
    if by_file:
        lines += ["", "## To look at", "", "Lines are those of the source files."]
    for path, found in by_file.items():
        lines += ["", f"### {_plain(shown(path))}", ""]
        for one in found:
            place = f"line {one.line}: " if one.line else ""
            message = one.message.rstrip(".")
            lines.append(f"- {place}{_plain(message)}.{f' To do: {_plain(one.fix)}' if one.fix else ''}")
    return "\n".join([*lines, *_files(ledger)]) + "\n"


def account(ledger: Ledger) -> str:
    """How many files there are in each group."""
    groups = (
        (len(ledger.converted), "converted"),
        (len(ledger.included), "included by articles"),
        (len(ledger.copied), "copied"),
        (len(ledger.configurations), "read as configuration"),
        (ledger.left_count, "left out"),
    )
    named = ", ".join(f"{count:,} {what}" for count, what in groups if count)
    return f"{ledger.count:,} {'file' if ledger.count == 1 else 'files'} of the blog: {named}"


def _files(ledger: Ledger) -> list[str]:
    """Every file of the blog, by what became of it."""
    lines = ["", "## Every file", "", f"{account(ledger)}."]
    if ledger.converted:
        lines += [
            "",
            f"### Converted ({len(ledger.converted):,})",
            "",
            "The numbers are letters and digits of the text, without tags and addresses: read, and written.",
            "",
        ]
        lines += [
            f"{_copy(entry.path, entry.became)}: {entry.read:,}, {entry.written:,}"
            for entry in ledger.converted
        ]
    if ledger.included:
        lines += ["", f"### Included by articles ({len(ledger.included):,})", ""]
        lines += [f"- {_code(path)}" for path in ledger.included]
    if ledger.copied:
        lines += ["", f"### Copied ({len(ledger.copied):,})", ""]
        lines += [_copy(entry.path, entry.became) for entry in ledger.copied]
    if ledger.configurations:
        lines += ["", f"### Read as configuration ({len(ledger.configurations):,})", ""]
        lines += [f"- {_code(path)}" for path in ledger.configurations]
    if ledger.left:
        lines += ["", f"### Left out ({ledger.left_count:,})", ""]
        lines += [
            f"- {_code(entry.path)}{_count(entry)}: {_plain(shown(entry.reason))}" for entry in ledger.left
        ]
    return lines


def _copy(path: str, became: Iterable[str]) -> str:
    return f"- {_code(path)} → {', '.join(map(_code, became))}"


def _count(entry: Left) -> str:
    return f" ({entry.count:,} {'file' if entry.count == 1 else 'files'})" if entry.path.endswith("/") else ""


def _code(path: str) -> str:
    return f"`{shown(path).replace('`', chr(0x2CB))}`"


def report_name(root: Path) -> str:
    """The file name for the report. It replaces an earlier report, but no file of the author."""
    name, number = NAME, 2
    while (root / name).exists() and not (root / name).read_text("utf-8", "replace").startswith(_FIRST):
        name, number = f"IMPORT-{number}.md", number + 1
    return name


def _plain(text: str) -> str:
    """A text in which a Markdown reader sees no tags."""
    return " ".join(text.split()).replace("<", "\\<")
