"""The checks of a machine before it takes jobs."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from app.arrays.bucket import Bucket
from app.arrays.store import ArrayStore
from app.database import Database
from app.machine_check import CHECKS, MachineCheck
from tests.conftest import ON_POSTGRES, ON_SQLITE, NewDatabase
from tests.object_store import SECRET


@pytest.fixture
def database(new_database_url: NewDatabase) -> Iterator[Database]:
    database = Database(new_database_url())
    yield database
    database.dispose()


def check_failed(name: str) -> float | None:
    return REGISTRY.get_sample_value("wassay_worker_check_failed", {"check": name})


def faults(check: MachineCheck) -> dict[str, str]:
    return {each.name: each.fault for each in check.findings() if each.fault is not None}


@ON_POSTGRES
def test_a_sound_machine_has_no_fault(database: Database, address: str, tmp_path: Path) -> None:
    check = MachineCheck(database, lambda: ArrayStore(tmp_path, Bucket(address, 10)))

    assert faults(check) == {}
    assert check.fault() is None


@ON_POSTGRES
def test_clock_schema_disk_and_credentials_are_each_named(
    database: Database, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "guessed")
    store = ArrayStore(tmp_path, Bucket(address, 10))
    shutil.rmtree(tmp_path / "incoming")
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0000'"))

    found = faults(
        MachineCheck(database, lambda: store, clock=lambda: datetime.now(UTC) - timedelta(hours=1))
    )

    assert "received 0000" in found["schema"]
    assert "behind the database's" in found["clock"]
    assert "cannot be written to (No such file" in found["disk"]
    assert "refuses the service's credentials (SignatureDoesNotMatch)" in found["arrays"]


@ON_POSTGRES
def test_a_secret_that_has_just_changed_is_checked(
    database: Database, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY_FILE", str(secret))
    check = MachineCheck(database, lambda: ArrayStore(tmp_path / "data", Bucket(address, 10)))
    assert check.fault() is None

    secret.write_text("guessed")
    assert "refuses the service's credentials" in str(check.fault())

    secret.write_text(SECRET)
    assert check.fault() is None


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    database = Database("postgresql+psycopg://nobody:secret@127.0.0.1:9/nowhere")

    fault = MachineCheck(database, lambda: ArrayStore(tmp_path)).fault()

    assert fault is not None
    assert fault.startswith("the database is unavailable")
    failed = {name: check_failed(name) for name in CHECKS}
    assert failed == dict.fromkeys(CHECKS, 0) | {"database": 1}
    assert "secret" not in fault


@ON_SQLITE
def test_a_data_folder_that_cannot_be_opened_is_named_until_it_can(
    database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.touch()
    check = MachineCheck(database, lambda: ArrayStore(folder / "arrays"))

    assert faults(check).keys() == {"disk"}
    assert "cannot be written to (Not a directory)" in str(check.fault())

    folder.unlink()
    assert check.fault() is None
