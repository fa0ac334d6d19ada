"""The addresses of static files, as templates ask for them: `asset("style.css")`."""

from collections.abc import Mapping

from diglot.diagnostics import did_you_mean
from diglot.render.addresses import Addresses


class AssetAddresses:
    """Gives templates the address of a file in `static/` of the theme or of `templates/`."""

    def __init__(self, assets: Mapping[str, str], addresses: Addresses) -> None:
        """`assets` leads from each file to its published path."""
        self._known = {name: addresses.path(path) for name, path in assets.items()}

    def __call__(self, name: str) -> str:
        """The address of a file. Raises LookupError for an unknown one, with the nearest known one."""
        try:
            return self._known[name]
        except KeyError:
            raise LookupError(f'no static file "{name}": {did_you_mean(name, self._known)}') from None
