"""Under which numbers this computer is found, also where it leads nowhere else."""

from __future__ import annotations

import fcntl
import socket
import struct

SIOCGIFADDR = 0x8915
SHOWN = 16  # bytes of an interface's name, the last one nought


def addresses() -> dict[str, str]:
    """The number of every network this computer is in, by interface; not its own loop."""
    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            asked = struct.pack("256s", name.encode()[: SHOWN - 1])
            try:
                told = fcntl.ioctl(probe, SIOCGIFADDR, asked)
            except OSError:
                continue  # has no number
            found[name] = socket.inet_ntoa(told[20:24])
    return {name: number for name, number in found.items() if not number.startswith("127.")}


def own_address() -> str:
    """The number phones reach this computer by; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation: routed, never answered
            return str(probe.getsockname()[0])
        except OSError:  # no way out, as in a network of its own
            return next(iter(addresses().values()), "127.0.0.1")
