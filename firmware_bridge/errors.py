"""What can go wrong between the table and its lights: one small tree.

LightsError
 ├── LinkLostError          the port is gone: cable pulled, adapter dead
 │    ├── PortMissingError    there is no such port
 │    ├── PortDeniedError     this user may not open it
 │    ├── PortBusyError       another program has it
 │    └── PortNotSerialError  that is something else
 ├── NoAnswerError          the port is there, the controller is silent
 ├── SessionLostError       the controller has started anew and knows nothing
 ├── RefusedError           the controller understood and said no
 └── FirmwareMismatchError  controller and program do not speak the same protocol

`word` names the kind for whoever says it in another language.
"""

from __future__ import annotations


class LightsError(Exception):
    """Something between the table and its lights."""

    word = "trouble"


class LinkLostError(LightsError):
    """The port is gone."""

    word = "lost"


class PortMissingError(LinkLostError):
    """There is no such port."""

    word = "port-missing"


class PortDeniedError(LinkLostError):
    """This user may not open the port."""

    word = "port-denied"


class PortBusyError(LinkLostError):
    """Another program has the port."""

    word = "port-busy"


class PortNotSerialError(LinkLostError):
    """What was named is no serial port."""

    word = "port-not-serial"


class NoAnswerError(LightsError):
    """The controller is silent."""

    word = "silent"


class SessionLostError(LightsError):
    """The controller has started anew: greet it and tell it everything again."""


class RefusedError(LightsError):
    """The controller understood and said no."""

    word = "refused"


class FirmwareMismatchError(LightsError):
    """Controller and program do not speak the same protocol."""

    word = "mismatch"
