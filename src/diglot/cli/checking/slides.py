"""The part of `diglot check` that measures slides in Chromium."""

from diglot.check.chromium import ChromiumFailed, find_chromium
from diglot.check.slides_fit import check_fit
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic
from diglot.rules.building import Site
from diglot.rules.manifest import Manifest
from diglot.rules.sources import find_post
from diglot.rules.talks import make_printed_talk, make_talk_page


def check_slides(site: Site, manifest: Manifest, terminal: Terminal) -> tuple[Diagnostic, ...]:
    """Slides of talks whose text does not fit, if there is a Chromium to measure them."""
    posts = site.last_build.values(find_post)
    halves = make_talk_page.names_in(page.key for page in manifest.outputs)
    talks = [half for half in halves if half.article in posts]
    if not talks:
        return ()
    executable = find_chromium()
    if executable is None:
        terminal.say("not checked: whether slides overflow, because there is no Chromium on this machine")
        return ()
    _, pages = site.bring_up([make_printed_talk.key(half) for half in talks])
    found: list[Diagnostic] = []
    try:
        for half, page in zip(talks, pages, strict=True):
            if page is not None:
                found += check_fit(executable, page.decode(), posts[half.article].path(half.language))
    except ChromiumFailed as failure:
        terminal.say(f"not checked: whether slides overflow, because Chromium failed: {failure}")
    return tuple(found)
