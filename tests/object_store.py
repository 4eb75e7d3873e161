"""A real S3-compatible object store (SeaweedFS, from a wheel), in a process of its own."""

import json
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

WEED = Path(sysconfig.get_path("scripts")) / "weed"
PORTS = (
    *("master.port", "master.port.grpc", "volume.port", "volume.port.grpc"),
    *("filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc"),
)
KEY, SECRET = "wassay-test", "never-to-be-logged"
START_SECONDS = 60


@dataclass(frozen=True)
class ObjectStore:
    """A running store; `environment` is how its clients find it and who they are."""

    address: str
    environment: dict[str, str]


@contextmanager
def object_store(folder: Path, host: str = "127.0.0.1") -> Iterator[ObjectStore]:
    """Run a store that keeps its buckets in a folder, and makes them when they are first used."""
    identity = {
        "name": "wassay",
        "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
        "actions": ["Admin", "Read", "Write", "List"],
    }
    (folder / "identities.json").write_text(json.dumps({"identities": [identity]}))
    ports = dict(zip(PORTS, free_ports(host, len(PORTS)), strict=True))
    options = {
        "ip": host,
        "ip.bind": host,
        "dir": folder,
        "volume.max": 100,
        "volume.preStopSeconds": 0,
        "master.volumeSizeLimitMB": 64,
        "s3.config": folder / "identities.json",
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        **ports,
    }
    log = folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [
                *(WEED, "-logtostderr", "server", "-s3", "-master.raftBootstrap"),
                *(f"-{name}={value}" for name, value in options.items()),
            ],
            stdout=file,
            stderr=file,
        )
    address = f"http://{host}:{ports['s3.port']}"
    try:
        await_answer(f"{address}/healthz", log)
        yield ObjectStore(
            address,
            {
                "AWS_ENDPOINT_URL": address,
                "AWS_ALLOW_HTTP": "true",
                "AWS_REGION": "eu-north-1",
                "AWS_ACCESS_KEY_ID": KEY,
                "AWS_SECRET_ACCESS_KEY": SECRET,
            },
        )
    finally:
        process.kill()
        process.wait()


def free_ports(host: str, number: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server((host, 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in sockets]


def await_answer(url: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            if httpx.get(url).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the object store did not start:\n{log.read_text()}")
