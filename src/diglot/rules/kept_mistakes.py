"""What was wrong with a finished site when it was last checked, as long as nothing has changed since.

It imports no task and no check, so that a check with nothing to do loads none.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from diglot.check.kept import Kept
from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of
from diglot.rules.building import SiteBuild
from diglot.rules.code import code_of_checks
from diglot.rules.options import SiteOptions

_MISTAKES = "mistakes"
"""A file in the cache."""


def kept_mistakes(
    options: SiteOptions,
    result: SiteBuild,
    base_url: str,
    find: Callable[[str], tuple[Diagnostic, ...]],
) -> tuple[Diagnostic, ...]:
    """What `find` finds in a finished site, or found in the last check if nothing has changed.

    `find` gets a text that changes with the checks and with what leads to the site: what it keeps of one
    check for the next holds as long as the text is the same.
    """
    code = code_of_checks(options.cache)
    kept = Kept.read(options.cache / _MISTAKES, code)
    purpose = f"{code} {base_url}"  # at another address, other links lead to the site
    mistakes = kept.value(_state(options, result), tuple[Diagnostic, ...], lambda: find(purpose))
    kept.write(options.cache / _MISTAKES, code)
    return mistakes


def content_files(root: Path) -> Iterator[str]:
    """The paths of all files in `content/`, used or not."""
    for folder, _, names in os.walk(root / "content"):
        yield from (f"{folder}/{name}".removeprefix(f"{root}/") for name in names)


def _state(options: SiteOptions, result: SiteBuild) -> str:
    """The digest of all that a site is made from, and of what else its checks look at."""
    inputs = (f"{key} {digest}" for key, digest in result.report.input_digests().items())
    everything = "\n".join([*sorted(inputs), *sorted(content_files(options.root))])
    return digest_of(everything.encode("utf-8", "surrogateescape"))
