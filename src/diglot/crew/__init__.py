"""Pure functions run by forked copies of this process, many calls at a time.

Work is handed in as calls, and what comes of them is like a future. It waits until there is enough of it for
the crew; if nobody can go on without it before that, it is done here. A copy knows all that this process had
imported; it talks through a socket, has no threads, and ends when this process does.
"""

from diglot.crew.calls import Shared, Work
from diglot.crew.crew import AHEAD_S, Crew

__all__ = ["AHEAD_S", "Crew", "Shared", "Work"]
