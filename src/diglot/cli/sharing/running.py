"""Makes keys of shared caches, and adds to these caches after a build."""

import argparse
import os
from datetime import UTC, datetime
from importlib.util import find_spec

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.site import SECRET_VARIABLE as KEY
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal, counted
from diglot.rules.building import Site
from diglot.shared_cache.key_texts import SECRET, key_bytes

_LIBRARY_MISSING = "the library that signs shared caches is not installed"
_INSTALLING = "install it: pip install 'diglot[remote]'"


def run_keys(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print a new pair of keys."""
    if find_spec("cryptography") is None:
        raise Refusal(_LIBRARY_MISSING, _INSTALLING)
    from diglot.shared_cache.signatures import make_key_pair  # noqa: PLC0415  (loads a library of an extra)

    pair = make_key_pair()
    if arguments.json:
        terminal.result(as_json({"ok": True, **pair._asdict()}))
        return EXIT_DONE
    terminal.result(f"public, for `keys` of `cache` in the configuration:\n  {pair.public}")
    terminal.result(f"secret, for {KEY} where the cache is written, such as CI:\n  {pair.secret}")
    return EXIT_DONE


def take_secret(how: str) -> str:
    """The key to write with, empty to write nothing.

    The variable is removed, so that figure scripts and their processes do not inherit it. Raises Refusal for
    a text that is no key, or for `--shared-cache write` without one.
    """
    secret = os.environ.pop(KEY, "").strip()
    if how in ("read", "off"):
        return ""
    if not secret:
        if how == "write":
            raise Refusal(
                f"--shared-cache write needs the secret key in {KEY}",
                "make a pair with `diglot cache keys`.",
            )
        return ""
    if key_bytes(SECRET, secret) is None:
        raise Refusal(f"{KEY} is no secret key", f"it begins with {SECRET}; `diglot cache keys` makes one.")
    return secret


def share(site: Site, secret: str, terminal: Terminal) -> None:
    """Add the last build to the shared cache. What goes wrong is a warning, because the site is built."""
    if site.shared is None or not secret:
        return
    if find_spec("cryptography") is None:
        return  # the build has said so
    from diglot.shared_cache.signatures import public_of  # noqa: PLC0415  (loads a library of an extra)

    if site.options.shared is not None and public_of(secret) not in site.options.shared.keys:
        raise Refusal(
            f"nobody would believe what is written with {KEY}: its public key is not in `cache.keys`",
            f"add {public_of(secret)} to `keys` of `cache` in {site.options.config}.",
        )
    before = site.shared.notices()
    count = site.share(secret, now=datetime.now(UTC))
    terminal.diagnostics(tuple(one for one in site.shared.notices() if one not in before))
    if count:
        terminal.say(f"added {counted(count, 'task')} to the shared cache")
