"""The report of an import, for the terminal and as `IMPORT.md`."""

from collections.abc import Iterable, Sequence

from diglot.importing.records import Finding

NAME = "IMPORT.md"


def report_text(summary: Sequence[str], findings: Iterable[Finding], *, command: str) -> str:
    """The report as a Markdown file: what was written, and what is left to do, by source file."""
    lines = ["# Import", "", f"Written by `{command}`. Delete this file when you are done with it.", ""]
    lines += [f"- {line}" for line in summary]
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


def _plain(text: str) -> str:
    """A text in which Markdown readers see no tags."""
    return " ".join(text.split()).replace("<", "\\<")
