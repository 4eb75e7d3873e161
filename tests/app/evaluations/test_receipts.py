"""Receipts of evaluations: the inputs that they name, and who may read which."""

import hashlib
from collections.abc import Callable

import httpx
import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.receipts.key_file import KeyFile
from app.receipts.service import rotate_key
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import data, evaluate, market, result
from tests.app.requests.market import refused
from wassay.receipts import VerificationKey, VerifiedReceipt, verify

pytestmark = pytest.mark.usefixtures("worker")


def published_keys(anyone: httpx.Client) -> list[VerificationKey]:
    listed = anyone.get("/v1/receipt-keys", params={"limit": 100}).json()["items"]
    return [VerificationKey.from_text(key["public_key"]) for key in listed]


def receipt(reader: Party, evaluation_id: str) -> VerifiedReceipt:
    read = reader.get(f"/v1/evaluations/{evaluation_id}/receipt")
    assert read.status_code == 200, read.text
    assert read.headers["etag"] == f'"{hashlib.sha256(read.content).hexdigest()}"'
    return verify(read.content, published_keys(reader))


def test_a_buyers_receipt_names_every_input_and_every_certificate_and_the_result(
    http: Callable[..., Party], service: Service
) -> None:
    held = data(12, 15)
    buyer, sellers, request_id, answers = market(http, held, ["measure", "cost-block"])
    evaluation_id = evaluate(buyer, request_id, seller_weighting="equal", coalitions=[answers])
    found = result(buyer, evaluation_id)

    verified = receipt(buyer, evaluation_id)
    said = verified.receipt

    assert verified.key == KeyFile(service.settings.key_file).key().public
    assert (said.part, said.issued_to) == ("whole", buyer.account_id)
    assert (said.evaluation_id, said.request_id) == (evaluation_id, request_id)
    assert (said.order, said.sweep, said.seller_weighting) == (2, [0.25, 0.5, 0.75], "equal")
    assert said.coalitions == [answers]
    request = buyer.get(f"/v1/requests/{request_id}").json()
    assert said.reference.id == request["reference_id"]
    assert said.software == found["software"]
    document = buyer.get(f"/v1/evaluations/{evaluation_id}/result").content
    assert said.result_digest == hashlib.sha256(document).hexdigest()
    verified.require_result(document)
    mine = buyer.get(f"/v1/requests/{request_id}/measure").content
    assert verified.input_of(mine).contribution_id is None
    expected = {request["measure"]["digest"]} | {
        array["digest"]
        for name in answers
        for array in buyer.get(f"/v1/contributions/{name}").json()["arrays"]
    }
    assert {each.digest for each in said.inputs} == expected
    assert len(said.inputs) == 1 + 3 + 3
    assert [each.mode for each in said.inputs] == ["measure"] * 4 + ["cost-block"] * 3
    assert [each.account_id for each in said.inputs[1::3]] == [each.account_id for each in sellers]
    curves = 1 + 2 + 2
    assert len(said.certificates) == 3 * curves
    assert {each.pointer: each.certificate.primal for each in said.certificates}[
        "/sellers/1/singleton/points/2/certificate"
    ] == pytest.approx(found["sellers"][1]["singleton"]["points"][2]["cost"])
    assert all(np.isfinite(each.certificate.dual) for each in said.certificates)


def test_a_sellers_receipt_has_their_own_part_and_the_digest_of_the_whole(
    http: Callable[..., Party],
) -> None:
    buyer, sellers, request_id, answers = market(http, data(12, 15), ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    whole = receipt(buyer, evaluation_id)
    read = [receipt(seller, evaluation_id) for seller in sellers]
    for verified, seller, name in zip(read, sellers, answers, strict=True):
        said = verified.receipt
        assert (said.part, said.issued_to) == ("contribution", seller.account_id)
        assert {each.contribution_id for each in said.inputs} == {name}
        assert len(said.inputs) == 3
        assert said.certificates == []
        assert said.result_digest is None
        assert said.coalitions is None
        assert said.whole_digest == whole.digest
        newest = seller.get("/v1/disclosures", params={"role": "owner"}).json()["items"][0]
        assert said.ledger_head == newest["hash"]
        assert newest["kind"] == "distances"
    # Else who guesses the result could test the guess against the digest of the whole.
    nonces = {whole.receipt.nonce, *(each.receipt.nonce for each in read)}
    assert len(nonces) == 3
    assert all(len(bytes.fromhex(nonce)) == 16 for nonce in nonces)
    others = {each.digest for each in whole.receipt.inputs if each.contribution_id != answers[0]}
    assert not any(digest.encode() in read[0].content for digest in others)
    assert answers[1].encode() not in read[0].content
    assert buyer.account_id.encode() in read[0].content  # the reference is the buyer's


def test_a_receipt_is_for_those_who_take_part_and_never_changes(
    http: Callable[..., Party], anonymous: httpx.Client, service: Service
) -> None:
    buyer, _, request_id, _ = market(http, data(10), ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    path = f"/v1/evaluations/{evaluation_id}/receipt"
    read = buyer.get(path)
    again = buyer.get(path, headers={"If-None-Match": read.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert buyer.get(path).content == read.content
    refused(http("buyer", "seller").get(path), 404, "not-found")
    refused(anonymous.get(path), 401, "not-authenticated")

    sqlite = service.database.engine.dialect.name == "sqlite"
    statements = [
        "UPDATE receipts SET content = '{}'",
        "DELETE FROM receipts",
        "REPLACE INTO receipts SELECT * FROM receipts" if sqlite else "TRUNCATE receipts",
    ]
    for statement in statements:
        with (
            pytest.raises(DBAPIError, match="receipts are append-only"),
            service.database.transaction() as session,
        ):
            session.execute(text(statement))
    assert buyer.get(path).content == read.content


def test_a_rotated_key_signs_the_next_result_and_the_last_receipt_still_verifies(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, data(10), ["measure"])
    first = evaluate(buyer, request_id)
    result(buyer, first)
    before = receipt(buyer, first)
    with rotate_key(service.database, KeyFile(service.settings.key_file)) as (_, old, new):
        pass
    second = evaluate(buyer, request_id)
    result(buyer, second)

    assert before.key.id in old
    assert receipt(buyer, second).key == new
    assert receipt(buyer, first) == before
