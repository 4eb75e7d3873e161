"""FedWad between two parties, against POT, and what its messages give away."""

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from wassay.audit import DisclosureClass, FedWadMessages, audit
from wassay.transport import (
    FedWad,
    FedWadParty,
    Measure,
    Normal,
    Reference,
    TransportError,
    fedwad,
    next_xi,
)

RANDOM = np.random.default_rng(0)
MU, NU = RANDOM.normal(size=(60, 20)), RANDOM.gamma(2.0, size=(60, 20))
START = Reference(60, 20, Normal(), seed=0)


def distance(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(np.sqrt(ot.emd2([], [], ot.dist(first, second))))


@pytest.fixture(scope="module")
def run() -> FedWad:
    return fedwad(Measure(MU), Measure(NU), xi=START.measure())


def test_on_a_line_fedwad_ends_at_the_distance() -> None:
    first, second = RANDOM.normal(size=(30, 1)), RANDOM.gamma(2.0, size=(30, 1))
    found = fedwad(Measure(first), Measure(second))
    assert found.distance == pytest.approx(distance(first, second), rel=1e-6)


@pytest.mark.parametrize("size", [60, 45])
def test_every_round_is_an_upper_bound(size: int) -> None:
    found = fedwad(Measure(MU), Measure(NU[:size]), rounds=4)
    truth = distance(MU, NU[:size])
    assert all(each.distance >= truth for each in found.rounds)
    assert found.rounds[-1].distance < found.rounds[0].distance


def test_parties_who_only_exchange_messages_find_the_same(run: FedWad) -> None:
    xi, one, other = START.measure(), FedWadParty(Measure(MU)), FedWadParty(Measure(NU))
    for done in run.rounds[:3]:
        sent, received = one.share(xi), other.share(xi)
        assert sent.length + received.length == done.distance
        xi = next_xi(sent, received)
        np.testing.assert_array_equal(xi.points, done.xi.points)


def test_a_run_prints_its_convergence_and_what_it_has_sent(run: FedWad) -> None:
    head, _, *rows = str(run).splitlines()
    assert head.split() == ["round", "W2", "estimate", "change", "numbers", "sent"]
    assert len(rows) == 30
    assert rows[-1].split()[1] == f"{run.distance:.4f}"
    assert rows[-1].split()[-1] == f"{30 * 2 * (60 * 20 + 1):,}"


@pytest.mark.parametrize("second", [False, True])
def test_at_equal_sizes_the_other_partys_reflection_reads_every_record(
    run: FedWad, second: bool
) -> None:
    own, other = (NU, MU) if second else (MU, NU)
    sent = FedWadMessages(run.rounds[-1], second=second, receiver=Measure(other))
    reflected, half_way = audit(own, sent, START).exposures
    assert reflected.receiver == "the other party, from ξ"
    assert reflected.disclosure_class is DisclosureClass.EXACT
    assert reflected.relative_error is not None
    assert reflected.relative_error < 1e-6
    assert reflected.reidentified == half_way.reidentified == 60


@pytest.mark.parametrize("size", [60, 45])
def test_the_first_round_alone_gives_the_records_to_whoever_reads_it(size: int) -> None:
    run = fedwad(Measure(MU), Measure(NU[:size]), rounds=1, xi=START.measure())
    _, reader = audit(NU[:size], FedWadMessages(run.rounds[0], second=True), START).exposures
    assert reader.disclosure_class is DisclosureClass.EXACT
    assert reader.relative_error is not None
    assert reader.relative_error < 1e-12


def test_at_unequal_sizes_the_reflection_is_not_run_and_says_why() -> None:
    run = fedwad(Measure(MU), Measure(NU[:45]), rounds=1, xi=START.measure())
    sent = FedWadMessages(run.rounds[0], receiver=Measure(NU[:45]))
    stated, _ = audit(MU, sent, START).exposures
    assert "if both sides have equally many records and t = ½; not run" in stated.explanation


def test_of_many_records_a_sample_is_attacked() -> None:
    many = RANDOM.normal(size=(300, 3))
    start = Reference(300, 3, Normal(), seed=0)
    found = fedwad(Measure(many), Measure(many + 2.0), rounds=6, xi=start.measure())
    sent = FedWadMessages(found.rounds[-1], receiver=Measure(many + 2.0))
    assert [each.attacked for each in audit(many, sent, start).exposures] == [256, 256]


def test_without_the_other_partys_records_the_reflection_is_stated(run: FedWad) -> None:
    stated, _ = audit(MU, FedWadMessages(run.rounds[-1]), START).exposures
    assert stated.disclosure_class is DisclosureClass.EXACT
    assert "not run" in stated.explanation


def test_no_round_is_refused() -> None:
    with pytest.raises(TransportError, match="at least one round, received 0"):
        fedwad(Measure(MU), Measure(NU), rounds=0)
