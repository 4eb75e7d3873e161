"""Attacks of the audit: each is one object in the registry."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.transport.inversion.records import normal_reference, records
from wassay.audit import (
    COLUMN_RECORDS,
    BuyerMeasure,
    DisclosureClass,
    SellerScalars,
    audit,
    column_assessment,
)
from wassay.audit.attacks import registry
from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.attacks.column_attack import Cloud, ColumnAttack
from wassay.cli.commands.audit import audit as audit_command
from wassay.transport import Measure, TransportError

Register = Callable[[Attack], None]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Register:
    def append(attack: Attack) -> None:
        monkeypatch.setattr(registry, "ATTACKS", (*registry.ATTACKS, attack))

    return append


def lookup(target: Target) -> AttackResult:
    """An attack that pretends to look up records by their numbers."""
    return AttackResult(DisclosureClass.PROJECTION, f"{target.size} records looked up")


def test_an_attack_that_is_registered_appears_in_the_commands_table(
    register: Register, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "mine.npy", records("gaussian", 12))
    audit_command(tmp_path / "mine.npy", mode="scalar")
    assert "looked up" not in capsys.readouterr().out
    needs = frozenset({Knowledge.SCALARS})
    register(Attack("lookup", needs, DisclosureClass.PROJECTION, lookup))
    audit_command(tmp_path / "mine.npy", mode="scalar")
    printed = capsys.readouterr().out
    service = next(line for line in printed.splitlines() if line.startswith("the service "))
    assert "projection" in service
    assert "12 records looked up" in printed


def test_an_attack_is_run_only_for_receivers_who_hold_what_it_needs(register: Register) -> None:
    needs = frozenset({Knowledge.SCALARS, Knowledge.REFERENCE})
    register(Attack("lookup", needs, DisclosureClass.PROJECTION, lookup))
    truth, reference = records("gaussian", 20), normal_reference(1, 10)
    found = audit(truth, SellerScalars(20), reference, isometry=lambda measure: measure)
    learned = {each.receiver: each.disclosure_class for each in found.exposures}
    assert learned == {
        "the service": DisclosureClass.SCALARS,
        "the buyer": DisclosureClass.SCALARS,
        "other sellers": DisclosureClass.NOTHING,
        "the service and a seller together": DisclosureClass.PROJECTION,
    }


def test_an_attack_that_breaks_off_counts_as_if_it_had_succeeded(register: Register) -> None:
    def break_off(_: Target) -> AttackResult:
        raise TransportError("no convergence")

    needs = frozenset({Knowledge.SCALARS})
    register(Attack("broken", needs, DisclosureClass.PROJECTION, break_off))
    truth, reference = records("gaussian", 12), normal_reference(1, 10)
    service = audit(truth, SellerScalars(12), reference).exposures[0]
    assert service.disclosure_class is DisclosureClass.EXACT
    assert service.explanation == "the attack broke off: no convergence"


def test_attacks_on_columns_know_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    targets: list[Target] = []

    def look(cloud: Cloud) -> None:
        targets.append(cloud.target)

    # Columns are read from other rows than those in which the known records are.
    truth = records("gaussian", COLUMN_RECORDS + 1)
    sent = BuyerMeasure(Measure(truth))
    monkeypatch.setattr(
        column_assessment, "COLUMN_ATTACKS", (ColumnAttack("look", frozenset(), look),)
    )
    audit(truth, sent, normal_reference(1, 10), isometry=lambda measure: measure)
    (target,) = targets
    assert target.sent.size == COLUMN_RECORDS
    assert target.known.size == target.known_records.size == 0


def test_every_attack_is_registered_once() -> None:
    names = [attack.name for attack in registry.ATTACKS]
    names += [attack.name for attack in registry.COLUMN_ATTACKS]
    assert len(set(names)) == len(names)
    folder = Path(registry.__file__).parent
    beside = ["__init__", "attack", "column_attack", "registry"]
    assert len(list(folder.glob("*.py"))) == len(names) + len(beside)
