"""A real nginx with the configuration that the documentation shows, on a free port of loopback."""

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.e2e.processes import eventually
from tests.object_store import free_ports

SHOWN = Path(__file__).parents[1] / "docs" / "operating" / "nginx.conf"
HOST = "127.0.0.1"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Proxy:
    """A running nginx."""

    url: str
    certificate: Path

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))


@contextmanager
def running_nginx(
    folder: Path, service_port: int, changes: Mapping[str, str] | None = None
) -> Iterator[Proxy]:
    """Run nginx in front of a service on a port, while the block runs.

    The configuration is the documented one, except for addresses, certificates and `changes`.
    """
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    (port,) = free_ports(HOST, 1)
    certificate, key = self_signed(folder)
    here = {
        "listen 443 ssl;": f"listen {HOST}:{port} ssl;",
        "/etc/ssl/certs/wassay.example.pem": str(certificate),
        "/etc/ssl/private/wassay.example.key": str(key),
        "http://127.0.0.1:8000;": f"http://{HOST}:{service_port};",
    }
    shown = SHOWN.read_text()
    for expected, put in (here | dict(changes or {})).items():
        assert shown.count(expected) == 1, f"{SHOWN} does not have {expected!r} once"
        shown = shown.replace(expected, put)
    (folder / "wassay.conf").write_text(shown)
    main = folder / "nginx.conf"
    paths = "".join(f"{each}_temp_path {folder / each};\n" for each in TEMPORARY)
    # So that nginx's workers can read pytest's folder, which is closed to other users.
    user = "user root;\n" if os.geteuid() == 0 else ""
    main.write_text(
        f"{user}daemon off;\nworker_processes 1;\npid {folder / 'nginx.pid'};\n"
        f"error_log {folder / 'error.log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}include {folder / 'wassay.conf'};\n}}\n"
    )
    log = folder / "error.log"
    process = subprocess.Popen([program, "-c", main, "-e", log])
    try:
        proxy = Proxy(f"https://{HOST}:{port}/wassay", certificate)
        eventually(lambda: process.poll() is not None or answers(proxy), "nginx answers", 30)
        assert process.poll() is None, log.read_text()
        yield proxy
    finally:
        process.terminate()
        process.wait(30)


def answers(proxy: Proxy) -> bool:
    try:
        return httpx.get(f"{proxy.url}/healthz", verify=proxy.trusted).is_success
    except httpx.TransportError:
        return False


def self_signed(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"),
            *("ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=wassay"),
            *("-addext", f"subjectAltName=IP:{HOST}", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key
