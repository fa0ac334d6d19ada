"""The catalogue and the calibration, loaded once: the answers to cases ask for them thousands of times."""

import functools

from diglot import hardware

load_catalogue = functools.cache(hardware.load_catalogue)
load_calibration = functools.cache(hardware.load_calibration)
