"""The one thing that pages are served with and not published with: the script that keeps them up to date."""

from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import quote

from diglot.digests import digest_of
from diglot.serve.hub import State

OWN = "/__diglot"
_PARTS = ("patch.js", "overlay.js", "marks.js", "reload.js")


@cache
def browser_script() -> bytes:
    """The script, its parts in a scope of their own."""
    folder = files("diglot.serve").joinpath("browser")
    parts = [folder.joinpath(name).read_text("utf-8") for name in _PARTS]
    return "\n".join(["(() => {", *parts, "})();", ""]).encode()


@cache
def theme_script() -> bytes:
    """What the preview's own pages do before anything is drawn."""
    return files("diglot.serve").joinpath("browser", "theme.js").read_bytes()


def inject(page: bytes, state: State, *, base: str, status: int, own: bool = False) -> bytes:
    """A page with the script at the end of its body; as bytes, for a page may be in any encoding.

    `state` is to be read before the page is: a page newer than its number is looked at once more, one that
    is older would be believed. The preview's `own` pages show more than what changes files. The script is
    not deferred: it has to see the page before other scripts do.
    """
    version = digest_of(browser_script())[:8]
    facts = {
        "src": f"{OWN}/reload.js?{version}",
        "data-build": state.build,
        "data-base": quote(base),
        "data-status": status,
    }
    if own:
        facts["data-own"] = state.told
    words = " ".join(f'{name}="{escape(str(value))}"' for name, value in facts.items())
    tag = f"<script {words}></script>".encode()
    head, close, tail = page.rpartition(b"</body>")
    return head + tag + close + tail if close else page + tag
