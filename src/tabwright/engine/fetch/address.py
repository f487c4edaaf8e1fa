"""Which servers may be asked: not those that tell a machine in a cloud its own secrets."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from tabwright.errors import SecurityError

SCHEMES = ("http", "https")
# Where clouds have their metadata; most are link-local.
REFUSED = tuple(
    map(
        ip_network,
        (
            "169.254.0.0/16",
            "fe80::/10",
            "100.100.100.200/32",
            "192.0.0.192/32",
            "168.63.129.16/32",
            "fd00:ec2::/32",
            "fd20:ce::/32",
        ),
    )
)


async def check(url: str) -> None:
    """Refuse an address that is not of the web, or whose host is a cloud's metadata server.

    Raises:
        SecurityError: it must not be asked.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise SecurityError(
            f"{url!r:.300} is not an address of the web.",
            hint="Only http and https addresses are fetched, also after a redirect.",
            url=url,
        )
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(parts.hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        # The request will say so; where a proxy asks for us, it may know the name.
        return
    for *_, where in found:
        check_host(url, str(where[0]))


def check_host(url: str, host: str) -> None:
    """Refuse to ask, or to believe, one machine.

    Raises:
        SecurityError: it is a cloud's metadata server.
    """
    machine = _plain(ip_address(host.partition("%")[0]))
    if any(machine in network for network in REFUSED):
        raise SecurityError(
            f"{url!r:.300} leads to {machine}, which is link-local or a cloud's metadata server.",
            hint="Such addresses are never fetched.",
            url=url,
        )


def _plain(machine: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The address of version 4 that one of version 6 stands for."""
    if isinstance(machine, IPv6Address):
        return machine.ipv4_mapped or machine.sixtofour or machine
    return machine
