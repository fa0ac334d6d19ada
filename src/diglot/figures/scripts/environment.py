"""Variables of the environment, for scripts: asked for by name, so that a change of one is noticed."""

import os
import sys
from collections.abc import Mapping

from diglot.figures.scripts.input_requests import InputRequest, InputRequested

ENV_EVENT = "diglot.figures.env"
"""The audit event that tells the observer which variable was read, and what it held."""

THREADS = (
    *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"),
)
"""What libraries for linear algebra read when they are loaded."""
_OWN = "DIGLOT_OWN_"
_FIXED = "DIGLOT_FIXED"
_KEPT = ("TMPDIR", "MPLCONFIGDIR", *THREADS)
_FOR_ALL = {
    **{"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "USER": "diglot", "LOGNAME": "diglot"},
    **{"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "MPLBACKEND": "agg"},
}
"""What a script finds in `os.environ`, on every machine."""
_sealed: dict[str, str | None] = {}
_is_sealed: list[bool] = []
_elsewhere: list[bool] = []


def env(name: str, default: str | None = None) -> str | None:
    """The value of a variable of the environment, or the default.

    In a worker this is the only way to one: `os.environ` holds nothing there that differs between machines.
    """
    if _elsewhere and name not in _sealed:
        raise InputRequested(InputRequest(variable=name))
    value = (_sealed if _is_sealed else os.environ).get(name)
    sys.audit(ENV_EVENT, name, value)
    return default if value is None else value


def fix(environment: Mapping[str, str], fixed: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process for which some variables are fixed, and which shall `seal` itself.

    Its scripts get the values that those have in `environment`: they are what a change is noticed by.
    """
    own = {_OWN + name: environment[name] for name in fixed if name in environment}
    return {**environment, **own, **fixed, _FIXED: " ".join(fixed)}


def seal() -> None:
    """Take the variables away from `os.environ`, all but what the system itself needs to run programs.

    Changes the process; called once, before any script runs.
    """
    fixed = os.environ.pop(_FIXED, "").split()
    own = {name: os.environ.pop(_OWN + name, None) for name in fixed}
    _sealed.update({**os.environ, **own})
    _is_sealed.append(True)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, **_FOR_ALL)
    # Python's own copy of what it was started with.
    posix = sys.modules.get("posix")
    if posix is not None:
        posix.environ.clear()
        posix.environ.update({key.encode(): value.encode() for key, value in _FOR_ALL.items()})


def replace_environment(variables: Mapping[str, str | None]) -> None:
    """Let scripts see these variables instead of this machine's; a call that reads another asks for it.

    Changes the process; called once, before a script runs, where the site is built on another machine.
    """
    _sealed.clear()
    _sealed.update(variables)
    _elsewhere.append(True)
