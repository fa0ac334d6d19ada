"""The words of the old systems, which `words.yaml` lists."""

from pathlib import Path

import msgspec

_FILE = Path(__file__).with_name("words.yaml")
_WORDS = msgspec.yaml.decode(_FILE.read_bytes(), type=dict[str, frozenset[str]])


def words(name: str) -> frozenset[str]:
    """The words that are listed under a name."""
    return _WORDS[name]
