"""Settings that are read from environment variables."""

from pathlib import Path

import pytest
from pydantic import ValidationError
from sqlalchemy import make_url

from app.settings import Settings


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_variable_that_is_set_to_nothing_means_the_default(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"WASSAY_{name.upper()}", raising=False)
    default = Settings()
    monkeypatch.setenv(f"WASSAY_{name.upper()}", "")
    assert Settings() == default


@pytest.mark.parametrize("host", ["", " ", "[]", "a b"])
def test_an_invalid_host_is_refused_instead_of_binding_every_interface(host: str) -> None:
    with pytest.raises(ValidationError, match="expected an address or a name"):
        Settings(host=host)


def test_a_host_may_have_the_brackets_of_its_address() -> None:
    assert Settings(host="[::1]").host == Settings(host="::1").host == "::1"


@pytest.mark.parametrize(
    "name", ["a?b=c", "a%20b", "100%", "a%2Fb", "a#b", "a b", "a+b", "a&b;c", "@x:y", "ü", "'\"\\"]
)
def test_the_database_is_in_the_data_folder_whatever_that_is_called(
    name: str, tmp_path: Path
) -> None:
    settings = Settings(data_folder=tmp_path / name)
    database = make_url(settings.resolved_database_url)
    assert database.database == str(tmp_path / name / "wassay.sqlite")
    assert not database.query


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:hush@here/x",
        "postgresql://me:hu@sh@here:many/x",
        "postgresql://me:hush@[::1/x",
        "postgresql:/me:hush@here/x",
    ],
)
def test_no_password_of_a_database_is_shown_when_its_address_is_refused(url: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings(database_url=url)
    assert "expected an address" in str(refused.value)
    assert "hu" not in str(refused.value)
    assert "sh@" not in str(refused.value)


def test_no_password_of_a_database_is_shown_beside_other_settings() -> None:
    assert "hush" not in repr(Settings(database_url="postgresql://me:hush@here/x"))


def test_the_database_may_be_named_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "url"
    file.write_text("postgresql://me:hush@here/x\n")
    monkeypatch.setenv("WASSAY_DATABASE_URL_FILE", str(file))
    assert Settings().resolved_database_url == "postgresql+psycopg://me:hush@here/x"
    assert "hush" not in repr(Settings())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot be read: No such file"),
        (b"", "expected one line"),
        (b"hush\nhush", "expected one line"),
        (b"\xff hush", "it is not text"),
        (b"hush", "expected an address that starts with"),
    ],
)
def test_a_file_that_names_no_database_is_refused_and_not_shown(
    content: bytes | None, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "url"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ValidationError, match=expected) as refused:
        Settings(database_url_file=file)
    assert "hush" not in str(refused.value)


def test_a_database_is_not_named_twice(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="not both"):
        Settings(database_url="postgresql://here/x", database_url_file=tmp_path / "url")
