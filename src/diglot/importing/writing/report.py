"""The report of an import, for the terminal and as `IMPORT.md`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from diglot.importing.records import Finding

NAME = "IMPORT.md"

_FIRST = "# Import\n\nWritten by `"


def report_text(
    summary: Sequence[str], findings: Iterable[Finding], *, command: str, lacking: str = ""
) -> str:
    """The report as a Markdown file: what was written, and what is left to do, by source file."""
    lines = [f"{_FIRST}{command}`. Delete this file when you are done with it.", ""]
    lines += [f"- {line}" for line in summary]
    if lacking:
        lines += ["", "## To add to site/site.yaml", "", "```yaml", lacking.rstrip("\n"), "```"]
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.path, []).append(finding)
    if by_file:
        lines += ["", "## To look at", "", "Lines are those of the source files."]
    for path, found in by_file.items():
        lines += ["", f"### {path}", ""]
        for one in found:
            place = f"line {one.line}: " if one.line else ""
            message = one.message.rstrip(".")
            lines.append(f"- {place}{_plain(message)}.{f' To do: {_plain(one.fix)}' if one.fix else ''}")
    return "\n".join(lines) + "\n"


def report_name(root: Path) -> str:
    """The file name for the report. It replaces an earlier report, but no file of the author."""
    name, number = NAME, 2
    while (root / name).exists() and not (root / name).read_text("utf-8", "replace").startswith(_FIRST):
        name, number = f"IMPORT-{number}.md", number + 1
    return name


def _plain(text: str) -> str:
    """A text in which a Markdown reader sees no tags."""
    return " ".join(text.split()).replace("<", "\\<")
