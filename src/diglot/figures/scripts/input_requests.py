"""What a call of a script cannot go on without, and who calls it can get for it.

A call that asks for something ends there; it is begun again with what it asked for. So a call needs nobody
to talk to while it runs, on this machine or on another.
"""

import msgspec

from diglot.digests import digest_of


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one function of the author's, one for each point of a sweep."""

    module: str
    """The module the function stands in; empty for the script itself."""
    function: str
    """Its name there, with dots where it stands in a class."""
    code: str
    """Digest of what the function can reach in its script; empty where it stands in a module, for modules are
    observed when they are imported."""
    arguments: tuple[bytes, ...]
    """Of each call, by name, as JSON."""

    @property
    def digest(self) -> str:
        """Of all of it."""
        head = f"{self.module}\n{self.function}\n{self.code}\n".encode()
        return digest_of(head + b"\n".join(self.arguments))


class InputRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two."""

    points: Points | None = None
    variable: str | None = None
    """The name of a variable of the environment, which is that of the machine that builds."""


class InputRequested(BaseException):
    """Ends a call that asks for an input. Not an Exception, so that no script catches it as an error."""

    def __init__(self, input_request: InputRequest) -> None:
        super().__init__(input_request)
        self.input_request = input_request
