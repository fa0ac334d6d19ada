"""Environment variables for scripts, read by name through `env`, so that each is a dependency."""

import os
import sys
from collections.abc import Mapping

from diglot.figures.scripts.input_requests import InputRequest, InputRequested
from diglot.figures.scripts.worker_state import state

ENV_EVENT = "diglot.figures.env"
"""Audit event that reports a variable to the observer. Arguments: name, value or None."""

THREADS = (
    *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"),
)
"""Variables from which linear algebra libraries read their number of threads when they are loaded."""
_OWN = "DIGLOT_OWN_"
_FIXED = "DIGLOT_FIXED"
_KEPT = ("TMPDIR", "MPLCONFIGDIR", *THREADS)
_FOR_ALL = {
    **{"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "USER": "diglot", "LOGNAME": "diglot"},
    **{"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "MPLBACKEND": "agg"},
}
"""Variables in a script's `os.environ`, the same on every machine."""


def env(name: str, default: str | None = None) -> str | None:
    """The value of an environment variable, or the default if it is not set.

    In a worker this is the only way to read one, because `seal` empties `os.environ` of the machine's own.
    """
    variables: Mapping[str, str | None] = os.environ if state.variables is None else state.variables
    if state.requests_variables and name not in variables:
        raise InputRequested(InputRequest(variable=name))
    value = variables.get(name)
    sys.audit(ENV_EVENT, name, value)
    return default if value is None else value


def fix(environment: Mapping[str, str], fixed: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process that is started with the variables in `fixed`, and that calls `seal`.

    It also carries the values that these variables have in `environment`, because `env` returns those.
    """
    own = {_OWN + name: environment[name] for name in fixed if name in environment}
    return {**environment, **own, **fixed, _FIXED: " ".join(fixed)}


def seal() -> None:
    """Move all variables from `os.environ` to a copy that `env` reads, and set the same few on every machine.

    Temporary and matplotlib folders and thread counts stay. Changes the process: call it once, before any
    script runs.
    """
    fixed = os.environ.pop(_FIXED, "").split()
    own = {name: os.environ.pop(_OWN + name, None) for name in fixed}
    state.variables = {**os.environ, **own}
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, **_FOR_ALL)
    # The posix module has its own copy of the environment at start.
    posix = sys.modules.get("posix")
    if posix is not None:
        posix.environ.clear()
        posix.environ.update({key.encode(): value.encode() for key, value in _FOR_ALL.items()})


def replace_environment(variables: Mapping[str, str | None]) -> None:
    """Make `env` return these variables instead of this machine's, and request all others from the caller.

    For sites that are built on another machine. Changes the process: call it once, before a script runs.
    """
    state.variables, state.requests_variables = variables, True
