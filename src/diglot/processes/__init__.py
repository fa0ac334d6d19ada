"""Processes without what they do: a pool of forked workers, framing of messages, cancellation, clean-up.

The pool runs pure functions. Work is handed in as calls, each with a result to come, like a future. Calls
wait until there are enough of them to be worth a process; where nobody can go on without one before that, it
runs here. A worker knows everything that this process had imported, talks through a socket, has no threads,
and ends when this process does.
"""

from diglot.processes.calls import PendingCall, Shared
from diglot.processes.worker_pool import AHEAD_S, WorkerPool

__all__ = ["AHEAD_S", "PendingCall", "Shared", "WorkerPool"]
