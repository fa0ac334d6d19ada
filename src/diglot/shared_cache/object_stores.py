"""A shared cache in an object store, by obstore."""

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, MemoryStore, from_url

from diglot.shared_cache.places import FILE_NAME, WAIT_S, PlaceUnreachable

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore, RetryConfig

_AT_ONCE = 8
"""Downloads at the same time."""
_CLIENT: "ClientConfig" = {"connect_timeout": timedelta(seconds=WAIT_S), "timeout": timedelta(seconds=600)}
_RETRIES: "RetryConfig" = {"max_retries": 2, "retry_timeout": timedelta(seconds=WAIT_S)}
_IN_MEMORY: dict[str, MemoryStore] = {}
"""Stores in the memory of this process, by address, for tests."""


class ObjectPlace:
    """A bucket, or what is below a prefix in it. Credentials are those that its service's tools use."""

    def __init__(self, address: str) -> None:
        """Raises PlaceUnreachable if the address or the credentials make no sense."""
        self._store: ObjectStore
        try:
            if address.startswith("memory://"):
                self._store = _IN_MEMORY.setdefault(address, MemoryStore())
            elif address.startswith("file://"):
                self._store = LocalStore(address.removeprefix("file://"), mkdir=True)
            else:
                self._store = from_url(address, client_options=_CLIENT, retry_config=_RETRIES)
        except (BaseError, ValueError, OSError) as error:
            raise _unreachable(error) from error

    def sizes_bytes(self) -> dict[str, int]:
        """The names of all objects with their sizes."""
        try:
            return {
                one["path"]: one["size"]
                for some in obstore.list(self._store)
                for one in some
                if FILE_NAME.fullmatch(one["path"])
            }
        except NotFoundError:
            return {}
        except (BaseError, OSError) as error:
            raise _unreachable(error) from error

    def fetch(self, names: Collection[str], folder: Path) -> None:
        """Download objects, several at a time."""

        def fetch(name: str) -> None:
            try:
                chunks = obstore.get(self._store, name)
                with (folder / name).open("wb") as file:
                    for chunk in chunks:
                        file.write(chunk)
            except (NotFoundError, FileNotFoundError):
                (folder / name).unlink(missing_ok=True)

        try:
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                list(threads.map(fetch, names))
        except (BaseError, OSError) as error:
            raise _unreachable(error) from error

    def put(self, files: Mapping[str, bytes]) -> None:
        """Upload objects one after the other."""
        try:
            for name, content in files.items():
                obstore.put(self._store, name, content)
        except (BaseError, OSError) as error:
            raise _unreachable(error) from error

    def remove(self, names: Collection[str]) -> None:
        """Delete objects."""
        try:
            for name in names:
                obstore.delete(self._store, name)
        except (NotFoundError, FileNotFoundError):
            return
        except (BaseError, OSError) as error:
            raise _unreachable(error) from error


def _unreachable(error: Exception) -> PlaceUnreachable:
    return PlaceUnreachable((str(error).strip().splitlines() or [type(error).__name__])[0])
