"""Process handling that knows nothing of the work: a pool of forked workers, message framing, cancellation.

The pool runs pure functions. Each call that is handed in returns a pending result, like a future. Calls are
collected until there are enough to be worth forking for; if a result is needed before that, the call runs in
this process. A worker has every module that this process had imported when it forked, communicates through a
socket, has no threads, and ends when this process does.
"""

from diglot.processes.calls import PendingCall, Shared
from diglot.processes.worker_pool import AHEAD_S, WorkerPool

__all__ = ["AHEAD_S", "PendingCall", "Shared", "WorkerPool"]
