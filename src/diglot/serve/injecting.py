"""Adds to served pages the script that keeps them up to date; published pages do not have it."""

from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import quote

from diglot.digests import digest_of
from diglot.serve.hub import State

OWN = "/__diglot"
_PARTS = ("patch.js", "overlay.js", "marks.js", "follow.js", "reload.js")


@cache
def browser_script() -> bytes:
    """The script: its parts, wrapped in one function scope."""
    folder = files("diglot.serve").joinpath("browser")
    parts = [folder.joinpath(name).read_text("utf-8") for name in _PARTS]
    return "\n".join(["(() => {", *parts, "})();", ""]).encode()


@cache
def theme_script() -> bytes:
    """The script of the preview's own pages that runs before anything is drawn."""
    return files("diglot.serve").joinpath("browser", "theme.js").read_bytes()


def inject(
    page: bytes, state: State, *, base: str, status: int, follow: bool = False, own: bool = False
) -> bytes:
    """A page (bytes, as it may have any encoding) with the script at the end of its body.

    Read `state` before the page. A page that is newer than its number is only checked again; one that is
    older would be taken as up to date. The preview's `own` pages also change when no file does. The script is
    not deferred, because it must see the page before other scripts do.
    """
    version = digest_of(browser_script())[:8]
    facts = {
        "src": f"{OWN}/reload.js?{version}",
        "data-build": state.build,
        "data-base": quote(base),
        "data-status": status,
        "data-saved": state.saved,
        "data-follow": "on" if follow else "off",
        "data-zone": state.time_zone,
    }
    if own:
        facts["data-own"] = state.told
    words = " ".join(f'{name}="{escape(str(value))}"' for name, value in facts.items())
    tag = f"<script {words}></script>".encode()
    head, close, tail = page.rpartition(b"</body>")
    return head + tag + close + tail if close else page + tag
