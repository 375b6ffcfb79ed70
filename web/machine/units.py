"""The files that make a computer a table: service, device names, network, rights. Texts only."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.known import KNOWN

PREFIX = "/opt/arbitre"
STATE = "/var/lib/arbitre"
CONFIG = "/etc/arbitre/arbitre.toml"
HOTSPOT = "/etc/arbitre/hotspot.toml"  # for the page, which shows it as a picture to scan
USER = "arbitre"
LIGHTS = "arbitre-lights"  # /dev/arbitre-lights, whichever socket it was plugged into
CONNECTION = "arbitre-hotspot"
GATEWAY = "10.42.0.1"
NAMESPACE = uuid.UUID("0c2f7a5e-6a4b-4d0a-9f0e-3f6d1c9f7b21")


@dataclass(frozen=True)
class Wifi:
    """The table's own network."""

    name: str
    password: str


def service(prefix: str = PREFIX, config: str = CONFIG) -> str:
    """Devices stay reachable: cameras and controllers are plugged in under names nobody knows."""
    return f"""\
[Unit]
Description=Arbitre, the table that knows the rules
After=network.target avahi-daemon.service

[Service]
Type=exec
User={USER}
Group={USER}
SupplementaryGroups=video render dialout
ExecStart={prefix}/current/.venv/bin/arbitre play --data {STATE} --config {config}
Environment=ARBITRE_SERVICE=1 PYTHONUNBUFFERED=1 XDG_CACHE_HOME={STATE}/cache
WorkingDirectory={prefix}/current
StateDirectory={USER}
StateDirectoryMode=0750
Restart=always
RestartSec=3
TimeoutStopSec=15
OOMScoreAdjust=-200
UMask=0077

AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectHostname=yes
PrivateTmp=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


def devices() -> str:
    """A name for the lights' controller, and no modem program that talks to it first."""
    lines = ["# The lights' controller of Arbitre, under one name in every socket."]
    for (vendor, product), what in KNOWN.items():
        lines.append(
            f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor:04x}", '
            f'ATTRS{{idProduct}}=="{product:04x}", SYMLINK+="{LIGHTS}", GROUP="dialout", '
            f'MODE="0660", ENV{{ID_MM_DEVICE_IGNORE}}="1"  # {what}'
        )
    return "\n".join(_without_remarks(line) for line in lines) + "\n"


def _without_remarks(line: str) -> str:
    """udev takes remarks only on lines of their own."""
    rule, mark, what = line.partition("  # ")
    return f"# {what}\n{rule}" if mark else line


def people() -> str:
    """The user the table runs as, for systemd-sysusers."""
    groups = "".join(f"m {USER} {group}\n" for group in ("video", "render", "dialout"))
    return f'u {USER} - "Arbitre" {STATE}\n{groups}'


def announcement(port: int) -> str:
    """So that the table is found in the network by name; %h is the computer's."""
    return f"""\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">Arbitre (%h)</name>
  <service>
    <type>_http._tcp</type>
    <port>{port}</port>
  </service>
</service-group>
"""


def hotspot(wifi: Wifi) -> str:
    """A network of its own, switched on from the page: phones in it see the table, and no more."""
    return f"""\
[connection]
id={CONNECTION}
uuid={uuid.uuid5(NAMESPACE, wifi.name)}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={wifi.name}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
psk={wifi.password}

[ipv4]
method=shared
address1={GATEWAY}/24

[ipv6]
method=disabled
"""


def hotspot_told(wifi: Wifi) -> str:
    return f'name = "{wifi.name}"\npassword = "{wifi.password}"\n'


def rights() -> str:
    """What the table's user may ask of the system: its own network, and to switch off."""
    return f"""\
polkit.addRule(function (action, subject) {{
  var allowed = [
    "org.freedesktop.login1.power-off",
    "org.freedesktop.login1.power-off-multiple-sessions",
    "org.freedesktop.login1.reboot",
    "org.freedesktop.login1.reboot-multiple-sessions",
    "org.freedesktop.NetworkManager.network-control"
  ];
  if (subject.user == "{USER}" && allowed.indexOf(action.id) >= 0) {{
    return polkit.Result.YES;
  }}
}});
"""


def configuration(example: str, port: int = 80, name: str = "") -> str:
    """The commented example with what an installed table has otherwise."""
    changes = {"port": str(port), "serial": '"auto"', "name": f'"{name}"'}
    lines = []
    for line in example.splitlines():
        key = line.partition("=")[0].strip()
        if key in changes and not line.startswith("#"):
            remark = line.partition("#")[2].strip()
            line = f"{key} = {changes[key]}".ljust(23) + (f"# {remark}" if remark else "")
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def files(wifi: Wifi, port: int = 80) -> Mapping[str, tuple[str, int]]:
    """Every file by its place, with its mode; the configuration is written only once."""
    return {
        "/etc/systemd/system/arbitre.service": (service(), 0o644),
        "/etc/udev/rules.d/70-arbitre.rules": (devices(), 0o644),
        "/usr/lib/sysusers.d/arbitre.conf": (people(), 0o644),
        "/etc/avahi/services/arbitre.service": (announcement(port), 0o644),
        f"/etc/NetworkManager/system-connections/{CONNECTION}.nmconnection": (
            hotspot(wifi),
            0o600,
        ),
        "/etc/polkit-1/rules.d/50-arbitre.rules": (rights(), 0o644),
        HOTSPOT: (hotspot_told(wifi), 0o640),
    }
