"""Machines in a separate network: namespaces joined by a bridge. Needs root and Linux."""

import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

CLONE_NEWNET = 0x40000000
HUB = "10.77.0.1"
"""The address of the machine that joins the others, and runs what they share."""


class Network:
    """Machines that can reach the hub and one another, but nothing else."""

    def __init__(self, machines: Sequence[str]) -> None:
        self._hub = namespace("hub")
        self._addresses = {name: f"10.77.0.{place + 2}" for place, name in enumerate(machines)}
        ip(self._hub, "link", "add", "bridge", "type", "bridge")
        ip(self._hub, "addr", "add", f"{HUB}/24", "dev", "bridge")
        for device in ("lo", "bridge"):
            ip(self._hub, "link", "set", device, "up")
        for name, address in self._addresses.items():
            ip(
                *(self._hub, "link", "add", name, "type", "veth"),
                *("peer", "name", "network", "netns", namespace(name)),
            )
            ip(self._hub, "link", "set", name, "master", "bridge", "up")
            ip(namespace(name), "addr", "add", f"{address}/24", "dev", "network")
            for device in ("lo", "network"):
                ip(namespace(name), "link", "set", device, "up")

    def address(self, machine: str) -> str:
        return self._addresses[machine]

    def cut(self, machine: str) -> None:
        """Disconnect a machine from the network."""
        ip(self._hub, "link", "set", machine, "down")

    def mend(self, machine: str) -> None:
        ip(self._hub, "link", "set", machine, "up")


@contextmanager
def network(machines: Sequence[str]) -> Iterator[Network]:
    with ExitStack() as stack:
        for name in ("hub", *machines):
            subprocess.run(["ip", "netns", "add", namespace(name)], check=True)
            stack.callback(subprocess.run, ["ip", "netns", "delete", namespace(name)], check=True)
        yield Network(machines)


@contextmanager
def on(machine: str) -> Iterator[None]:
    """Move this thread to a machine's network namespace while the block runs."""
    with Path("/proc/thread-self/ns/net").open() as here:
        enter(Path("/run/netns") / namespace(machine))
        try:
            yield
        finally:
            enter(Path(f"/proc/self/fd/{here.fileno()}"))


def enter(place: Path) -> None:
    with place.open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"{place} cannot be entered")


def namespace(machine: str) -> str:
    return f"wassay-{os.getpid()}-{machine}"


def ip(namespace: str, *arguments: str) -> None:
    subprocess.run(["ip", "-netns", namespace, *arguments], check=True)
