"""How the files of a site differ from what is published of it."""

import msgspec


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Paths from the site's root, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)
