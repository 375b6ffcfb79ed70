"""The USB side of boards one can buy; only a hint, nobody is kept from naming another port."""

from __future__ import annotations

KNOWN = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x55D4): "CH9102",
    (0x0403, 0x6001): "FTDI FT232",
    (0x0403, 0x6015): "FTDI FT231",
    (0x10C4, 0xEA60): "CP2102",
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x2341, 0x0058): "Arduino Nano",
}
