"""Machines that share a cache: toy projects with stores of their own, and keys."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from diglot.engine import FILE, BuildReport, Key, Store, Target, build
from diglot.engine.store import INLINE_BYTES
from diglot.shared_cache.places import FolderPlace, Place
from diglot.shared_cache.reading import SharedCache
from diglot.shared_cache.signatures import make_key_pair, signer
from diglot.shared_cache.writing import share
from tests.engine.workshop import Workshop

OWN, STRANGER = make_key_pair(), make_key_pair()
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PAGES = ("page small", "page large", "page other")


async def page(fetch: Any, name: str) -> bytes:
    """A page whose value is small or, for one name, so large that it lies in a pack."""
    part = await fetch(Target("part"), name)
    return part * (INLINE_BYTES if name == "large" else 3)


async def part(fetch: Any, name: str) -> bytes:
    return b"<" + bytes(await fetch(FILE, name)) + b">"


class Machine(Workshop):
    """A project on a machine, with files that other machines have, too."""

    def __init__(
        self, root: Path, place: Callable[[], Place] | Path, *, keys: tuple[str, ...] = (OWN.public,)
    ) -> None:
        root.mkdir(parents=True)
        super().__init__(root)
        self.place = (lambda: FolderPlace(place)) if isinstance(place, Path) else place
        self.keys = keys
        for name in ("small", "large", "other"):
            self.write(name, f"text of {name}")
        self.rule(page, value_type=bytes)
        self.rule(part, value_type=bytes)
        self.others = self.cache()

    def cache(self) -> SharedCache:
        return SharedCache("the place", self.place, self.keys, folder=self.root / ".diglot/shared")

    def make(self, *targets: str) -> tuple[BuildReport, dict[str, bytes]]:
        """A build that may use what others made; its report and the values of its targets."""
        store, self.others = self.store(), self.cache()
        keys = [Key.parse(target) for target in targets or PAGES]
        try:
            surroundings = self.surroundings()
            with_others = type(surroundings)(
                **{name: getattr(surroundings, name) for name in surroundings.__struct_fields__}
                | {"others": self.others}
            )
            report = build(self.rules, keys, store=store, surroundings=with_others)
            values = {str(key): store.object(digest) for key, digest in report.values.items() if digest}
        finally:
            store.close()
            self.others.close()
        return report, values

    def share(self, secret: str = OWN.secret, *, now: datetime = NOW, private: tuple[str, ...] = ()) -> int:
        store, cache = Store(self.root / ".diglot"), self.cache()
        try:
            return share(cache, store, store.all_traces(), sign=signer(secret), now=now, private=private)
        finally:
            store.close()


def rules_of(machine: Machine) -> list[str]:
    return [one.message for one in machine.others.notices()]
