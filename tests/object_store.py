"""The compose file's object store (SeaweedFS, from a wheel), in a process of its own."""

import json
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import httpx
import obstore
from obstore.store import S3Store

from tests.composed import composed

if TYPE_CHECKING:
    from obstore.store import S3Config

WEED = Path(sysconfig.get_path("scripts")) / "weed"
PORTS = (
    *("master.port", "master.port.grpc", "volume.port", "volume.port.grpc"),
    *("filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc"),
)
SECRET = "never-to-be-logged"
START_SECONDS = 60


@dataclass(frozen=True)
class ObjectStore:
    """A running store; `environment` has the variables with its address and credentials."""

    address: str
    environment: dict[str, str]


@contextmanager
def object_store(folder: Path, host: str = "127.0.0.1") -> Iterator[ObjectStore]:
    """Run a store that keeps its buckets in a folder, and creates them when they are first used."""
    environment = composed({})["x-wassay"]["environment"]
    identities = folder / "identities.json"
    credentials = {"accessKey": environment["AWS_ACCESS_KEY_ID"], "secretKey": SECRET}
    # Unlike the compose file's identity, this one may create the bucket.
    administrator = {"name": "tests", "credentials": [credentials], "actions": ["Admin"]}
    identities.write_text(json.dumps({"identities": [administrator]}))
    ports = dict(zip(PORTS, free_ports(host, len(PORTS)), strict=True))
    options = {
        "ip": host,
        "ip.bind": host,
        "dir": folder,
        "volume.max": 100,
        "volume.preStopSeconds": 0,
        "master.volumeSizeLimitMB": 64,
        "s3.config": identities,
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        **ports,
    }
    log = folder / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [
                *(WEED, "-logtostderr", "server", "-s3", "-master.raftBootstrap"),
                *(f"-{name}={value}" for name, value in options.items()),
            ],
            stdout=said,
            stderr=said,
        )
    address = f"http://{host}:{ports['s3.port']}"
    try:
        await_answer(f"{address}/healthz", log)
        of_clients = {
            key: value
            for key, value in environment.items()
            if key.startswith("AWS_") and not key.endswith("_FILE")
        }
        own = {"AWS_ENDPOINT_URL": address, "AWS_SECRET_ACCESS_KEY": SECRET}
        store = ObjectStore(address, of_clients | own)
        # The first object makes the store allocate volumes, which takes seconds on a busy machine.
        keep_first(store)
        yield store
    finally:
        process.kill()
        process.wait()


def free_ports(host: str, number: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server((host, 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in sockets]


def keep_first(store: ObjectStore) -> None:
    config = {key.lower(): value for key, value in store.environment.items()}
    patient = S3Store(
        "wassay",
        config=cast("S3Config", {**config, "read_timeout": f"{START_SECONDS}s"}),
        retry_config={"retry_timeout": timedelta(seconds=START_SECONDS)},
    )
    obstore.put(patient, "first", b"kept")


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
