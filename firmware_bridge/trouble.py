"""Why a port cannot be opened, in words a person can act on."""

from __future__ import annotations

import errno
import termios

from firmware_bridge.errors import (
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
    PortNotSerialError,
)

MISSING = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
DENIED = (errno.EACCES, errno.EPERM)
BUSY = (errno.EBUSY, errno.EAGAIN)  # the latter where somebody else holds the lock
NOT_SERIAL = (errno.ENOTTY, errno.EISDIR, errno.EINVAL)


def number_of(error: BaseException) -> int | None:
    """The system's number for what went wrong; pyserial keeps it in various places."""
    told = getattr(error, "errno", None)
    if isinstance(told, int):
        return told
    if isinstance(error, termios.error):
        return int(error.args[0])
    return None if error.__context__ is None else number_of(error.__context__)


def port_trouble(path: str, error: Exception) -> LinkLostError:
    """What to raise where a port could not be opened."""
    if path.startswith("socket://") and not path.rpartition(":")[2].isdigit():
        return PortMissingError(f"{path}: a socket wants its number too: socket://HOST:NUMBER")
    number = number_of(error)
    if number in MISSING:
        return PortMissingError(
            f"{path}: no such port; is the cable in? `arbitre lights find` lists what there is"
        )
    if number in DENIED:
        return PortDeniedError(
            f"{path}: this user may not use it; `sudo usermod -aG dialout $USER`, then log in anew"
        )
    if number in BUSY:
        return PortBusyError(
            f"{path}: another program uses it; is a table already running, or a serial monitor?"
        )
    if number in NOT_SERIAL:
        return PortNotSerialError(
            f"{path}: not a serial port; `arbitre lights find` lists what there is"
        )
    return LinkLostError(f"{path}: the lights' port cannot be opened: {error}")
