"""The folder that matplotlib keeps its list of faces in, from one process to the next.

matplotlib believes whatever it finds there: a list with another letter in it names another face, a file
called matplotlibrc changes how figures look, and a lock that a killed process left ends every later one. So
the folder is emptied unless it is as the last process left it, and one process at a time loads matplotlib.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from diglot.cache_files import make_folder, read_file, remove, sealed, unsealed, write_file
from diglot.digests import digest_of

_SEAL = "whole"
"""The file that tells what was left."""
_PURPOSE = "matplotlib's folder"


@contextmanager
def checked(folder: Path) -> Iterator[None]:
    """While matplotlib is loaded: nothing is in its folder that it did not put there."""
    import fcntl  # where there is none, no worker can be forked either

    make_folder(folder)
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)  # a killed process lets go of it
        if unsealed(read_file(folder / _SEAL), _PURPOSE) != _held(folder):
            for path in folder.iterdir():
                remove(path)
        yield
        with suppress(OSError):  # then it is made again next time
            held = _held(folder)
            if unsealed(read_file(folder / _SEAL), _PURPOSE) != held:
                write_file(folder / _SEAL, sealed(held, _PURPOSE))
    finally:
        os.close(number)


def _held(folder: Path) -> bytes:
    """What a folder holds besides the seal: names and digests."""
    held = []
    for path in sorted(folder.iterdir()):
        if path.name != _SEAL:
            content = read_file(path)
            held.append(f"{path.name!r} {'no file' if content is None else digest_of(content)}")
    return "\n".join(held).encode()
