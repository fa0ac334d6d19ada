"""What a family of attacks came to: how many were tried, which got through, what was lost."""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """The count of one family, kept while its test runs."""

    family: str
    tried: int = 0
    through: list[str] = field(default_factory=list)
    """Attacks that did what they must not do: a wrong page or number, a traceback, an escape, a hang."""
    lost: list[str] = field(default_factory=list)
    """What was there before an attack and is not there after it."""

    def __str__(self) -> str:
        """A line for people."""
        return f"{self.family}: {self.tried:,} tried, {len(self.through)} through, {len(self.lost)} lost"
