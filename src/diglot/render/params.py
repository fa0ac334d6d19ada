"""Values of a project's own (`params:`) as templates get them: read only, and in the page's language."""

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import ChainableUndefined

from diglot.languages import LANGUAGES, Language

_BOTH = {*LANGUAGES}


class Params(Mapping[str, Any]):
    """A mapping of `params:`. A mapping of exactly `zh` and `en` counts as the one in the page's language.

    What is not there is undefined: it is false, shows as nothing, and so is everything below it. Nothing can
    be changed, because pages share these values.
    """

    def __init__(self, values: Mapping[str, Any], language: Language) -> None:
        self._values = values
        self._language: Language = language

    def __getitem__(self, key: str) -> Any:
        if key not in self._values:
            return ChainableUndefined(name=key)
        return self._shown(self._values[key])

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key; `default` if it is not there."""
        return self[key] if key in self._values else default

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)

    def _shown(self, value: Any) -> Any:
        if isinstance(value, dict):
            if value.keys() == _BOTH:
                return self._shown(value[self._language])
            return Params(value, self._language)
        if isinstance(value, list):
            return tuple(map(self._shown, value))
        return value
