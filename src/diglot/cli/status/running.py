"""`diglot status`: which blocks of which half are behind their twins."""

import argparse
from collections.abc import Iterator, Sequence

from diglot.cli.command import EXIT_BEHIND, EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import Report, as_json, diagnostics_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Location, Refusal, counted
from diglot.languages import LANGUAGES, NAMES, Language, twin_of
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.rules.sources import PostFiles
from diglot.rules.status import Status, find_pairs, find_status
from diglot.staleness.comparing import Finding
from diglot.staleness.words import explained

_MOST_NAMED = 5


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Tell what is behind, or hand it to a translator, or take it back."""
    options = site_options(arguments, writes_elsewhere=True)
    if arguments.export is None and arguments.taken_back is None:
        return status_command(arguments, options, terminal)
    if arguments.taken_back and (arguments.export or arguments.articles or arguments.explain):
        raise Refusal(
            "--import goes with nothing but its files",
            "use --import by itself; the files name their articles.",
        )
    from diglot.cli.status import translating  # noqa: PLC0415  (only --export and --import need it)

    command = translating.export_command if arguments.export else translating.import_command
    return command(arguments, options, terminal)


def status_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Compare articles with their `sync.txt`."""
    with Site(options, progress=terminal.told) as site:
        posts = find_pairs(site, arguments.articles)
        status = find_status(site, posts)
    behind = sum(len(one.findings or ()) for one in status.articles) + len(status.outdated)
    if arguments.json:
        report = diagnostics_report(
            (*status.mistakes, *status.outdated), failed=bool(status.mistakes or behind)
        )
        terminal.result(as_json({**report, **_report(status)}))
    else:
        for article in status.articles:
            for finding in article.findings or ():
                terminal.result(_told(article.post, finding))
                for line in _explained(finding) if arguments.explain else ():
                    terminal.result(f"    {line}")
        for outdated in status.outdated:
            terminal.result(f"{outdated.location}: {outdated.message}; {_without_stop(outdated.fix or '')}")
        terminal.diagnostics(status.mistakes)
        _tell_uncompared(status.uncompared, terminal)
        _tell_untracked(status.untracked, terminal)
        if status.articles:
            compared = counted(len(status.articles), "article")
            terminal.say(f"compared {compared}: {_counts(status) if behind else 'everything is in step'}")
    if status.mistakes:
        return EXIT_SITE_ERRORS
    return EXIT_BEHIND if behind else EXIT_DONE


def _without_stop(sentence: str) -> str:
    return sentence.removesuffix(".")


def _tell_uncompared(posts: Sequence[PostFiles], terminal: Terminal) -> None:
    if posts:
        names = ", ".join(post.name for post in posts[:_MOST_NAMED])
        more = f" and {len(posts) - _MOST_NAMED} more" if len(posts) > _MOST_NAMED else ""
        terminal.say(f"numbers not compared: {names}{more}; `diglot build` says what is wrong there")


def _tell_untracked(posts: Sequence[PostFiles], terminal: Terminal) -> None:
    if not posts:
        return
    names = [post.name for post in posts[:_MOST_NAMED]]
    more = f" and {len(posts) - len(names)} more" if len(posts) > len(names) else ""
    terminal.say(
        f"untracked: {', '.join(names)}{more}. Once both halves of one say the same, "
        f"`diglot sync {names[0]}` starts tracking it; `diglot sync --all` does so for all articles."
    )


def _counts(status: Status) -> str:
    findings = [one for article in status.articles for one in article.findings or ()]
    parts = [
        f"{NAMES[language]} is behind in {counted(count, 'place')}"
        for language in LANGUAGES
        if (count := sum(one.behind == language for one in findings))
    ]
    if status.outdated:
        parts.append(f"{counted(len(status.outdated), 'typed number')} of earlier figures")
    if both := sum(one.behind is None for one in findings):
        parts.append(f"both halves have changed in {counted(both, 'place')}")
    return "; ".join(parts)


def _told(post: PostFiles, finding: Finding) -> str:
    """A line that says where, what, and since when."""
    since = f" since {finding.since.isoformat()}" if finding.since else ""
    named = f"{finding.id} ({finding.kind})"
    if finding.behind is None:
        places = [_place(post, one, finding) for one in LANGUAGES if finding.of(one).unit is not None]
        if finding.zh.before is None and finding.en.before is None:
            return f"{places[0]}: {named} is new in both halves; {_CONFIRM}"
        return f"{', '.join(places)}: {named} has changed in both halves{since}; {_CONFIRM}"
    newer = twin_of(finding.behind)
    there = _place(post, newer, finding)
    here = _place(post, finding.behind, finding)
    match finding.change:
        case "added":
            what = f"{there} has {named}, which is missing below this line"
        case "removed":
            what = f"{there} has dropped {named}{since}"
        case "moved":
            what = f"{there} has moved {named}{since}"
        case _:
            what = f"{there} has changed {named}{since}"
    return f"{here}: behind: {what}"


_CONFIRM = "if they say the same, `diglot sync` takes that down"


def _place(post: PostFiles, language: Language, finding: Finding) -> str:
    unit = finding.of(language).unit
    line = unit.line if unit else finding.after.last_line if finding.after else None
    return str(Location(path=post.path(language), line=line))


def _explained(finding: Finding) -> Iterator[str]:
    """What changed, in the form of `git diff --word-diff`."""
    if finding.change == "moved":
        return
    for language in LANGUAGES:
        if language == finding.behind:
            continue
        unit = finding.of(language).unit
        text = explained(finding.of(language).before or "", unit.text if unit else "")
        yield from (f"{language}  {line}".rstrip() for line in text.splitlines())


def _report(status: Status) -> Report:
    return {
        "articles": [
            {
                "name": one.post.name,
                "sync": one.post.sync,
                "compared": one.findings is not None,
                "blocks": [_finding_report(one.post, finding) for finding in one.findings or ()],
            }
            for one in status.articles
        ],
        "untracked": [post.name for post in status.untracked],
    }


def _finding_report(post: PostFiles, finding: Finding) -> Report:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "change": finding.change,
        "behind": finding.behind,
        "since": finding.since.isoformat() if finding.since else None,
        "halves": {
            language: {
                "path": post.half(language),
                "line": unit.line if (unit := finding.of(language).unit) else None,
                "before": finding.of(language).before,
                "now": unit.text if unit else None,
            }
            for language in LANGUAGES
        },
    }
