"""The lines of `requirements.txt` that install this diglot elsewhere."""

from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote, urlsplit

from diglot import __version__
from diglot.installed import Origin, origin_of
from diglot.scaffold.files import NewFile

VENDOR = "vendor"
"""The folder of a site for packages that no index has."""


def diglot_requirement(extras: Collection[str] = ()) -> tuple[str, NewFile | None]:
    """The line, perhaps with a comment, and the file that it names if the site is given one.

    A wheel that diglot was installed from becomes a part of the site: no host has this machine's folders.
    """
    brackets = f"[{','.join(sorted(extras))}]" if extras else ""
    origin = origin_of("diglot")
    if origin is None:
        return f"diglot{brackets}=={__version__}", None
    if not origin.is_local:
        commit = f"@{origin.commit}" if origin.commit else ""
        return f"diglot{brackets} @ {origin.url}{commit}", None
    if (package := _file_of(origin)).is_file():
        path = f"{VENDOR}/{package.name}"
        return f"./{path}{brackets}", NewFile(path=path, copied=package)
    wheel = f"./{VENDOR}/diglot-{__version__}-py3-none-any.whl{brackets}"
    return (
        "# Only this machine has the diglot that made this site. To build the site on another one, run\n"
        f"#   pip wheel --no-deps --wheel-dir {VENDOR} {origin.url}\n"
        f"# add {VENDOR}/ to the project, and write {wheel} in place of the next line.\n"
        f"diglot{brackets} @ {origin.url}"
    ), None


def _file_of(origin: Origin) -> Path:
    return Path(unquote(urlsplit(origin.url).path))
