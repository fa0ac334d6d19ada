"""A shared cache as a build sees it. Opened when a task would have to run: other builds cost nothing."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from diglot.cache_files import make_folder, read_file, remove
from diglot.diagnostics import Diagnostic, counted
from diglot.engine.keys import Key
from diglot.engine.others import OthersValue
from diglot.engine.traces import Trace
from diglot.shared_cache.bundles import (
    TRACES,
    VALUES,
    Bundle,
    ValuePlace,
    bundle_name,
    read_bundle,
    read_value,
    this_machine,
)
from diglot.shared_cache.places import Place, PlaceUnreachable
from diglot.shared_cache.portable import Folders, local

MOST_CLAIMS = 4
"""How many traces of a task are tried, the newest first: older ones rarely hold where these do not."""
MOST_TRACES_BYTES = 256 << 20
"""Larger files of traces are not fetched: whoever writes to a place without a key can put anything there."""
_NO_FOLDERS: Folders = {}


class SharedCache:
    """Traces and values that others have put into a place; those without a valid signature are left out."""

    def __init__(
        self,
        address: str,
        open_place: Callable[[], Place],
        keys: Sequence[str],
        *,
        folder: Path,
        folders: Folders = _NO_FOLDERS,
    ) -> None:
        """`keys` are the public keys that are trusted; `folder` keeps what was fetched for the next build.

        `folders` are those outside the project that traces may speak of.
        """
        self.folders = folders
        self._address = address
        self._open_place = open_place
        self._keys = keys
        self._folder = folder
        self._place: Place | None = None
        self._is_open = False
        self._sizes_bytes: dict[str, int] = {}
        self._claims: dict[Key, list[Trace]] = {}
        self._bundles: list[Bundle] = []
        self._places: dict[str, tuple[str, ValuePlace]] = {}
        self._unusable: set[str] = set()
        """Bundles whose file of values is lost or has another size."""
        self._fetched: set[str] = set()
        self._trouble = ""
        self._unsigned: list[str] = []
        self._damaged = 0

    def traces(self, key: Key, code: str) -> Sequence[Trace]:
        """Traces of a task whose rule has this code, the newest first."""
        self._open()
        claims = [one for one in self._claims.get(key, ()) if one.code == code]
        return [local(one, self.folders) for one in claims[:MOST_CLAIMS]]

    def has(self, digest: str) -> bool:
        """Whether a usable bundle has a value."""
        return (found := self._places.get(digest)) is not None and found[0] not in self._unusable

    def value(self, digest: str) -> OthersValue | None:
        """The value with a digest; None if it is lost or damaged. Fetches all values of its bundle."""
        if (found := self._places.get(digest)) is None:
            return None
        name, place = found
        self._fetch_values(name)
        value = None if name in self._unusable else read_value(place, self._bytes_at(name, place))
        if value is None:
            self._damaged += 1
            del self._places[digest]  # the task runs, and is not asked for again
        return value

    def lacks(
        self, traces: Mapping[Key, Trace], packed: Callable[[str], bool]
    ) -> tuple[dict[Key, Trace], set[str]]:
        """Those of some portable traces that the cache lacks, and the digests of values that it lacks.

        A value is lacked where only one out of a pack will do, as `packed` says, and there is another.
        """
        self._open()
        new = {key: trace for key, trace in traces.items() if trace not in self._claims.get(key, ())}
        lost = {
            trace.digest
            for trace in traces.values()
            if not self.has(trace.digest) or packed(trace.digest) > self._places[trace.digest][1].is_packed
        }
        return new, lost

    @property
    def names(self) -> Sequence[str]:
        """The names of all files in the place."""
        self._open()
        return tuple(self._sizes_bytes)

    def place(self) -> Place:
        """The place. Raises PlaceUnreachable."""
        self._open()
        if self._place is None:
            raise PlaceUnreachable(self._trouble)
        return self._place

    def leave_out(self, names: Collection[str]) -> None:
        """Treat some bundles as if they were not there, because they are about to be removed."""
        self._open()
        if any(bundle.name in names for bundle in self._bundles):
            self._bundles = [bundle for bundle in self._bundles if bundle.name not in names]
            self._claims.clear()
            self._places.clear()
            for bundle in self._bundles:
                self._take(bundle)

    def report(self, trouble: str) -> None:
        """Note why something could not be written."""
        self._trouble = trouble

    def close(self) -> None:
        """Remove fetched values, which are in the store by now; traces stay for the next build."""
        for name in self._fetched:
            remove(self._folder / f"{name}{VALUES}")
        self._fetched.clear()

    def notices(self) -> tuple[Diagnostic, ...]:
        """What its users should know: that it could not be reached, or that something in it is wrong."""
        found = []
        if self._trouble:
            found.append((f"could not be used: {self._trouble}", "the build went on without it."))
        if self._unsigned:
            found.append(
                (
                    f"has {counted(len(self._unsigned), 'bundle')} that no trusted key signed, or that are "
                    f"damaged, such as {self._unsigned[0]}",
                    "nothing of them was used; find out who wrote them, or remove them.",
                )
            )
        if self._damaged:
            found.append(
                (
                    f"has {counted(self._damaged, 'value')} that are lost or differ from their digest",
                    "they were made again here; remove the folder's files if this goes on.",
                )
            )
        return tuple(
            Diagnostic(
                rule="shared-cache",
                severity="warning",
                message=f"the shared cache {self._address} {message}",
                fix=fix,
            )
            for message, fix in found
        )

    def _open(self) -> None:
        if self._is_open:
            return
        self._is_open = True
        try:
            self._place = self._open_place()
            self._sizes_bytes = self._place.sizes_bytes()
            machine = this_machine()
            names = sorted(filter(None, (bundle_name(file, machine) for file in self._sizes_bytes)))
            self._forget_others(names)
            self._fetch_traces(names)
        except PlaceUnreachable as error:
            self._place, self._sizes_bytes, self._trouble = None, {}, str(error)
            return
        for name in reversed(names):
            content = read_file(self._folder / f"{name}{TRACES}")
            bundle = None if content is None else read_bundle(name, content, self._keys)
            if bundle is not None:
                self._bundles.append(bundle)
                self._take(bundle)
            elif content is not None:
                remove(self._folder / f"{name}{TRACES}")
                self._unsigned.append(name)

    def _take(self, bundle: Bundle) -> None:
        for key, trace in bundle.traces.items():
            self._claims.setdefault(key, []).append(trace)
        if self._sizes_bytes.get(f"{bundle.name}{VALUES}") != bundle.values_bytes:
            self._unusable.add(bundle.name)
        for place in bundle.values:
            known = self._places.get(place.digest)
            if known is None or known[0] in self._unusable or place.is_packed > known[1].is_packed:
                self._places[place.digest] = bundle.name, place

    def _forget_others(self, names: Sequence[str]) -> None:
        """Remove bundles from this machine that the place no longer has."""
        make_folder(self._folder)
        kept = {f"{name}{TRACES}" for name in names}
        for file in os.listdir(self._folder):
            if file not in kept:
                remove(self._folder / file)

    def _fetch_traces(self, names: Sequence[str]) -> None:
        files = [f"{name}{TRACES}" for name in names]
        missing = [
            file
            for file in files
            if self._sizes_bytes[file] <= MOST_TRACES_BYTES and not (self._folder / file).is_file()
        ]
        if missing and self._place is not None:
            self._place.fetch(missing, self._folder)

    def _fetch_values(self, name: str) -> None:
        if name in self._fetched or name in self._unusable or self._place is None:
            return
        self._fetched.add(name)
        try:
            self._place.fetch([f"{name}{VALUES}"], self._folder)
        except PlaceUnreachable as error:
            self._trouble = str(error)
            self._unusable.update(held for held, _ in self._places.values())  # no second wait
            self._unusable.add(name)

    def _bytes_at(self, name: str, place: ValuePlace) -> bytes:
        try:
            with open(self._folder / f"{name}{VALUES}", "rb") as file:
                return os.pread(file.fileno(), place.size, place.offset)
        except OSError:
            return b""
