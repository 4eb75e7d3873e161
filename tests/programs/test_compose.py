"""The compose file names settings and commands that there are; its store is that of all tests."""

from typing import Any

import pytest

from app.commands import commands
from app.settings import Settings
from tests.composed import composed

VARIABLES = {"WASSAY_DB_PASSWORD": "abc", "WASSAY_STORE_SECRET": "def"}
OURS = ("migrate", "web", "worker")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = composed(VARIABLES)["services"]
    return found


@pytest.mark.parametrize("name", OURS)
def test_what_the_compose_file_sets_are_settings_and_what_it_runs_are_commands(
    name: str, services: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in services[name]["environment"].items():
        monkeypatch.setenv(variable, value)
    set_there = Settings().model_fields_set
    command, *arguments = services[name]["command"].split()

    loaded = next(each for each in commands if each.name == command).loaded()
    parsed = loaded.make_context(command, arguments)

    assert set_there == {"database_url", "arrays_url", "receipt_key_file"}
    assert Settings().resolved_database_url.endswith("wassay:abc@database/wassay")
    assert parsed.params.get("with_worker", False) is False


def test_workers_share_a_database_a_bucket_and_the_receipt_key_and_no_other_folder(
    services: dict[str, Any],
) -> None:
    volumes = [volume for name in OURS for volume in services[name].get("volumes", [])]
    assert volumes == ["web:/data", "keys:/keys"]


def test_more_workers_find_both_on_the_first_machine() -> None:
    worker = composed(VARIABLES | {"WASSAY_FIRST_MACHINE": "10.0.0.1"})["services"]["worker"]
    assert worker["environment"]["WASSAY_DATABASE_URL"] == "postgresql://wassay:abc@10.0.0.1/wassay"
    assert worker["environment"]["AWS_ENDPOINT_URL"] == "http://10.0.0.1:8333"
    assert "depends_on" not in worker
