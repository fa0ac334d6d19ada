"""Guards the folder in which matplotlib stores its font list between processes.

matplotlib trusts whatever it finds there: a changed letter in the list means another font, a file called
matplotlibrc changes how figures look, and a lock left by a killed process makes every later one fail. So the
folder is emptied unless it is as the last process left it, and one process at a time loads matplotlib.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from diglot.cache_files import make_folder, read_file, remove, sealed, unsealed, write_file
from diglot.digests import digest_of

_SEAL = "whole"
"""Name of the file that records what the last process left."""
_PURPOSE = "matplotlib's folder"


@contextmanager
def checked(folder: Path) -> Iterator[None]:
    """Load matplotlib in this block. Its folder then contains only files that matplotlib put there."""
    import fcntl  # noqa: PLC0415  (systems without it cannot fork workers either)

    make_folder(folder)
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)  # released when the process ends, even if it is killed
        if unsealed(read_file(folder / _SEAL), _PURPOSE) != _held(folder):
            for path in folder.iterdir():
                remove(path)
        yield
        with suppress(OSError):  # without a seal, the next process empties the folder
            held = _held(folder)
            if unsealed(read_file(folder / _SEAL), _PURPOSE) != held:
                write_file(folder / _SEAL, sealed(held, _PURPOSE))
    finally:
        os.close(number)


def _held(folder: Path) -> bytes:
    """The names and digests of a folder's files, except the seal."""
    held = []
    for path in sorted(folder.iterdir()):
        if path.name != _SEAL:
            content = read_file(path)
            held.append(f"{path.name!r} {'no file' if content is None else digest_of(content)}")
    return "\n".join(held).encode()
