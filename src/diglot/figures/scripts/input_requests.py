"""Input requests: what a script's call lacks and its caller can provide.

A call that lacks an input ends with a request, and is begun again with the input. So a running call needs no
communication with its caller, on this machine or on another.
"""

import msgspec

from diglot.digests import digest_of


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one of the author's functions, one for each point of a sweep."""

    module: str
    """The module of the function; empty for the script itself."""
    function: str
    """Its qualified name, which has dots if it is in a class."""
    code: str
    """Digest of the function's code slice in the script. Empty for a function of a module, because imports of
    modules are observed."""
    arguments: tuple[bytes, ...]
    """Keyword arguments of each call, as JSON."""

    @property
    def digest(self) -> str:
        """Digest of all fields."""
        head = f"{self.module}\n{self.function}\n{self.code}\n".encode()
        return digest_of(head + b"\n".join(self.arguments))


class InputRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The missing input: exactly one of the two fields is set."""

    points: Points | None = None
    variable: str | None = None
    """Name of an environment variable, whose value on the building machine is wanted."""


class InputRequested(BaseException):
    """Ends a call that lacks an input. Not an Exception, so that scripts do not catch it as an error."""

    def __init__(self, input_request: InputRequest) -> None:
        super().__init__(input_request)
        self.input_request = input_request
