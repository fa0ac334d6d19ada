"""Counts for a family of attacks: how many were tried, which got through, what was lost."""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """The count of one family, kept while its test runs."""

    family: str
    tried: int = 0
    through: list[str] = field(default_factory=list)
    """Attacks that succeeded: a wrong page or number, a traceback, an escape, a hang."""
    lost: list[str] = field(default_factory=list)
    """Files that existed before an attack and not after it."""

    def __str__(self) -> str:
        """The counts in one line."""
        return f"{self.family}: {self.tried:,} tried, {len(self.through)} through, {len(self.lost)} lost"
