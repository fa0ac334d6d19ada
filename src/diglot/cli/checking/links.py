"""The part of `diglot check --external` that asks other sites about links, and tells it on the terminal."""

import argparse

from diglot.check.external_links import ask_about, check_external, external_links
from diglot.check.link_requests import Pace
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic
from diglot.project import Project
from diglot.rules.building import Site, SiteBuild
from diglot.rules.finished import read_finished


def check_links(
    site: Site, result: SiteBuild, project: Project, arguments: argparse.Namespace, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """What is wrong with links to other sites."""
    with site.last_build.records() as records:
        pages = read_finished(site.options, records, result, project).site
        links = external_links(pages)
        done: list[str] = []

        def tell(address: str) -> None:
            done.append(address)
            terminal.progress(len(done), len(links), address)

        pace = None if arguments.offline else Pace()
        asked = ask_about(links, site.options.cache, max_age_s=arguments.max_age, pace=pace, told=tell)
        remembered = len(links) - len(done) if pace else len(asked.answers)
        known = f", {remembered} of them checked earlier" if remembered else ""
        why = "no server can be found: is this machine online?" if pace else "--offline"
        unknown = f", {asked.unknown} not checked ({why})" if asked.unknown else ""
        terminal.say(f"links to other sites: {len(links)}{known}{unknown}")
        return tuple(check_external(pages, links, asked.answers))
