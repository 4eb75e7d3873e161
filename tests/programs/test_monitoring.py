"""The files for Prometheus and Grafana: alerts fire when they should, and have runbooks."""

import re
from pathlib import Path
from typing import Any

import yaml

from tests.promtool import MONITORING, promtool

RUNBOOKS = Path(__file__).parents[2] / "docs" / "operating" / "alerts.md"


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def test_prometheus_accepts_the_alerts_and_the_configuration() -> None:
    assert f"{len(rules())} rules found" in promtool("check", "rules", "alerts.yml")
    promtool("check", "config", "prometheus.yml")


def test_each_alert_fires_when_it_should_and_none_when_the_service_works() -> None:
    assert "SUCCESS" in promtool("test", "rules", "alerts_test.yml")
    tested = (MONITORING / "alerts_test.yml").read_text()
    for rule in rules():
        assert f'alertname="{rule["alert"]}", alertstate="firing"' in tested


def test_each_alert_has_a_runbook_and_each_runbook_an_alert() -> None:
    page = RUNBOOKS.read_text()
    sections = re.findall(r"^### (Wassay\w+)$", page, re.MULTILINE)

    assert sorted(sections) == sorted(rule["alert"] for rule in rules())
    for rule in rules():
        file, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert RUNBOOKS.match(file)
        assert anchor == rule["alert"].lower()
