"""Bind the socket on which the web service listens."""

import socket
from typing import Any

import typer

from ..settings import Settings


def listening_socket(settings: Settings) -> socket.socket:
    """Bind a socket to the host and port of the settings, or exit with status 1."""
    try:
        family, address = _resolved(settings)
        # Name the protocol TCP, because asyncio sets TCP_NODELAY only on such sockets. Without
        # TCP_NODELAY, the body of a response is sent only once the client has acknowledged the
        # headers, often 40 ms later.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        address = host_and_port(settings.host, settings.port)
        typer.echo(
            f"wassay: cannot listen on {address}: {error.strerror}. Choose another port with "
            "--port (0: any free port) or WASSAY_PORT, or another host with --host or WASSAY_HOST.",
            err=True,
        )
        raise typer.Exit(1) from error
    return listener


def host_and_port(host: str, port: int) -> str:
    """Write a host and a port as in a URL, with an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _resolved(settings: Settings) -> tuple[socket.AddressFamily, Any]:
    """Return the address family and the address of the settings' host and port; prefer IPv4."""
    addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    family, *_, address = min(addresses, key=lambda each: each[0] != socket.AF_INET)
    return family, address
