"""What a script tried that cannot be tracked, with what to do instead."""


class Refused(PermissionError):
    """A script tried something that cannot be tracked."""

    def __init__(self, action: str) -> None:
        """`action` is what it may not do, and after a colon what to do instead."""
        super().__init__(f"a figure script may not {action}")
        self.fix = f"{action.rpartition(': ')[2]}."
        """What to do instead, as a sentence."""
