"""A rotation that is killed leaves one signing key, which a worker puts in its place."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from app.database import Database
from app.receipts import repository
from app.receipts.installation_key import InstallationKey
from app.receipts.key_file import KeyFile
from app.receipts.service import database_time_for_signing, retire_key, rotate_key
from tests.conftest import NewDatabase

KILLED = """
import os, signal, sys
from pathlib import Path
from app.database import Database
from app.receipts.key_file import KeyFile
from app.receipts.service import rotate_key

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def kill_before_moving(event, arguments):
    if event == "os.rename" and str(arguments[1]) == path:
        kill()

url, path, moment, keep = sys.argv[1:]
with rotate_key(Database(url), KeyFile(Path(path)), keep=keep == "keep"):
    if moment == "before the commit":
        kill()
    sys.addaudithook(kill_before_moving)
"""


class Machine(InstallationKey):
    """A machine whose key is in a folder of its own, and its database."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.database = Database(url)
        self.file = KeyFile(folder / "receipt-key")
        super().__init__(self.database, self.file)

    def rotate_until_killed(self, moment: str, *, keep: bool = False) -> None:
        """Rotate the key in a process that is killed before or after the commit."""
        arguments = [self.url, str(self.file.path), moment, "keep" if keep else "retire"]
        child = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False, timeout=60)
        assert child.returncode == -signal.SIGKILL

    @property
    def current(self) -> list[str]:
        """The ids of the keys that may sign."""
        with self.database.snapshot() as session:
            return [key.id for key in repository.current_keys(session)]

    @property
    def own(self) -> str:
        """The id of the machine's key."""
        return self.file.existing().public.id

    @property
    def beside(self) -> list[str]:
        """The names of the other files in the folder of the key."""
        folder = self.file.path.parent
        return sorted(each.name for each in folder.iterdir() if each != self.file.path)

    def sign(self) -> None:
        with self.database.transaction() as session:
            database_time_for_signing(session, self.key().public)


@pytest.fixture
def machine(new_database_url: NewDatabase, tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(new_database_url(), tmp_path)
    assert machine.establish() is None
    yield machine
    machine.database.dispose()


def test_a_rotation_killed_after_its_commit_is_finished_by_the_next_worker(
    machine: Machine,
) -> None:
    old = machine.own

    machine.rotate_until_killed("after the commit")

    (new,) = machine.current
    assert machine.own == old != new
    fault = str(machine.fault())
    assert "a rotation of the receipt key was interrupted" in fault
    assert machine.beside[0] in fault
    assert machine.own == old  # who only looks, as `wassay doctor` does, changes nothing

    assert machine.establish() is None

    assert (machine.current, machine.own, machine.beside) == ([new], new, [])
    assert machine.fault() is None
    machine.sign()


def test_a_key_whose_rotation_was_killed_before_its_commit_never_signs(machine: Machine) -> None:
    old = machine.own

    machine.rotate_until_killed("before the commit")

    assert len(machine.beside) == 1
    assert machine.establish() is None
    assert (machine.current, machine.own) == ([old], old)
    machine.file.path.unlink()
    assert f"copy the file of {old} from another machine" in str(machine.establish())
    assert not machine.file.path.exists()
    assert machine.current == [old]


def test_a_key_retired_since_its_rotation_was_killed_never_signs(machine: Machine) -> None:
    machine.rotate_until_killed("after the commit")
    (leaked,) = machine.current
    with rotate_key(machine.database, machine.file) as (_, _, new):
        pass
    machine.file.path.unlink()

    assert f"copy the file of {new.id} from another machine" in str(machine.establish())

    assert machine.current == [new.id] != [leaked]
    assert not machine.file.path.exists()


def test_a_machine_whose_old_key_may_go_on_signing_takes_the_new_one_once_the_old_is_retired(
    machine: Machine,
) -> None:
    old = machine.own
    machine.rotate_until_killed("after the commit", keep=True)
    assert machine.establish() is None
    assert machine.own == old
    (new,) = {*machine.current} - {old}

    with machine.database.transaction() as session:
        retire_key(session, old)

    assert machine.establish() is None
    assert (machine.current, machine.own, machine.beside) == ([new], new, [])


def test_a_machine_without_its_key_takes_the_one_of_an_interrupted_rotation(
    machine: Machine,
) -> None:
    machine.file.path.unlink()
    machine.rotate_until_killed("after the commit")

    assert machine.establish() is None

    assert [machine.own] == machine.current
    machine.sign()


def test_another_rotation_waits_while_a_worker_finishes_an_interrupted_one(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.rotate_until_killed("after the commit")
    rotated: list[str] = []

    def rotate() -> None:
        with rotate_key(machine.database, machine.file) as (_, _, new):
            rotated.append(new.id)

    rotation = threading.Thread(target=rotate)
    replace = Path.replace

    def replace_late(path: Path, target: Path) -> Path:
        if threading.current_thread() is not rotation:
            rotation.start()
            rotation.join(0.3)  # without the lock, the rotation would end in this time
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_late)
    machine.establish()
    rotation.join()

    assert machine.current == rotated == [machine.own]


def test_a_rotation_whose_file_a_worker_has_put_in_its_place_succeeds(machine: Machine) -> None:
    with rotate_key(machine.database, machine.file) as (session, _, new):

        @event.listens_for(session, "after_commit")
        def checked_meanwhile(_: Session) -> None:
            assert machine.establish() is None

    assert (machine.current, machine.own, machine.beside) == ([new.id], new.id, [])
    machine.sign()
