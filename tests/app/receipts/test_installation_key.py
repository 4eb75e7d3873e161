"""Keys of receipts: drawn once, readable for the service only, still published when rotated."""

import shutil
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.database import Database
from app.receipts import repository
from app.receipts.installation_key import InstallationKey, NotTheSigningKey
from app.receipts.key_file import KeyFile
from app.receipts.service import LastKey, database_time_for_signing, retire_key, rotate_key
from tests.app.conftest import Service
from tests.conftest import NewDatabase
from wassay.receipts import SigningKey


def test_a_key_is_created_once_by_concurrent_callers_and_readable_by_its_owner_only(
    tmp_path: Path,
) -> None:
    found: list[str] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        found.append(KeyFile(tmp_path / "receipt-key").key().public.id)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert stat.S_IMODE(KeyFile(tmp_path / "receipt-key").path.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["receipt-key"]


def test_no_two_services_have_the_same_key(tmp_path: Path) -> None:
    ids = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        ids.add(KeyFile(tmp_path / name / "key").key().public.id)
    assert len(ids) == 2


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "receipt-key")
    secret = file.key().secret.hex()
    file.path.chmod(0o640)
    with pytest.raises(OSError, match="chmod 600") as refused:
        file.key()
    assert secret not in str(refused.value)


@pytest.mark.parametrize("content", ["", "secret", "ab" * 31])
def test_a_file_without_a_key_is_not_replaced_and_not_shown(tmp_path: Path, content: str) -> None:
    file = KeyFile(tmp_path / "receipt-key")
    file.path.write_text(content)
    file.path.chmod(0o600)
    with pytest.raises(OSError, match="to contain a private key") as refused:
        file.key()
    assert "secret" not in str(refused.value)
    assert file.path.read_text() == content


def test_a_key_behind_a_link_is_made_and_rotated_where_it_is(tmp_path: Path) -> None:
    kept, data = tmp_path / "kept", tmp_path / "data"
    kept.mkdir()
    data.mkdir()
    (data / "receipt-key").symlink_to(kept / "key")  # no file exists yet
    made = KeyFile(data / "receipt-key").key()
    assert (kept / "key").read_text().strip() == made.secret.hex()
    other = SigningKey.draw()
    file = KeyFile(data / "receipt-key")
    with file.written_beside(other) as new:
        new.replace(file.path)
    assert (data / "receipt-key").is_symlink()
    assert (kept / "key").read_text().strip() == other.secret.hex()


@dataclass
class Installation:
    """A database of its own, and the machines that use it."""

    database: Database
    folder: Path

    def machine(self, name: str) -> InstallationKey:
        return InstallationKey(self.database, self.file(name))

    def file(self, name: str) -> KeyFile:
        return KeyFile(self.folder / name / "receipt-key")

    def copy_file(self, source: str, target: str) -> None:
        self.file(target).path.parent.mkdir(exist_ok=True)
        shutil.copy(self.file(source).path, self.file(target).path)

    @property
    def keys(self) -> dict[str, bool]:
        """Whether each published key is current, by the key's id."""
        with self.database.snapshot() as session:
            return {key.id: key.retired_at is None for key in repository.all_keys(session)}

    def signs(self, name: str) -> None:
        with self.database.transaction() as session:
            database_time_for_signing(session, self.machine(name).key().public)


@pytest.fixture
def installation(new_database_url: NewDatabase, tmp_path: Path) -> Iterator[Installation]:
    database = Database(new_database_url())
    yield Installation(database, tmp_path)
    database.dispose()


def test_of_two_new_machines_one_draws_the_key_and_the_other_draws_none(
    installation: Installation,
) -> None:
    together = threading.Barrier(2)

    def establish(name: str) -> str | None:
        together.wait()
        return installation.machine(name).establish()

    with ThreadPoolExecutor(2) as pool:
        faults = dict(zip(("ada", "bob"), pool.map(establish, ("ada", "bob")), strict=True))

    (key_id,) = installation.keys
    (drew,) = (name for name, fault in faults.items() if fault is None)
    (other,) = faults.keys() - {drew}
    assert installation.file(drew).existing().public.id == key_id
    assert f"copy the file of {key_id} from another machine" in str(faults[other])
    assert not installation.file(other).path.exists()

    installation.copy_file(drew, other)
    assert installation.machine(other).establish() is None
    installation.signs(other)


def test_a_rotated_key_alone_signs_and_the_old_one_stays_published(
    installation: Installation,
) -> None:
    ada, bob = installation.machine("ada"), installation.machine("bob")
    ada.establish()
    installation.copy_file("ada", "bob")

    with rotate_key(installation.database, installation.file("ada")) as (_, (old,), new):
        pass

    assert installation.keys == {old: False, new.id: True}
    assert ada.fault() is None
    assert f"{old}, which signs nothing" in str(bob.fault())
    installation.signs("ada")
    with pytest.raises(NotTheSigningKey, match=old):
        installation.signs("bob")


def test_a_rotation_that_does_not_commit_leaves_the_old_key_signing(
    installation: Installation,
) -> None:
    installation.machine("ada").establish()
    file = installation.file("ada")
    old = file.existing().public.id

    with (
        pytest.raises(RuntimeError, match="before the commit"),
        rotate_key(installation.database, file),
    ):
        raise RuntimeError("before the commit")

    assert installation.keys == {old: True}
    assert [each.name for each in file.path.parent.iterdir()] == [file.path.name]
    installation.signs("ada")


def test_a_key_that_is_kept_signs_until_it_is_retired_and_the_last_cannot_be(
    installation: Installation,
) -> None:
    installation.machine("ada").establish()
    installation.copy_file("ada", "bob")
    with rotate_key(installation.database, installation.file("ada"), keep=True) as (_, (old,), new):
        pass
    installation.signs("ada")
    installation.signs("bob")

    with installation.database.transaction() as session:
        retire_key(session, old)
    with pytest.raises(LastKey), installation.database.transaction() as session:
        retire_key(session, new.id)

    assert installation.keys == {old: False, new.id: True}
    with pytest.raises(NotTheSigningKey):
        installation.signs("bob")


def test_published_keys_are_listed_without_a_key_and_without_private_halves(
    service: Service, anonymous: httpx.Client, tmp_path: Path
) -> None:
    file = KeyFile(tmp_path / "receipt-key")
    InstallationKey(service.database, KeyFile(service.settings.key_file)).establish()
    with rotate_key(service.database, file, keep=True):
        pass
    new = file.existing()

    listed: dict[str, Any] = {}
    cursor = None
    while True:
        page = anonymous.get("/v1/receipt-keys", params={"cursor": cursor} if cursor else {})
        assert page.status_code == 200, page.text
        listed |= {key["id"]: key for key in page.json()["items"]}
        if (cursor := page.json()["next_cursor"]) is None:
            break
    assert listed[new.public.id]["public_key"] == new.public.text
    assert listed[new.public.id]["retired_at"] is None
    assert new.secret.hex() not in str(listed)
    with service.database.transaction() as session:  # other tests use this service, too
        retire_key(session, new.public.id)
