"""A buyer and sellers from request to result: what each can do, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party
from tests.e2e.three_features import NEEDED, OFFERED, T0, ask
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Normal,
    Protocol,
    Reference,
    Seller,
    SellerPrivacy,
)
from wassay.audit import Audit
from wassay.client import (
    AuthenticationError,
    ConflictError,
    EvaluationFailedError,
    InvalidArgumentError,
    NotFoundError,
    PreconditionError,
    UnprocessableError,
)


@ON_SQLITE
def test_a_seller_can_audit_a_contribution_without_sending_it(buyer: Party, seller: Party) -> None:
    request = ask(buyer, seller)
    seen: list[Audit] = []
    audit = Seller(seller.client).audit(request.id, OFFERED, privacy=SellerPrivacy(scores="ranks"))
    assert request.contributions() == []
    Seller(seller.client).answer(
        request.id, OFFERED, on_audit=seen.append, privacy=SellerPrivacy(scores="ranks")
    )
    assert [(each.receiver, each.disclosure_class) for each in audit.exposures] == [
        (each.receiver, each.disclosure_class) for each in seen[0].exposures
    ]
    with pytest.raises(InvalidArgumentError, match="in mode measure, received 'scalar'"):
        Seller(seller.client).audit(request.id, OFFERED, mode="scalar")


@ON_SQLITE
def test_a_buyer_comes_back_in_another_process(buyer: Party, seller: Party, tmp_path: Path) -> None:
    request = ask(buyer, seller)
    request.save(tmp_path / "request.json")
    Seller(seller.client).answer(request.id, OFFERED)
    evaluation = request.evaluate().wait(timeout=300)
    again = Buyer(buyer.client).load(tmp_path / "request.json")
    assert again.id == request.id
    assert again.t0 == request.t0
    estimates = again.evaluation(evaluation.id).result().estimates()
    assert estimates == evaluation.result().estimates()


@ON_SQLITE
def test_an_invited_seller_finds_the_request_and_others_do_not(
    buyer: Party, seller: Party, new_party: NewParty
) -> None:
    request = ask(buyer, seller)
    assert request.id in {each.id for each in Seller(seller.client).open_requests()}
    stranger = new_party("seller")
    assert request.id not in {each.id for each in Seller(stranger.client).open_requests()}
    request.invite(stranger.account_id)
    assert request.id in {each.id for each in Seller(stranger.client).open_requests()}


@ON_SQLITE
def test_a_t0_that_nobody_gives_is_drawn_for_every_request(buyer: Party, tmp_path: Path) -> None:
    asking = Buyer(buyer.client)
    requests = [asking.ask(NEEDED, title="Three features") for _ in range(2)]
    assert requests[0].t0 != requests[1].t0
    requests[0].save(tmp_path / "request.json")
    assert asking.load(tmp_path / "request.json").t0 == requests[0].t0


@ON_SQLITE
def test_an_ask_that_fails_leaves_nothing_open(new_party: NewParty) -> None:
    buyer = new_party("buyer")
    with pytest.raises(NotFoundError):
        Buyer(buyer.client).ask(
            NEEDED, title="To nobody", sellers=["acc_nobody"], protocol=Protocol(t0=T0)
        )
    assert [each.state for each in buyer.client.requests.list()] == ["cancelled"]


@ON_SQLITE
def test_invalid_arguments_are_refused_before_anything_is_sent(new_party: NewParty) -> None:
    buyer = new_party("buyer")
    ask = Buyer(buyer.client).ask
    audits: list[Audit] = []
    with pytest.raises(InvalidArgumentError, match="expected title to be a line"):
        ask(NEEDED, title=" ", protocol=Protocol(t0=T0), on_audit=audits.append)
    with pytest.raises(InvalidArgumentError, match=r"between 0 \(the raw data\) and 1"):
        ask(NEEDED, title="t0", protocol=Protocol(t0=1.0))
    with pytest.raises(InvalidArgumentError, match="reveals_measure=True"):
        ask(NEEDED, title="Consent", protocol=Protocol(t0=T0, modes=["cost-block"]))
    with pytest.raises(ValueError, match="finite"):
        ask([[1.0, np.nan]], title="NaN", protocol=Protocol(t0=T0))
    assert audits == []
    assert list(buyer.client.references.list()) == []
    assert list(buyer.client.requests.list()) == []


@ON_SQLITE
def test_wrong_points_modes_and_labels_begin_no_contribution(buyer: Party, seller: Party) -> None:
    request = ask(buyer, seller)
    answer = Seller(seller.client).answer
    audits: list[Audit] = []
    with pytest.raises(InvalidArgumentError, match="3 coordinates, received points of 2"):
        answer(request.id, OFFERED[:, :2])
    with pytest.raises(InvalidArgumentError, match="in mode measure, received 'cost-block'"):
        answer(request.id, OFFERED, mode="cost-block")
    with pytest.raises(InvalidArgumentError, match="expected label to be a line"):
        answer(request.id, OFFERED, label="two\nlines", on_audit=audits.append)
    assert audits == []
    assert request.contributions() == []


@ON_SQLITE
def test_an_interrupted_seller_contributes_again(buyer: Party, seller: Party) -> None:
    request = ask(buyer, seller)
    interrupted = seller.client.contributions.create(request.id, mode="measure")
    contribution = Seller(seller.client).answer(request.id, OFFERED)
    states = {each.id: each.state for each in request.contributions()}
    assert states[contribution.id] == "submitted"
    assert states.get(interrupted.id, "withdrawn") == "withdrawn"


@ON_SQLITE
def test_a_seller_whose_upload_is_refused_leaves_no_draft(buyer: Party, seller: Party) -> None:
    request = Buyer(buyer.client).ask(
        NEEDED,
        title="Closed during the upload",
        sellers=[seller.account_id],
        protocol=Protocol(modes=["cost-block"]),
        privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
    )
    with pytest.raises(ConflictError):
        Seller(seller.client).answer(
            request.id,
            OFFERED,
            mode="cost-block",
            privacy=SellerPrivacy(max_disclosure="exact"),
            on_audit=lambda _: request.close(),
        )
    assert [each.state for each in request.contributions()] == ["withdrawn"]


@ON_SQLITE
def test_a_submitted_contribution_cannot_be_repeated(buyer: Party, seller: Party) -> None:
    request = ask(buyer, seller)
    Seller(seller.client).answer(request.id, OFFERED)
    with pytest.raises(ConflictError):
        Seller(seller.client).answer(request.id, OFFERED)


def test_buyer_and_seller_take_back_what_they_sent_and_results_stay(
    buyer: Party, seller: Party
) -> None:
    request = ask(buyer, seller)
    contribution = Seller(seller.client).answer(request.id, OFFERED)
    evaluation = request.evaluate().wait()
    before = evaluation.result().estimates()
    with pytest.raises(ConflictError, match="closed or cancelled"):
        request.delete_measure()
    with pytest.raises(ConflictError, match="once the request is closed"):
        Seller(seller.client).withdraw(request.id)
    request.close()

    withdrawn = Seller(seller.client).withdraw(request.id)
    request.delete_measure()

    assert (withdrawn.id, withdrawn.state) == (contribution.id, "withdrawn")
    measure = buyer.client.requests.get(request.id).measure
    assert measure is not None
    assert measure.deleted_at is not None
    assert request.evaluation(evaluation.id).result().estimates() == before
    with pytest.raises(InvalidArgumentError, match="no contribution"):
        Seller(seller.client).withdraw(request.id)


@ON_SQLITE
def test_the_buyer_learns_who_declined_and_why(
    buyer: Party, seller: Party, new_party: NewParty
) -> None:
    other = new_party("seller", name="Una")
    request = ask(buyer, seller, other)
    Seller(seller.client).decline(request.id, reason="Not my kind of data.")
    (declined,) = request.contributions()
    assert (declined.state, declined.decline_reason) == ("declined", "Not my kind of data.")
    Seller(other.client).answer(request.id, OFFERED)
    with pytest.raises(
        TimeoutError, match=r"expected 2 .*received 1 \(Una: submitted, Sol: declined\)"
    ):
        request.wait_for(2, timeout=0)


@ON_SQLITE
def test_a_reason_that_is_refused_leaves_no_draft(buyer: Party, seller: Party) -> None:
    request = ask(buyer, seller)
    with pytest.raises(UnprocessableError, match="reason"):
        Seller(seller.client).decline(request.id, reason="")
    assert [each.state for each in request.contributions()] == ["withdrawn"]


@ON_SQLITE
def test_without_a_contribution_there_is_nothing_to_evaluate(buyer: Party, seller: Party) -> None:
    with pytest.raises(ConflictError) as refused:
        ask(buyer, seller).evaluate()
    assert refused.value.type == "/problems/no-contributions"


@ON_SQLITE
def test_a_closed_request_takes_no_contributions_but_can_be_evaluated(
    buyer: Party, seller: Party, new_party: NewParty
) -> None:
    late = new_party("seller")
    request = ask(buyer, seller, late)
    Seller(seller.client).answer(request.id, OFFERED)
    request.close()
    with pytest.raises((ConflictError, NotFoundError)):
        Seller(late.client).answer(request.id, OFFERED)
    assert request.evaluate().wait(timeout=300).result().estimates().sellers[0].label == "Sol"


@ON_SQLITE
def test_waiting_ends_when_the_evaluation_is_cancelled(buyer: Party, seller: Party) -> None:
    many = np.random.default_rng(1)
    request = Buyer(buyer.client).ask(
        many.normal(size=(1500, 2)),
        title="Large",
        sellers=[seller.account_id],
        protocol=Protocol(t0=T0),
        privacy=BuyerPrivacy(max_disclosure="exact"),  # audits of so many rows take seconds
    )
    offered = many.normal(size=(1700, 2))
    Seller(seller.client).answer(request.id, offered, privacy=SellerPrivacy(max_disclosure="exact"))
    evaluation = request.evaluate()
    with pytest.raises(TimeoutError, match="not finished after 0 s"):
        evaluation.wait(timeout=0)
    evaluation.cancel()
    with pytest.raises(EvaluationFailedError, match="cancelled"):
        evaluation.wait(timeout=120)
    with pytest.raises(ConflictError):
        evaluation.result()


@ON_SQLITE
def test_progress_is_printed_to_standard_error(
    buyer: Party, seller: Party, capsys: pytest.CaptureFixture[str]
) -> None:
    request = ask(buyer, seller, progress=True)
    Seller(seller.client).answer(request.id, OFFERED, progress=True)
    evaluation = request.evaluate().wait(progress=True, timeout=300)
    told = capsys.readouterr()
    assert told.out == ""
    assert "request: opening the request, 5 of 6 steps\nrequest: done, 6 of 6 steps" in told.err
    assert "answer: uploading points pushed to s = " in told.err
    sweep = len(seller.client.requests.get(request.id).sweep)
    assert f"answer: done, {sweep + 5} of {sweep + 5} steps" in told.err
    assert f"evaluation {evaluation.id}: succeeded" in told.err


@ON_SQLITE
def test_a_revoked_key_opens_nothing(new_party: NewParty) -> None:
    party = new_party("buyer")
    accounts = party.client.accounts
    issued = accounts.create_key(party.account_id, scopes=["buyer"], label="laptop")
    assert issued.key.startswith(f"wsy_{issued.prefix}")
    assert {key.label for key in accounts.keys(party.account_id)} >= {"laptop"}
    with Client(party.url, issued.key) as laptop:
        assert laptop.accounts.me() == accounts.get(party.account_id)
        accounts.revoke_key(party.account_id, issued.id)
        with pytest.raises(AuthenticationError):
            laptop.accounts.me()


def test_a_listing_is_edited_only_as_it_was_read(new_party: NewParty) -> None:
    listings = new_party("seller").client.listings
    created = listings.create(title="Digits", dimension=64, points=200, classes=["0", "1"])
    edited = listings.edit(created, title="Digits 0 and 1")
    assert listings.get(created.id) == edited
    with pytest.raises(PreconditionError):
        listings.edit(created, title="Too late")
    assert created.id in {each.id for each in listings.list()}


@ON_SQLITE
def test_a_draft_is_edited_only_as_it_was_read(new_party: NewParty) -> None:
    client = new_party("buyer").client
    reference = client.references.create(Reference(1, 3, Normal(), seed=7))
    draft = client.requests.create(title="Draft", reference_id=reference.id)
    edited = client.requests.edit(draft, sweep=[0.2, 0.4, 0.6])
    assert edited.sweep == [0.2, 0.4, 0.6]
    with pytest.raises(PreconditionError):
        client.requests.edit(draft, title="Too late")
