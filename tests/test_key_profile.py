"""The file with the account's private key and the fingerprints it has pinned."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from wassay import Profile, SealingError
from wassay.disclosure_class import DisclosureClass
from wassay.key_profile import KeyChangedError
from wassay.sealed_boxes import KeyPair

FIRST, SECOND = KeyPair.draw().public, KeyPair.draw().public


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return Profile(tmp_path / "config" / "profile.json")


def test_a_key_pair_is_made_once_and_kept(profile: Profile) -> None:
    made = profile.key_pair("acc_1")
    assert Profile(profile.path).key_pair("acc_1").secret == made.secret
    assert profile.key_pair("acc_2").secret != made.secret


def test_a_replaced_key_pair_is_new_and_what_else_was_noted_stays(profile: Profile) -> None:
    old = profile.key_pair("acc_1").secret
    profile.pin("acc_1", "acc_2", FIRST)
    profile.limit_disclosure("acc_1", DisclosureClass.SCALARS)
    new = profile.replace_key_pair("acc_1").secret
    assert old != new == Profile(profile.path).key_pair("acc_1").secret
    assert profile.has_pinned("acc_1", "acc_2")
    assert profile.max_disclosure("acc_1") == DisclosureClass.SCALARS


def test_the_file_is_for_its_owner_only_whatever_the_umask(profile: Profile) -> None:
    before = os.umask(0)
    try:
        profile.key_pair("acc_1")
        profile.pin("acc_1", "acc_2", FIRST)
    finally:
        os.umask(before)
    assert stat.S_IMODE(profile.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(profile.path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o602])
def test_a_file_that_others_may_touch_is_refused(profile: Profile, mode: int) -> None:
    secret = profile.key_pair("acc_1").secret
    profile.path.chmod(mode)
    with pytest.raises(SealingError, match="chmod 600") as refused:
        profile.key_pair("acc_1")
    assert secret.hex() not in str(refused.value)
    profile.path.chmod(0o600)
    assert profile.key_pair("acc_1").secret == secret


def test_a_first_key_is_pinned_and_another_is_an_error_that_says_what_to_do(
    profile: Profile,
) -> None:
    profile.pin("acc_1", "acc_2", FIRST)
    profile.pin("acc_1", "acc_2", FIRST)
    with pytest.raises(KeyChangedError) as refused:
        Profile(profile.path).pin("acc_1", "acc_2", SECOND)
    said = str(refused.value)
    assert FIRST.fingerprint in said
    assert f'wassay trust acc_2 "{SECOND.fingerprint}"' in said
    profile.pin("acc_1", "acc_2", FIRST)


def test_an_accounts_first_pin_is_one_that_the_other_accounts_have(profile: Profile) -> None:
    profile.pin("acc_1", "acc_2", FIRST)
    with pytest.raises(KeyChangedError, match=FIRST.fingerprint):
        profile.pin("acc_3", "acc_2", SECOND)
    assert not profile.has_pinned("acc_3", "acc_2")
    profile.pin("acc_3", "acc_2", FIRST)
    profile.trust("acc_1", "acc_2", SECOND.fingerprint)
    profile.pin("acc_1", "acc_2", SECOND)
    profile.pin("acc_3", "acc_2", FIRST)
    for key in (FIRST, SECOND):
        profile.pin(f"acc_{key.fingerprint[:2]}", "acc_2", key)


def test_an_api_key_stays_that_of_one_account(profile: Profile) -> None:
    profile.require_account("aa" * 32, "acc_1")
    profile.require_account("bb" * 32, "acc_2")
    profile.require_account("aa" * 32, "acc_1")
    with pytest.raises(SealingError, match="belongs to acc_2: expected acc_1"):
        Profile(profile.path).require_account("aa" * 32, "acc_2")


def test_a_profile_that_cannot_be_written_notes_no_account(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        profile.require_account("aa" * 32, "acc_1")
    assert not profile.path.exists()


def test_a_fingerprint_told_beforehand_holds_from_the_first_use(profile: Profile) -> None:
    profile.trust("acc_1", "acc_2", FIRST.fingerprint.upper().replace(" ", ""))
    with pytest.raises(KeyChangedError):
        profile.pin("acc_1", "acc_2", SECOND)
    profile.pin("acc_1", "acc_2", FIRST)


def test_a_new_key_passes_once_it_is_trusted(profile: Profile) -> None:
    profile.pin("acc_1", "acc_2", FIRST)
    profile.trust("acc_1", "acc_2", SECOND.fingerprint)
    profile.pin("acc_1", "acc_2", SECOND)


def test_a_limit_of_disclosure_is_each_accounts_own(profile: Profile) -> None:
    assert profile.max_disclosure("acc_1") is None
    secret = profile.key_pair("acc_1").secret
    profile.limit_disclosure("acc_1", DisclosureClass.SCALARS)
    assert Profile(profile.path).max_disclosure("acc_1") is DisclosureClass.SCALARS
    assert profile.max_disclosure("acc_2") is None
    assert profile.key_pair("acc_1").secret == secret
    profile.limit_disclosure("acc_1", None)
    assert profile.max_disclosure("acc_1") is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"version": 2}',
        '{"version": 1, "accounts": {"acc_1": {"private_key": "abcd", "pins": {}}}}',
    ],
)
def test_another_file_is_refused_and_stays_as_it_is(profile: Profile, content: str) -> None:
    profile.path.parent.mkdir()
    profile.path.write_text(content)
    profile.path.chmod(0o600)
    with pytest.raises(SealingError, match="expected a profile in") as refused:
        profile.key_pair("acc_1")
    assert "abcd" not in str(refused.value)
    assert profile.path.read_text() == content


def test_a_write_that_fails_leaves_the_old_file(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile.pin("acc_1", "acc_2", FIRST)
    before = profile.path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        profile.pin("acc_1", "acc_3", SECOND)
    monkeypatch.undo()
    assert profile.path.read_bytes() == before
    assert sorted(path.name for path in profile.path.parent.iterdir()) == [
        "profile.json",
        "profile.json.lock",
    ]


def test_processes_that_share_a_profile_lose_nothing(profile: Profile) -> None:
    program = (
        "import sys; from wassay import Profile; from wassay.sealed_boxes import KeyPair\n"
        "profile = Profile(sys.argv[1])\n"
        "for i in range(20): profile.pin('acc_1', f'{sys.argv[2]}-{i}', KeyPair.draw().public)\n"
        "print(profile.key_pair('acc_1').secret.hex())"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(profile.path), str(number)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    secrets = {process.communicate()[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert secrets == {profile.key_pair("acc_1").secret.hex()}
    held = json.loads(profile.path.read_text())["accounts"]["acc_1"]
    assert len(held["pins"]) == 80


def test_the_variable_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASSAY_PROFILE", str(tmp_path / "mine.json"))
    assert Profile().path == tmp_path / "mine.json"
    monkeypatch.delenv("WASSAY_PROFILE")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert Profile().path == tmp_path / "wassay" / "profile.json"


@pytest.mark.parametrize("variables", [{}, {"HOME": ""}], ids=["unset", "empty"])
def test_without_a_home_folder_the_error_says_to_name_a_file(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    for name in ("WASSAY_PROFILE", "XDG_CONFIG_HOME"):
        environment.pop(name, None)
    # As in a container whose user has no entry in /etc/passwd.
    program = (
        "import pwd, sys\n"
        "def unknown(_): raise KeyError\n"
        "pwd.getpwuid = unknown\n"
        "from wassay.cli import main\n"
        "sys.argv = ['wassay', 'key']\n"
        "main()"
    )
    named = {"WASSAY_URL": "http://127.0.0.1:1", "WASSAY_API_KEY": "k"}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**environment, **named, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        "wassay: expected a home folder for the file of keys, found none: set WASSAY_PROFILE to a "
        "file, or HOME to a folder\n"
    )


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_profile_behind_a_link_is_changed_where_it_is(tmp_path: Path, linked: str) -> None:
    kept = tmp_path / "kept" / "profile.json"
    seen = tmp_path / "seen" / "profile.json"
    if linked == "file":
        seen.parent.mkdir()
        seen.symlink_to(kept)
    else:
        seen.parent.symlink_to(kept.parent)
    secret = Profile(seen).key_pair("acc_1").secret  # the link's target does not exist yet
    Profile(seen).pin("acc_1", "acc_2", FIRST)
    link = seen if linked == "file" else seen.parent
    assert link.is_symlink()
    assert Profile(kept).key_pair("acc_1").secret == secret
    with pytest.raises(KeyChangedError):
        Profile(kept).pin("acc_1", "acc_2", SECOND)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    # Paths with and without the link lead to the same lock.
    assert [each.name for each in tmp_path.rglob("*.lock") if not each.is_symlink()] == [
        "profile.json.lock"
    ]


def test_links_that_lead_nowhere_are_an_error_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        Profile(tmp_path / "a").key_pair("acc_1")
