"""What can go wrong between the table and its lights: one small tree.

LightsError
 ├── LinkLostError          the port is gone: cable pulled, adapter dead
 ├── NoAnswerError          the port is there, the controller is silent
 ├── SessionLostError       the controller has started anew and knows nothing
 ├── RefusedError           the controller understood and said no
 └── FirmwareMismatchError  controller and program do not speak the same protocol
"""

from __future__ import annotations


class LightsError(Exception):
    """Something between the table and its lights."""


class LinkLostError(LightsError):
    """The port is gone."""


class NoAnswerError(LightsError):
    """The controller is silent."""


class SessionLostError(LightsError):
    """The controller has started anew: greet it and tell it everything again."""


class RefusedError(LightsError):
    """The controller understood and said no."""


class FirmwareMismatchError(LightsError):
    """Controller and program do not speak the same protocol."""
