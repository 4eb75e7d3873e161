"""The manifests of Kubernetes and the units of systemd run commands and set settings that exist."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.arrays import credential_files
from app.commands import commands
from app.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
STORE = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL", "AWS_REGION")
VARIABLES = {
    *(f"WASSAY_{name.upper()}" for name in Settings.model_fields),
    *STORE,
    *(f"{name}_FILE" for name in (credential_files.KEY_ID, credential_files.SECRET)),
    "NUMBA_CACHE_DIR",
}
RUN = ["migrate", "serve", "worker"]
Container = Mapping[str, Any]


def parse(words: list[str]) -> str:
    """Parse a command line of ours, and return its command."""
    command, *arguments = words
    loaded = next(each for each in commands if each.name == command).loaded()
    loaded.make_context(command, arguments)
    return command


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    files = (DEPLOY / "kubernetes").glob("*.yaml")
    return [each for file in files for each in yaml.safe_load_all(file.read_text())]


def pods(documents: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for document in documents:
        if document["kind"] in {"Deployment", "Job"}:
            yield document["spec"]["template"]["spec"]


def test_pods_run_commands_with_settings(documents: list[dict[str, Any]]) -> None:
    containers = [each for pod in pods(documents) for each in pod["containers"]]
    assert sorted(parse(each["args"]) for each in containers) == RUN
    (settings,) = (each["data"] for each in documents if each["kind"] == "ConfigMap")
    own = {variable["name"] for each in containers for variable in each.get("env", [])}
    assert settings.keys() | own <= VARIABLES


def test_pods_have_no_rights_that_they_do_not_need(documents: list[dict[str, Any]]) -> None:
    for pod in pods(documents):
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"]
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert "memory" in container["resources"]["limits"]


def test_prometheus_may_reach_every_port_that_serves_metrics(
    documents: list[dict[str, Any]],
) -> None:
    served = {
        port["name"] for pod in pods(documents) for port in pod["containers"][0].get("ports", [])
    }
    (policy,) = (each for each in documents if each["metadata"]["name"] == "wassay-metrics")
    (rule,) = policy["spec"]["ingress"]
    assert {port["port"] for port in rule["ports"]} == served == {"http", "health"}


def test_units_run_commands_with_settings() -> None:
    units = sorted((DEPLOY / "systemd").iterdir())
    ran = []
    for unit in units:
        content = unit.read_text()
        (line,) = re.findall(r"^ExecStart=/opt/wassay/bin/wassay (.+)$", content, re.M)
        ran.append(parse(line.split()))
        assigned = re.findall(r"^Environment=(.+)$", content, re.M)
        named = {pair.partition("=")[0] for pairs in assigned for pair in pairs.split()}
        assert named <= VARIABLES, unit
        credentials = set(re.findall(r"^LoadCredential=([a-z-]+):", content, re.M))
        assert set(re.findall(r"=%d/([a-z-]+)", content)) == credentials, unit
    assert sorted(ran) == RUN
