"""The compose file: its settings, commands and secrets exist, and its services have few rights."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url

from app.commands import commands
from app.engine import MAX_OVERFLOW, POOL_SIZE
from app.settings import Settings
from tests.composed import composed

ROOT = Path(__file__).parents[2]
OURS = ("migrate", "web", "worker")
DETACHED = 2
"""A worker's connections outside of its pool: one for its lock, one on which it listens."""
RESERVED = 3
"""Connections that Postgres reserves for superusers by default."""


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn") / "secrets"
    subprocess.run([ROOT / "deploy" / "new-secrets", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def file() -> dict[str, Any]:
    return composed({})


@pytest.fixture(scope="module")
def services(file: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = file["services"]
    return found


@pytest.mark.parametrize(
    ("name", "role"), [("migrate", "wassay_owner"), ("web", "wassay"), ("worker", "wassay")]
)
def test_what_the_compose_file_sets_are_settings_and_what_it_runs_are_commands(
    name: str,
    role: str,
    services: dict[str, Any],
    secrets: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mounted = {f"/run/secrets/{each}": str(secrets / each) for each in services[name]["secrets"]}
    for variable, value in services[name]["environment"].items():
        assert not value.startswith("/run/secrets/") or value in mounted
        monkeypatch.setenv(variable, mounted.get(value, value))
    settings = Settings()
    command, *arguments = services[name]["command"].split()

    loaded = next(each for each in commands if each.name == command).loaded()
    parsed = loaded.make_context(command, arguments)

    database = make_url(settings.resolved_database_url)
    assert (database.username, database.host, database.database) == (role, "database", "wassay")
    assert parsed.params.get("with_worker", False) is False
    assert parsed.params.get("grant_to", "wassay") == "wassay"
    if name != "migrate":
        assert {"arrays_url", "receipt_key_file"} <= settings.model_fields_set


def test_the_stores_key_may_use_one_bucket_and_administer_none(secrets: Path) -> None:
    (identity,) = json.loads((secrets / "store-identities.json").read_text())["identities"]
    (credentials,) = identity["credentials"]
    assert credentials["secretKey"] == (secrets / "store-secret").read_text().strip()
    assert {action.partition(":")[2] for action in identity["actions"]} == {"wassay"}


def test_secrets_are_drawn_once_for_their_owner_and_differ(secrets: Path) -> None:
    assert secrets.stat().st_mode & 0o777 == 0o700
    drawn = [each.read_text() for each in secrets.glob("*password")]
    assert len(set(drawn)) == len(drawn) == 3
    again = subprocess.run(
        [ROOT / "deploy" / "new-secrets", secrets], capture_output=True, check=False
    )
    assert again.returncode != 0


def test_every_secret_that_is_mounted_is_drawn(
    file: dict[str, Any], services: dict[str, Any], secrets: Path
) -> None:
    mounted = {name for each in services.values() for name in each.get("secrets", [])}
    drawn = {each.name for each in secrets.iterdir()}
    assert mounted == drawn == set(file["secrets"])
    assert {each["file"] for each in file["secrets"].values()} == {f"secrets/{n}" for n in drawn}


def test_every_container_has_limits_and_no_rights_that_it_does_not_need(
    services: dict[str, Any],
) -> None:
    for name, service in services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}, name
        assert service["image"] == "wassay" or "@sha256:" in service["image"], name
        # Without capabilities, root cannot write to a volume of the image's own user.
        assert service["image"] == "wassay" or service["user"] not in {"root", "0"}, name


def test_the_web_process_and_workers_are_checked_at_the_ports_that_they_listen_on(
    services: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert services["web"]["healthcheck"]["test"] == ["CMD", "wassay-liveness"]
    _, *program = services["worker"]["healthcheck"]["test"]
    for variable, value in services["worker"]["environment"].items():
        if variable.startswith("WASSAY_WORKER"):
            monkeypatch.setenv(variable, value)
    assert program == ["env", f"WASSAY_PORT={Settings().worker_port}", "wassay-liveness"]
    assert "healthcheck" not in services["migrate"]


def test_postgres_allows_as_many_connections_as_the_processes_may_open(
    services: dict[str, Any],
) -> None:
    processes = 1 + services["worker"]["deploy"]["replicas"]
    option, value = services["database"]["command"]
    assert option == "-c"
    allowed = int(value.removeprefix("max_connections="))
    assert allowed >= processes * (POOL_SIZE + MAX_OVERFLOW + DETACHED) + RESERVED


def test_workers_share_a_database_a_bucket_and_the_receipt_key_and_no_folder_with_the_web(
    services: dict[str, Any], file: dict[str, Any]
) -> None:
    volumes = {name: services[name].get("volumes", []) for name in OURS}
    assert volumes == {
        "migrate": [],
        "web": ["web:/data"],
        "worker": ["worker:/data", "keys:/keys"],
    }
    named = {each.partition(":")[0] for one in services.values() for each in one.get("volumes", [])}
    assert named == set(file["volumes"])


def test_more_workers_find_both_on_the_first_machine(services: dict[str, Any]) -> None:
    more = yaml.safe_load((ROOT / "deploy" / "compose.worker.yaml").read_text())["services"]
    (hosts,) = (each["extra_hosts"] for each in more.values())
    assert list(more) == ["worker"]
    assert [host.partition(":")[0] for host in hosts] == ["database", "store"]
    assert "depends_on" not in services["worker"]
