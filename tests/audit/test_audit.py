"""What an audit says about each receiver."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.programs.typed import Run, typed
from tests.transport.inversion.records import haar, normal_reference, records
from tests.transport.samples import random_weights
from wassay.audit import (
    Audit,
    BuyerMeasure,
    DisclosureClass,
    Exposure,
    RigidMotion,
    SellerCostBlocks,
    SellerMeasures,
    audit,
)
from wassay.cli.word_vectors import read_vectors
from wassay.client import InvalidArgumentError
from wassay.models import ScorePolicy
from wassay.transport import (
    Constant,
    Measure,
    Power,
    Reference,
    TransportError,
    cost_block,
    document,
    nearest_words,
    project,
)

EXACT = 1e-9
SWEEP = (0.25, 0.5, 0.75)
SERVICE, COLLUDING = "the service", "the service and a seller together"


def pushed(
    measure: Measure,
    reference: Reference,
    sweep: Iterable[float] = SWEEP,
    isometry: RigidMotion = lambda measure: measure,
) -> dict[float, Measure]:
    projection = project(measure, reference.measure())
    return {s: isometry(projection.interpolate(s)) for s in sweep}


def secret_isometry(dimension: int, seed: int = 0) -> RigidMotion:
    rng = np.random.default_rng(seed)
    rotation, shift = haar(rng, dimension), rng.normal(size=dimension)
    return lambda measure: Measure(measure.points @ rotation + shift, measure.weights)


def by_receiver(found: Audit) -> dict[str, Exposure]:
    return {exposure.receiver: exposure for exposure in found.exposures}


def error(exposure: Exposure) -> float:
    """Return the relative error of the reconstruction, of which there must be one."""
    assert exposure.relative_error is not None
    return exposure.relative_error


@pytest.mark.parametrize("sweep", [SWEEP, (0.5,)])
@pytest.mark.parametrize("k", [1, 20])
def test_a_seller_who_sends_measures_to_an_open_reference_sends_the_records(
    k: int, sweep: tuple[float, ...]
) -> None:
    truth, reference = records("digits", 50), normal_reference(k, 64)
    found = audit(truth, SellerMeasures(pushed(Measure(truth), reference, sweep)), reference)
    rows = by_receiver(found)
    for receiver in (SERVICE, COLLUDING):
        assert rows[receiver].disclosure_class is DisclosureClass.EXACT
        assert error(rows[receiver]) <= EXACT
        assert rows[receiver].reidentified == rows[receiver].attacked == 50
    assert rows["the buyer"].disclosure_class is DisclosureClass.SCALARS
    assert rows["other sellers"].disclosure_class is DisclosureClass.NOTHING
    assert found.worst is DisclosureClass.EXACT


def test_sealed_measures_are_known_up_to_an_isometry_until_a_seller_colludes() -> None:
    truth, reference = records("gaussian", 60), normal_reference(1, 10)
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    rows = by_receiver(audit(truth, sent, reference, isometry=isometry, known_records=0))
    assert rows[SERVICE].disclosure_class is DisclosureClass.UP_TO_ISOMETRY
    assert rows[SERVICE].relative_error is None
    assert rows[COLLUDING].disclosure_class is DisclosureClass.EXACT
    assert error(rows[COLLUDING]) <= EXACT


@pytest.mark.parametrize(("known", "exact"), [(4, False), (11, True)])
def test_records_that_the_service_knows_undo_the_seal(known: int, exact: bool) -> None:
    truth, reference = records("gaussian", 60), normal_reference(1, 10)
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    found = audit(truth, sent, reference, isometry=isometry, known_records=known)
    service = by_receiver(found)[SERVICE]
    assert service.attacked == 60 - known
    assert (error(service) <= EXACT) is exact
    assert service.reidentified is not None
    assert service.reidentified >= 0.5 * service.attacked


def test_weights_and_points_without_mass_are_audited_too() -> None:
    rng, truth = np.random.default_rng(1), records("gaussian", 31)
    weights = np.append(random_weights(rng, 30), 0.0)
    measure, reference = Measure(truth, weights), normal_reference(7, 10)
    found = audit(measure, SellerMeasures(pushed(measure, reference, (0.5,))), reference)
    service = by_receiver(found)[SERVICE]
    assert service.attacked == 30
    assert error(service) <= EXACT


@pytest.mark.parametrize("sweep", [SWEEP, (0.25, 0.5), (0.5,)])
@pytest.mark.parametrize("order", [1, 2])
def test_cost_blocks_are_the_records_however_few(sweep: tuple[float, ...], order: Power) -> None:
    truth, reference = records("gaussian", 40), normal_reference(15, 10)
    buyer = pushed(Measure(records("gaussian", 30, seed=1)), reference, (0.4,))[0.4]
    blocks = {
        s: cost_block(measure.points, buyer.points, order)
        for s, measure in pushed(Measure(truth), reference, sweep).items()
    }
    service = by_receiver(audit(truth, SellerCostBlocks(blocks, buyer, order), reference))[SERVICE]
    assert service.disclosure_class is DisclosureClass.EXACT
    assert error(service) <= EXACT


def test_cost_blocks_to_few_points_are_a_projection() -> None:
    truth, reference = records("gaussian", 40), normal_reference(1, 10)
    buyer = Measure(records("gaussian", 4, seed=1))
    blocks = {
        s: cost_block(measure.points, buyer.points)
        for s, measure in pushed(Measure(truth), reference).items()
    }
    service = by_receiver(audit(truth, SellerCostBlocks(blocks, buyer), reference))[SERVICE]
    assert service.learns == "projection of rank 3"
    assert error(service) > 0.5


def test_a_buyers_measure_is_known_as_well_as_t0_can_be_guessed() -> None:
    truth, reference = records("digits", 60), normal_reference(20, 64, 2.0)
    sent = BuyerMeasure(pushed(Measure(truth), reference, (0.4,))[0.4])
    rows = by_receiver(audit(truth, sent, reference))
    service = rows[SERVICE]
    assert service.disclosure_class is DisclosureClass.APPROXIMATE
    assert error(service) <= 0.1
    assert service.reidentified is not None
    assert service.reidentified >= 0.95 * service.attacked
    assert rows["each seller"].disclosure_class is DisclosureClass.SCORES


def test_a_push_that_is_taken_as_guessed_does_more_harm_than_an_estimate() -> None:
    truth, reference = records("digits", 60), normal_reference(20, 64, 2.0)
    sent = BuyerMeasure(pushed(Measure(truth), reference, (0.4,))[0.4], push=0.4)
    service = by_receiver(audit(truth, sent, reference))[SERVICE]
    assert service.disclosure_class is DisclosureClass.APPROXIMATE
    assert error(service) <= 0.01
    assert "push" not in repr(sent)


def test_sellers_who_may_download_the_buyers_measure_learn_what_the_service_learns() -> None:
    truth, reference = records("digits", 40), normal_reference(1, 64)
    measure = pushed(Measure(truth), reference, (0.4,))[0.4]
    rows = by_receiver(audit(truth, BuyerMeasure(measure, shown_to_sellers=True), reference))
    assert rows["each accepted seller"].relative_error == error(rows[SERVICE]) <= EXACT


@pytest.mark.parametrize("reference", [normal_reference(1, 10), Reference(4, 10, Constant(2.0), 1)])
def test_a_push_to_one_place_hides_one_factor_and_one_known_record_gives_it(
    reference: Reference,
) -> None:
    truth = records("gaussian", 30)
    sent = BuyerMeasure(pushed(Measure(truth), reference, (0.4,))[0.4])
    unaided = by_receiver(audit(truth, sent, reference, known_records=0))[SERVICE]
    assert unaided.disclosure_class is DisclosureClass.APPROXIMATE
    assert unaided.relative_error is None
    assert "one factor" in unaided.explanation
    aided = by_receiver(audit(truth, sent, reference, known_records=1))[SERVICE]
    assert aided.disclosure_class is DisclosureClass.EXACT
    assert error(aided) <= EXACT


@pytest.mark.parametrize(
    ("policy", "disclosed", "needed"),
    [
        ("none", DisclosureClass.SCALARS, f"12, which read no attribute; {30 * 11 + 1} over"),
        ("ranks", DisclosureClass.SCORES, "and 11 nearly"),
        ("scores", DisclosureClass.EXACT, "11 of the buyer's points"),
    ],
)
def test_a_buyer_learns_what_the_seller_lets_and_could_ask_for_the_rest(
    policy: ScorePolicy, disclosed: DisclosureClass, needed: str
) -> None:
    truth, reference = records("gaussian", 30), normal_reference(1, 10)
    sent = SellerMeasures(pushed(Measure(truth), reference))
    buyer = by_receiver(audit(truth, sent, reference, scores=policy))["the buyer"]
    assert buyer.disclosure_class is disclosed
    assert needed in buyer.explanation


@pytest.mark.parametrize(
    ("questions", "rank", "allowed"),
    [(12, None, "no attribute"), (30, 2, "of 2 attributes"), (None, 10, "every attribute")],
)
def test_a_buyer_reads_as_many_attributes_as_the_caps_allow_distances(
    questions: int | None, rank: int | None, allowed: str
) -> None:
    truth, reference = records("gaussian", 30), normal_reference(1, 10)
    sent = SellerMeasures(pushed(Measure(truth), reference))
    buyer = by_receiver(audit(truth, sent, reference, questions=questions))["the buyer"]
    assert buyer.learns == ("scalars" if rank is None else f"projection of rank {rank}")
    assert allowed in buyer.explanation


def test_receivers_beyond_a_limit_are_named() -> None:
    truth, reference = records("gaussian", 30), normal_reference(1, 10)
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    found = audit(truth, sent, reference, isometry=isometry)
    assert [exposure.receiver for exposure in found.beyond(DisclosureClass.SCORES)] == [SERVICE]
    assert (
        found.beyond(DisclosureClass.UP_TO_ISOMETRY) == ()
    )  # a seller who colludes does not count
    assert found.worst is DisclosureClass.EXACT
    assert "up-to-isometry" in str(found)
    assert COLLUDING in str(found)


@pytest.mark.parametrize(("std", "hidden"), [(1.0, False), (2.0**18, True)])
def test_norms_are_as_far_off_as_the_reference_is_far(std: float, hidden: bool) -> None:
    random = np.random.default_rng(5)
    truth = np.column_stack([random.lognormal(10.5, 0.6, 100), random.normal(40, 12, (100, 3))])
    reference, isometry = normal_reference(1, 4, std), secret_isometry(4)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    service = by_receiver(audit(truth, sent, reference, isometry=isometry))[SERVICE]
    (remark,) = (each for each in service.columns.remarks if "the norm of a record" in each)
    assert ("off by 0.0%" not in remark) is hidden


def test_repeated_records_are_counted() -> None:
    truth, reference = records("gaussian", 40), normal_reference(1, 10)
    truth[:3] = truth[0]
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    found = audit(truth, sent, reference, isometry=isometry)
    assert "3 records equal another" in str(found)


def test_records_that_are_all_equal_are_audited_and_show_no_columns() -> None:
    truth, reference = np.full((40, 10), 3.0), normal_reference(1, 10)
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    found = by_receiver(audit(truth, sent, reference, isometry=isometry))
    assert not found[SERVICE].columns.read
    assert found[SERVICE].disclosure_class is DisclosureClass.UP_TO_ISOMETRY


def test_fewer_than_ten_records_show_no_columns() -> None:
    truth, reference = records("gaussian", 9), normal_reference(1, 10)
    isometry = secret_isometry(10)
    sent = SellerMeasures(pushed(Measure(truth), reference, isometry=isometry))
    assert not by_receiver(audit(truth, sent, reference, isometry=isometry))[SERVICE].columns.read


def test_arrays_that_are_not_of_these_records_are_refused() -> None:
    truth, reference = records("gaussian", 30), normal_reference(1, 10)
    sent = SellerMeasures(pushed(Measure(truth), reference))
    with pytest.raises(TransportError, match="29 records and 30 rows"):
        audit(truth[:29], sent, reference)
    with pytest.raises(TransportError, match="one space"):
        audit(truth, sent, normal_reference(1, 11))
    for epsilon in (0.0, -1.0, np.nan):
        with pytest.raises(TransportError, match="positive"):
            audit(truth, sent, reference, epsilon=epsilon)
    with pytest.raises(TransportError, match="one array for each s"):
        SellerMeasures({})


def vocabulary(size: int, dimension: int = 16) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(4)
    return {f"word{i}": rng.normal(size=dimension) for i in range(size)}


def test_inverting_a_text_reads_every_word_and_not_inverting_reads_few() -> None:
    vectors = vocabulary(2000)
    text, reference = document(list(vectors)[:40], vectors), normal_reference(40, 16, 5.0)
    sent = SellerMeasures(pushed(text, reference, (0.5,)))
    found = audit(text, sent, reference, vectors=vectors)
    assert by_receiver(found)[SERVICE].words_read == 40
    assert by_receiver(found)["the buyer"].words_read is None
    as_sent = nearest_words(sent.measures[0.5].points, vectors)
    read = sum(word == own for word, own in zip(as_sent, vectors, strict=False))
    assert read < 20
    assert f"without an attack, {read} of 40 words" in found.text
    assert "words read" in str(found)
    assert "words read" not in str(audit(text, sent, reference))


def test_two_known_words_read_a_sealed_text() -> None:
    """They give one exact coordinate of every other word, in which all words differ."""
    vectors = vocabulary(2000)
    text, reference = document(list(vectors)[:40], vectors), normal_reference(1, 16)
    isometry = secret_isometry(16)
    sent = SellerMeasures(pushed(text, reference, isometry=isometry))
    for known, words_read in ((0, None), (2, 38)):
        found = audit(
            text, sent, reference, isometry=isometry, known_records=known, vectors=vectors
        )
        assert by_receiver(found)[SERVICE].words_read == words_read
        assert by_receiver(found)[COLLUDING].words_read == 40
        assert "without an attack, 0 of 40 words" in found.text


def test_vectors_have_the_records_coordinates() -> None:
    truth, reference = records("gaussian", 30), normal_reference(1, 10)
    sent = SellerMeasures(pushed(Measure(truth), reference))
    with pytest.raises(TransportError, match="10 coordinates"):
        audit(truth, sent, reference, vectors=vocabulary(5))


def run(*arguments: str, folder: Path) -> Run:
    return typed(folder, {}, "audit", *arguments)


def test_the_command_prints_the_table_without_any_service(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", records("gaussian", 40))
    asked = ("mine.npy", "--s", "0.5", "--size", "7")
    printed = run(*asked, folder=tmp_path)
    assert printed.returncode == 0, printed.stderr
    assert "up-to-isometry" in printed.stdout
    assert "40 of 40" in printed.stdout
    printed = run(*asked, "--open", folder=tmp_path)
    assert printed.returncode == 0, printed.stderr
    assert "up-to-isometry" not in printed.stdout


def test_the_command_counts_the_words_that_are_read(tmp_path: Path) -> None:
    vectors = vocabulary(300)
    lines = [" ".join([word, *map(repr, each.tolist())]) for word, each in vectors.items()]
    (tmp_path / "vectors.txt").write_text("300 16\n" + "\n".join(lines))
    np.save(tmp_path / "text.npy", document(list(vectors)[:25], vectors).points)
    printed = run("text.npy", "--open", "--words", "vectors.txt", folder=tmp_path)
    assert printed.returncode == 0, printed.stderr
    header, _, service, *_ = printed.stdout.splitlines()[2:]
    assert header.endswith("words read")
    assert service.endswith("25 of 25")


def test_word_vectors_are_read_as_word2vec_and_glove_write_them(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("2 3\nred 1 2 3\n. . . -1 0.5 2e-1\n")
    read = read_vectors(tmp_path / "vectors.txt")
    assert list(read) == ["red", ". . ."]
    np.testing.assert_array_equal(read[". . ."], [-1, 0.5, 0.2])
    (tmp_path / "vectors.txt").write_text("red 1 2 3\nblue 1 two 3\n")
    with pytest.raises(InvalidArgumentError, match="line 2"):
        read_vectors(tmp_path / "vectors.txt")


def test_word_vectors_of_other_encodings_stay_apart_or_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(b"\xef\xbb\xbfred 1 2\nM\xfcller 3 4\nM\xe4ller 5 6\n")
    read = read_vectors(path)
    assert next(iter(read)) == "red"
    assert [vector.tolist() for vector in read.values()] == [[1, 2], [3, 4], [5, 6]]
    for content in ("red 1 2\nblue 3 4\n".encode("utf-16"), b"red 1 nan\n", b"", b"red 1,5 2\n"):
        path.write_bytes(content)
        with pytest.raises(InvalidArgumentError, match=r"vectors.txt: "):
            read_vectors(path)


def test_the_command_says_what_it_misses(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", records("gaussian", 40))
    refused = run("mine.npy", "--mode", "cost-block", folder=tmp_path)
    assert refused.returncode == 1
    assert "--buyer" in refused.stderr
    assert "Traceback" not in refused.stderr
