"""Access to a bucket: with secrets from files, and over TLS with a private authority."""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.arrays import credential_files
from app.arrays.bucket import Bucket
from app.arrays.problems import StorageUnavailable
from app.arrays.store import ArrayStore
from tests.e2e.processes import eventually
from tests.nginx import HOST, self_signed
from tests.object_store import SECRET, ObjectStore
from tests.relay import Relay, run_relay

RETRY_SECONDS = 5.0


class Secure(Relay):
    """A relay that speaks TLS with its clients."""

    def __init__(self, address: str, certificate: Path, key: Path) -> None:
        super().__init__(address)
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate, key)

    def get_request(self) -> tuple[socket.socket, Any]:
        line, address = super().get_request()
        return self._context.wrap_socket(line, server_side=True), address

    def handle_error(self, *_: object) -> None:
        """Log nothing about clients that do not trust the certificate."""


@pytest.fixture
def secret(buckets: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    file = tmp_path / "secret"
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY_FILE", str(file))
    yield file


def signed(folder: Path, authority: Path, signing_key: Path) -> tuple[Path, Path]:
    """Return the certificate of a host, signed by an authority, and its key."""
    certificate, key = folder / "host.pem", folder / "host-key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"),
            *("ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=store"),
            *("-addext", "basicConstraints=critical,CA:FALSE"),
            *("-addext", f"subjectAltName=IP:{HOST}", "-keyout", key, "-out", certificate),
            *("-CA", authority, "-CAkey", signing_key),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key


def test_a_secret_in_a_file_is_read_again_after_it_was_changed(
    address: str, secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credential_files, "REREAD_AFTER", timedelta(0))
    secret.write_text("the old one")
    store = ArrayStore(tmp_path / "arrays", Bucket(address, RETRY_SECONDS))
    with pytest.raises(StorageUnavailable):
        store.put_bytes(b"an array")
    secret.write_text(f"{SECRET}\n")

    def is_stored() -> bool:
        try:
            return bool(store.put_bytes(b"an array"))
        except StorageUnavailable:
            return False

    eventually(is_stored, "read again")


def test_a_secret_that_cannot_be_read_is_called_that(
    address: str, secret: Path, tmp_path: Path
) -> None:
    store = ArrayStore(tmp_path / "arrays", Bucket(address, RETRY_SECONDS))
    with pytest.raises(StorageUnavailable) as raised:
        store.put_bytes(b"an array")
    assert raised.value.cause == (
        f"the object store's credentials: AWS_SECRET_ACCESS_KEY_FILE: {secret} cannot be read: "
        "No such file or directory"
    )


def test_a_private_authority_is_trusted_if_ssl_cert_file_names_it(
    buckets: ObjectStore, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, signing_key = self_signed(tmp_path)
    certificate, key = signed(tmp_path, authority, signing_key)
    with run_relay(Secure(buckets.address, certificate, key)) as relay:
        monkeypatch.setenv("AWS_ENDPOINT_URL", relay.address.replace("http:", "https:"))
        monkeypatch.setenv("AWS_CA_BUNDLE", str(authority))
        with pytest.raises(StorageUnavailable) as raised:
            Bucket(address, 1.0).put(certificate, "a-key")
        assert "certificate is not trusted" in raised.value.cause
        assert "SSL_CERT_FILE" in raised.value.cause

        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        bucket = Bucket(address, RETRY_SECONDS)
        bucket.put(certificate, "a-key")
        assert b"".join(bucket.read("a-key")) == certificate.read_bytes()
