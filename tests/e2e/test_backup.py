"""A database and a bucket are backed up while in use, lost, and restored."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import obstore
import pytest
from obstore.store import S3Store

from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, postgres, ready
from tests.object_store import ObjectStore, object_store
from wassay import Buyer, Client, Request, Seller
from wassay.client import NotFoundError

if TYPE_CHECKING:
    from obstore.store import S3Config

pytestmark = pytest.mark.endurance

__all__ = ["postgres"]  # a fixture

random = np.random.default_rng(8)
NEEDED = random.normal(size=(20, 2))
OFFERED = random.normal(0.5, 1.0, size=(20, 2))


def test_a_database_dumped_before_its_bucket_was_copied_is_restored_with_every_array(
    postgres: Postgres, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        store = stack.enter_context(object_store(tmp_path))
        settings = {
            **postgres.settings,
            **store.environment,
            "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
            "WASSAY_RECEIPT_KEY_FILE": str(tmp_path / "receipt-key"),
        }
        run(settings, "migrate")
        with running(settings, tmp_path) as url:
            keys = [new_key(settings, scope) for scope in ("buyer", "seller")]
            clients = [stack.enter_context(Client(url, key)) for key in keys]
            kept = asked(*clients)
            evaluation = kept.evaluate().wait(timeout=300)
            result = evaluation.result().to_json()
            saved = tmp_path / "request.json"
            kept.save(saved)

            dump = tmp_path / "dump"
            pg(postgres, "pg_dump", "--format=custom", f"--file={dump}", address(postgres))
            since = asked(*clients)  # after the dump of its rows, before the copy of its arrays
            copy = copied(store, "arrays")

        pg(postgres, "dropdb", f"--maintenance-db={address(postgres, 'template1')}", "postgres")
        emptied(store, "arrays")
        pg(postgres, "createdb", f"--maintenance-db={address(postgres, 'template1')}", "postgres")
        pg(postgres, "pg_restore", f"--dbname={address(postgres)}", str(dump))
        put(store, copy)

        assert "arrays    ok" in run(settings, "doctor")
        with running(settings | {"WASSAY_DATA_FOLDER": str(tmp_path / "new")}, tmp_path) as url:
            buyer = stack.enter_context(Client(url, keys[0]))
            request = Buyer(buyer).load(saved)
            before = request.evaluation(evaluation.id)
            assert before.result().to_json() == result
            assert before.receipt() is not None
            again = request.evaluate().wait(timeout=300).result()  # from the restored arrays
            assert again.document.grand_coalition == before.result().document.grand_coalition
            with pytest.raises(NotFoundError):
                buyer.requests.get(since.id)


def asked(buyer: Client, seller: Client) -> Request:
    Seller(seller).publish_key()
    request = Buyer(buyer).ask(NEEDED, title="Two", sellers=[seller.accounts.me().id])
    Seller(seller).answer(request.id, OFFERED)
    return request


@contextmanager
def running(settings: dict[str, str], folder: Path) -> Iterator[str]:
    with Process(folder, settings, "serve", "--port", "0") as web:
        url = web.says(r"listening on (http://\S+)")
        web.says("worker started")
        eventually(lambda: ready(url), "ready")
        yield url


def address(postgres: Postgres, database: str = "postgres") -> str:
    head, _, options = postgres.settings["WASSAY_DATABASE_URL"].partition("?")
    return f"{head.rpartition('/')[0]}/{database}?{options}"


def pg(postgres: Postgres, program: str, *arguments: str) -> None:
    """Run one of Postgres' programs, such as pg_dump."""
    subprocess.run([postgres.programs / program, *arguments], env=os.environ, check=True)


def bucket(store: ObjectStore) -> S3Store:
    config = {name.lower(): value for name, value in store.environment.items()}
    return S3Store("wassay", config=cast("S3Config", config))


def keys_of(objects: S3Store, prefix: str) -> list[str]:
    return [each["path"] for page in obstore.list(objects, prefix) for each in page]


def copied(store: ObjectStore, prefix: str) -> dict[str, bytes]:
    objects = bucket(store)
    return {key: bytes(obstore.get(objects, key).bytes()) for key in keys_of(objects, prefix)}


def emptied(store: ObjectStore, prefix: str) -> None:
    objects = bucket(store)
    for key in keys_of(objects, prefix):
        obstore.delete(objects, key)


def put(store: ObjectStore, copy: dict[str, bytes]) -> None:
    objects = bucket(store)
    for key, content in copy.items():
        obstore.put(objects, key, content)
