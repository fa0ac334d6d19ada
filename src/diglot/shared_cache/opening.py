"""Opens the place at an address."""

from pathlib import Path

from diglot.shared_cache.addresses import OBJECT_STORE, RSYNC
from diglot.shared_cache.places import FolderPlace, Place, PlaceUnreachable


def open_place(address: str, root: Path) -> Place:
    """The place at an address. A folder is relative to the project `root`. Loads what it needs.

    Raises PlaceUnreachable if that is not installed.
    """
    if OBJECT_STORE.fullmatch(address):
        try:
            from diglot.shared_cache.object_stores import ObjectPlace  # noqa: PLC0415  (only object stores need it)
        except ModuleNotFoundError:
            raise PlaceUnreachable("obstore is not installed: `pip install 'diglot[remote]'`") from None
        return ObjectPlace(address)
    if RSYNC.fullmatch(address):
        from diglot.shared_cache.rsync_places import RsyncPlace  # noqa: PLC0415  (only rsync needs it)

        return RsyncPlace(address)
    return FolderPlace(root / Path(address).expanduser())
