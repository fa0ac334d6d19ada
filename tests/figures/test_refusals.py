"""What is refused does not depend on how diglot is installed."""

import os
from pathlib import Path

import pytest

import diglot
from diglot.figures.observation import refusals


@pytest.mark.parametrize("installed", ["as a package", "from a checkout"])
def test_a_script_may_not_look_at_the_machine_wherever_diglot_is(
    installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    standard, packages = refusals._libraries()
    if installed == "as a package":
        packages = (*packages, str(Path(diglot.__file__).parents[1]) + os.sep)
    monkeypatch.setattr(refusals, "_libraries", lambda: (standard, packages))

    assert refusals.why_not_opened("/proc/cpuinfo") is not None
    assert refusals.why_refused("ctypes.dlopen", ("libc.so.6",)) is not None
