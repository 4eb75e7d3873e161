"""Sealed references: the same results as with open ones, and foreign keys are noticed."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text

from tests.conftest import ON_SQLITE
from tests.e2e.digits import NEEDED, OFFERED, asked
from tests.e2e.service import NewParty, Party
from wassay import (
    Buyer,
    BuyerPrivacy,
    Estimates,
    Evaluation,
    Normal,
    Profile,
    Protocol,
    Reference,
    Request,
    Seller,
    SellerPrivacy,
)
from wassay.client import IntegrityError, UninvitedWarning
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.shared.identity import Identity, SharedSecret
from wassay.client.shared.terms import Terms
from wassay.key_profile import KeyChangedError
from wassay.models import Mode, Order
from wassay.reference_key import ReferenceKey
from wassay.sealed_boxes import KeyPair, SealingError

pytestmark = ON_SQLITE

T0 = 0.35


@pytest.fixture(scope="package")
def sellers(new_party: NewParty) -> list[Party]:
    return [new_party("seller", name="Sol"), new_party("seller", name="Una")]


@dataclass
class Trade:
    evaluation: Evaluation
    contributions: list[str]
    estimates: Estimates


def trade(
    buyer: Party,
    sellers: list[Party],
    *,
    sealed: bool,
    size: int = 1,
    order: Order = 2,
    mode: Mode = "measure",
) -> Trade:
    request = Buyer(buyer.client).ask(
        NEEDED,
        title="Digits",
        sellers=[seller.account_id for seller in sellers],
        privacy=BuyerPrivacy(
            sealed=sealed, reveals_measure=mode == "cost-block", max_disclosure="exact"
        ),
        protocol=Protocol(
            t0=T0,
            order=order,
            reference=Reference(size, 64, Normal(), seed=2**120 + 3),
            modes=[mode],
        ),
    )
    contributions = [
        Seller(seller.client)
        .answer(
            request.id,
            points,
            mode=mode,
            privacy=SellerPrivacy(
                scores="scores",
                keeps_order=True,
                open_reference=not sealed,
                max_disclosure="exact",
            ),
        )
        .id
        for seller, points in zip(sellers, OFFERED, strict=True)
    ]
    evaluation = request.evaluate().wait(timeout=300)
    return Trade(evaluation, contributions, evaluation.result().estimates())


@pytest.mark.parametrize(
    ("order", "mode", "size"),
    [(2, "measure", 1), (2, "cost-block", 1), (1, "measure", 1), (2, "measure", 5)],
)
def test_sealing_changes_no_distance_no_interval_and_no_score(
    buyer: Party, sellers: list[Party], order: Order, mode: Mode, size: int
) -> None:
    opened, sealed = (
        trade(buyer, sellers, sealed=sealed, size=size, order=order, mode=mode)
        for sealed in (False, True)
    )

    def numbers(trade: Trade) -> list[float]:
        found = [trade.estimates.grand_coalition]
        for seller in trade.estimates.sellers:
            assert seller.leave_one_out is not None
            found += [seller.singleton, seller.leave_one_out]
        told = [trade.estimates.sellers[0].relative_score]
        for each in found:
            assert each is not None
            told.append(each.value)
            told += each.interval or ()
            told += [] if each.mean_gap is None else [each.mean_gap]
        return told

    ours, theirs = numbers(sealed), numbers(opened)
    assert len(ours) == len(theirs) > 10
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    parties: list[tuple[str | None, str | None]] = [
        (None, None),
        *zip(sealed.contributions, opened.contributions, strict=True),
    ]
    for mine, other in parties:
        scores = np.array(sealed.evaluation.scores(mine).values)
        expected = np.array(opened.evaluation.scores(other).values)
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


@pytest.fixture
def request_(buyer: Party, sellers: list[Party]) -> Request:
    """A sealed request that both sellers are invited to."""
    return asked(buyer, *sellers)


def key_of(request: Request, folder: Path) -> ReferenceKey:
    request.save(folder / f"{request.id}.json")
    key = SavedRequest.load(folder / f"{request.id}.json").key
    assert key is not None
    return key


def terms_of(request: Request, buyer: Party) -> Terms:
    return Terms.shown(buyer.client.requests.get(request.id))


def test_a_buyers_key_that_changed_stops_the_seller(
    new_party: NewParty, sellers: list[Party]
) -> None:
    buyer, seller = new_party("buyer"), sellers[0]
    Seller(seller.client).answer(asked(buyer, seller).id, OFFERED[0])
    request = asked(buyer, seller)
    # As a dishonest service could, show a key of its own as the buyer's.
    planted = KeyPair.draw()
    buyer.client.accounts.publish_encryption_key(buyer.account_id, planted.public.text)
    with pytest.raises(KeyChangedError, match=planted.public.fingerprint):
        Seller(seller.client).answer(request.id, OFFERED[0])
    assert request.contributions() == []


def test_a_request_from_another_buyer_than_was_expected_stops_the_seller(
    buyer: Party, sellers: list[Party], new_party: NewParty
) -> None:
    seller, other = sellers[0], new_party("buyer")
    answer = Seller(seller.client).answer
    fingerprint = Buyer(buyer.client).publish_key()
    posed = asked(other, seller)
    for expected in (buyer.account_id, fingerprint, "Bea"):
        with pytest.raises(SealingError, match=other.account_id):
            answer(posed.id, OFFERED[0], buyer=expected)
    assert posed.contributions() == []
    for expected in (buyer.account_id, fingerprint.replace(" ", "").upper()):
        answer(asked(buyer, seller).id, OFFERED[0], buyer=expected)


def test_a_sellers_key_that_changed_stops_the_buyer(buyer: Party, new_party: NewParty) -> None:
    seller = new_party("seller")
    asked(buyer, seller)
    seller.client.accounts.publish_encryption_key(seller.account_id, KeyPair.draw().public.text)
    with pytest.raises(KeyChangedError, match="wassay trust"):
        asked(buyer, seller)
    newest = next(iter(buyer.client.requests.list()))
    assert newest.state == "cancelled"


@pytest.mark.parametrize("forger", ["a stranger's key", "another request", "another reference"])
def test_a_key_that_is_not_the_buyers_for_this_request_stops_the_seller(
    buyer: Party,
    sellers: list[Party],
    request_: Request,
    profile: Path,
    tmp_path: Path,
    forger: str,
) -> None:
    seller = sellers[0]
    recipient = Profile(profile).key_pair(seller.account_id).public
    mine = Identity(buyer.client, Profile(profile))
    key = key_of(request_, tmp_path)
    shared = SharedSecret(request_.id, key, "ab" * 32, terms_of(request_, buyer))
    if forger == "a stranger's key":
        stranger = Identity(buyer.client, Profile(tmp_path / "stranger.json"))
        box, message = stranger.seal(shared, recipient), "does not open"
    elif forger == "another request":
        box, message = (
            mine.seal(replace(shared, request_id=asked(buyer).id), recipient),
            "mixed them up",
        )
    else:
        other = ReferenceKey.draw(key.reference, key.isometry.scale)
        box, message = mine.seal(replace(shared, key=other), recipient), "commits to"
    buyer.client.requests.upload_sealed_key(request_.id, seller.account_id, box)
    with pytest.raises(SealingError, match=message):
        Seller(seller.client).answer(request_.id, OFFERED[0])
    assert request_.contributions() == []


def test_another_measure_than_the_buyers_is_not_computed_with(
    buyer: Party, sellers: list[Party], profile: Path, tmp_path: Path
) -> None:
    seller = sellers[0]
    request = asked(
        buyer,
        seller,
        privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
        protocol=Protocol(modes=["cost-block"]),
    )
    recipient = Profile(profile).key_pair(seller.account_id).public
    key, terms = key_of(request, tmp_path), terms_of(request, buyer)
    shared = SharedSecret(request.id, key, "ab" * 32, terms)  # not the digest of the uploaded array
    box = Identity(buyer.client, Profile(profile)).seal(shared, recipient)
    buyer.client.requests.upload_sealed_key(request.id, seller.account_id, box)
    with pytest.raises(IntegrityError, match="shows another measure"):
        Seller(seller.client).answer(request.id, OFFERED[0], mode="cost-block")
    assert [(each.state, each.arrays) for each in request.contributions()] == [("withdrawn", [])]
    box = Identity(buyer.client, Profile(profile)).seal(
        replace(shared, measure_digest=None), recipient
    )
    buyer.client.requests.upload_sealed_key(request.id, seller.account_id, box)
    with pytest.raises(SealingError, match="no digest"):
        Seller(seller.client).answer(request.id, OFFERED[0], mode="cost-block")


@pytest.mark.parametrize("mode", ["measure", "cost-block"])
def test_a_box_holds_the_digest_of_a_measure_only_where_sellers_may_download_it(
    buyer: Party, sellers: list[Party], profile: Path, mode: Mode
) -> None:
    is_revealed = mode == "cost-block"
    request = asked(
        buyer,
        sellers[0],
        privacy=BuyerPrivacy(reveals_measure=is_revealed, max_disclosure="exact"),
        protocol=Protocol(modes=[mode]),
    )
    box = sellers[0].client.requests.sealed_key(request.id, sellers[0].account_id).box
    opener = Identity(sellers[0].client, Profile(profile))
    shared = opener.unseal(box, request.id, buyer.account_id)
    stored = buyer.client.requests.get(request.id).measure
    assert stored is not None
    assert shared.measure_digest == (stored.digest if is_revealed else None)


def test_a_profile_that_is_not_the_accounts_says_so(
    sellers: list[Party], request_: Request, tmp_path: Path
) -> None:
    elsewhere = Profile(tmp_path / "new-laptop.json")
    with pytest.raises(SealingError, match=r"wassay key --replace") as refused:
        Seller(sellers[0].client, elsewhere).answer(request_.id, OFFERED[0])
    assert str(elsewhere.path) in str(refused.value)


def test_a_seller_with_a_new_key_answers_after_being_trusted_and_invited_again(
    buyer: Party, new_party: NewParty, profile: Path, tmp_path: Path
) -> None:
    seller = new_party("seller")
    request = asked(buyer, seller)
    laptop = Profile(tmp_path / "laptop.json")
    fingerprint = Identity(seller.client, laptop).publish(replace=True)
    with pytest.raises(SealingError, match="does not open"):
        Seller(seller.client, laptop).answer(request.id, OFFERED[0])
    with pytest.raises(KeyChangedError):
        request.invite(seller.account_id)
    Profile(profile).trust(buyer.account_id, seller.account_id, fingerprint)
    request.invite(seller.account_id)
    assert Seller(seller.client, laptop).answer(request.id, OFFERED[0]).state == "submitted"


def test_a_key_that_others_may_have_read_is_replaced_by_a_new_one(
    buyer: Party, new_party: NewParty, profile: Path
) -> None:
    seller = new_party("seller")
    request = asked(buyer, seller)
    identity = Identity(seller.client, Profile(profile))
    leaked = identity.publish()
    fingerprint = identity.publish(replace=True)
    assert fingerprint != leaked
    with pytest.raises(SealingError, match="does not open"):
        Seller(seller.client).answer(request.id, OFFERED[0])
    Profile(profile).trust(buyer.account_id, seller.account_id, fingerprint)
    request.invite(seller.account_id)
    assert Seller(seller.client).answer(request.id, OFFERED[0]).state == "submitted"


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [("sweep", "[0.25, 0.5, 0.75, 0.99]", "sweep"), ("reveals_scores", "true", "reveals_scores")],
)
def test_a_request_that_the_service_edited_stops_the_seller(
    database_url: str, buyer: Party, sellers: list[Party], column: str, value: str, shown: str
) -> None:
    request = asked(buyer, sellers[0])
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(
            text(f"UPDATE requests SET {column} = :value WHERE id = :request"),
            {"value": value == "true" or value, "request": request.id},
        )
    engine.dispose()
    with pytest.raises(SealingError, match=f"{shown} .* instead of .*upload nothing"):
        Seller(sellers[0].client).answer(request.id, OFFERED[0])
    assert request.contributions() == []


def test_a_sealed_reference_that_the_service_calls_open_stops_even_a_seller_who_allows_everything(
    database_url: str, buyer: Party, sellers: list[Party]
) -> None:
    request = asked(buyer, sellers[0])
    reference = sellers[0].client.requests.get(request.id).reference_id
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(
            text(
                'UPDATE "references" SET disclosure = :open, seed = :seed, commitment = NULL '
                "WHERE id = :reference"
            ),
            {"open": "open", "seed": "12345", "reference": reference},
        )
    engine.dispose()
    freely = SellerPrivacy(scores="scores", max_disclosure="exact")
    with pytest.raises(SealingError, match=r"open reference .* Ask buyer"):
        Seller(sellers[0].client).answer(request.id, OFFERED[0], privacy=freely)
    assert request.contributions() == []


def test_the_service_cannot_get_the_key_by_inviting_itself(
    database_url: str, buyer: Party, new_party: NewParty, tmp_path: Path
) -> None:
    honest, spy = new_party("seller", publishes_key=False), new_party("seller")
    request = asked(buyer, honest)
    request.save(tmp_path / "request.json")
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO invitations (id, request_id, account_id, created_at, updated_at) "
                "SELECT 'inv_' || :spy, request_id, :spy, created_at, updated_at FROM invitations "
                "WHERE request_id = :request"
            ),
            {"spy": spy.account_id, "request": request.id},
        )
    engine.dispose()
    loaded = Buyer(buyer.client).load(tmp_path / "request.json")
    for each in (request, loaded):
        with pytest.warns(UninvitedWarning, match=spy.account_id):
            assert each.share_key() == [honest.account_id]
        with pytest.warns(UninvitedWarning), pytest.raises(TimeoutError):
            each.wait_for(1, timeout=0)
    invitations = buyer.client.requests.invitations(request.id)
    assert not any(each.has_sealed_key for each in invitations)
    # If the buyer invites the account itself, it is a seller like any other.
    loaded.invite(spy.account_id)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Buyer(buyer.client).load(tmp_path / "request.json").share_key() == [
            honest.account_id
        ]


def test_the_service_cannot_make_a_party_forget_what_it_pinned_by_naming_another_account(
    database_url: str, new_party: NewParty
) -> None:
    buyer, other, seller = new_party("buyer"), new_party("buyer"), new_party("seller")
    asked(buyer, seller)
    # The service shows a key of its own for the seller, and says that the buyer is another account.
    seller.client.accounts.publish_encryption_key(seller.account_id, KeyPair.draw().public.text)
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE api_keys SET account_id = :other WHERE account_id = :buyer"),
            {"other": other.account_id, "buyer": buyer.account_id},
        )
    engine.dispose()
    told = f"belongs to {other.account_id}: expected {buyer.account_id}"
    with pytest.raises(SealingError, match=told):
        asked(buyer, seller)
    assert list(buyer.client.requests.list()) == []
