"""Joins a site with the cache that machines share."""

import os
import sys
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path
from typing import TYPE_CHECKING

import diglot
from diglot.engine import Store
from diglot.rules.options import SiteOptions
from diglot.rules.site_cache import reachable

if TYPE_CHECKING:
    from diglot.shared_cache.places import Place
    from diglot.shared_cache.reading import SharedCache

FOLDER = "shared"
"""Folder in the cache for what was fetched."""


def shared_cache_of(options: SiteOptions) -> "SharedCache | None":
    """The shared cache of a site; None where it has none. Nothing is opened yet."""
    if options.shared is None:
        return None
    from diglot.shared_cache.reading import SharedCache  # noqa: PLC0415  (few sites share a cache)

    address = options.shared.remote
    return SharedCache(
        address,
        partial(_open_place, address, options.root),
        options.shared.keys,
        folder=options.cache / FOLDER,
        folders=_folders(),
    )


def _open_place(address: str, root: Path) -> "Place":
    from diglot.shared_cache.opening import open_place  # noqa: PLC0415  (few sites share a cache)
    from diglot.shared_cache.places import PlaceUnreachable  # noqa: PLC0415  (likewise)

    if find_spec("cryptography") is None:
        raise PlaceUnreachable("what checks signatures is not installed: `pip install 'diglot[remote]'`")
    return open_place(address, root)


def share_site(
    cache: "SharedCache", options: SiteOptions, store: Store, secret: str, *, now: datetime
) -> int:
    """Add to a shared cache what the last build of a site used and the cache lacks; returns how many tasks.

    Raises ValueError if the text is no secret key.
    """
    from diglot.shared_cache.signatures import signer  # noqa: PLC0415  (loads a library of an extra)
    from diglot.shared_cache.writing import share  # noqa: PLC0415  (likewise)

    sign = signer(secret)
    traces = store.all_traces()
    tasks = reachable(traces)
    return share(
        cache,
        store,
        {key: trace for key, trace in traces.items() if key in tasks},
        sign=sign,
        now=now,
        private=_private(options),
    )


def _folders() -> dict[str, str]:
    """Where diglot and other packages are: in other folders on each machine, with the same files."""
    from diglot.render.theme import built_in_theme  # noqa: PLC0415  (loads the renderer)

    package = Path(diglot.__file__).parent
    return {"theme": str(built_in_theme()), "diglot": str(package), "packages": get_path("purelib")}


def _private(options: SiteOptions) -> tuple[str, ...]:
    """Paths of this machine, of which nothing that is shared may speak."""
    paths = {str(options.root), str(options.cache), os.path.realpath(options.root), str(Path.home())}
    paths |= {*_folders().values(), sys.prefix}
    return tuple(path for path in sorted(paths) if path not in ("/", "/usr"))
