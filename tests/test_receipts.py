"""The signature of a receipt proves every byte, and nothing else."""

import base64
import hashlib
import json
from datetime import UTC, datetime
from typing import Any

import pytest
import rfc8785
from nacl.signing import VerifyKey

from wassay import models
from wassay.receipts import ReceiptError, SigningKey, VerificationKey, result_digest, verify

RESULT: dict[str, Any] = {
    "sweep": [0.25, 0.5, 0.75],
    "grand_coalition": {"distance": 2.0, "gap": 1e-13},
}
MEASURE = b"the bytes of an array"


def receipt(**changes: object) -> models.Receipt:
    certificate = models.Certificate(
        primal=4.0,
        dual=4.0 - 1e-13,
        gap=1e-13,
        violation=0.0,
        marginal_error=0.0,
        solver="network simplex",
        solver_version="1",
        rounds=1,
    )
    known = models.Receipt(
        part="whole",
        nonce="00" * 16,
        issued_at=datetime(2026, 11, 28, 1, 2, 3, tzinfo=UTC),
        issued_to="acc_buyer",
        evaluation_id="evl_1",
        request_id="req_1",
        order=2,
        sweep=[0.25, 0.5, 0.75],
        seller_weighting="points",
        coalitions=[["con_1", "con_2"]],
        extends=None,
        labelled=False,
        epsilon=None,
        radius=None,
        reference=models.Reference(
            id="ref_1",
            account_id="acc_buyer",
            size=1,
            dimension=2,
            distribution=models.Normal(),
            disclosure="sealed",
            seed=None,
            commitment="ab" * 32,
            derivation=1,
            created_at=datetime(2026, 11, 28, tzinfo=UTC),
        ),
        inputs=[
            models.ReceiptInput(
                account_id="acc_buyer",
                contribution_id=None,
                mode="measure",
                s=None,
                digest=hashlib.sha256(MEASURE).hexdigest(),
                rows=3,
                columns=2,
                weighted=False,
            )
        ],
        software={"wassay": "0.1.0", "Größe": "ß"},
        certificates=[models.ReceiptCertificate(pointer="/together", certificate=certificate)],
        result_digest=result_digest(json.dumps(RESULT).encode()),
        whole_digest=None,
        ledger_head="0" * 64,
    )
    return known.model_copy(update=changes)


KEY = SigningKey(bytes(range(32)))
SIGNED = KEY.sign(receipt())


def test_a_receipt_is_read_back_by_who_has_the_key() -> None:
    verified = verify(SIGNED, [SigningKey.draw().public, KEY.public])
    assert verified.receipt == receipt()
    assert verified.key == KEY.public


@pytest.mark.parametrize("cost", [2.0**53, 1e16, 1.5e16, 2.0**63, 1e20, 9.99e20, 1e21, 1e300])
def test_costs_that_are_written_as_long_integers_are_verified(cost: float) -> None:
    certificate = receipt().certificates[0].certificate.model_copy(update={"primal": cost})
    result = json.dumps({"grand_coalition": {"cost": cost}}).encode()
    issued = receipt(
        certificates=[models.ReceiptCertificate(pointer="/together", certificate=certificate)],
        result_digest=result_digest(rfc8785.dumps({"grand_coalition": {"cost": cost}})),
    )
    verified = verify(KEY.sign(issued), [KEY.public])
    assert verified.receipt.certificates[0].certificate.primal == cost
    verified.require_result(result)


def test_the_signature_verifies_by_rfc_8785_and_ed25519_alone() -> None:
    document = json.loads(SIGNED)
    signature = base64.b64decode(document.pop("signature"))
    signed = b"wassay receipt 1\0" + rfc8785.dumps(document)
    assert VerifyKey(base64.b64decode(document["public_key"])).verify(signed, signature) == signed


def test_keys_are_those_of_ed25519() -> None:
    # RFC 8032, section 7.1, test 1
    secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert SigningKey(bytes.fromhex(secret)).public.raw.hex() == public


def test_a_receipt_with_any_one_bit_changed_fails() -> None:
    for place in range(len(SIGNED)):
        for flipped in (1, 2, 4, 8, 16, 32, 64, 128):
            changed = bytearray(SIGNED)
            changed[place] ^= flipped
            with pytest.raises(ReceiptError):
                verify(bytes(changed))


@pytest.mark.parametrize(
    "changed",
    [
        SIGNED[:-1],
        SIGNED + b"\n",
        SIGNED.replace(b",", b", ", 1),
        SIGNED.replace(b'"order":2', b'"order":2,"order":2'),
        SIGNED.replace(b'{"public_key"', b'{"public_key":1,"public_key"'),
        SIGNED.replace(b'"order":2', b'"order":2.0'),
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff",
        b'{"public_key":NaN,"receipt":1,"signature":1}',
        b'{"public_key":1,"receipt":1,"signature":1}',
        b'{"public_key":"","receipt":' + b"9" * 5000 + b',"signature":""}',
    ],
)
def test_a_receipt_with_any_other_bytes_is_refused(changed: bytes) -> None:
    with pytest.raises(ReceiptError):
        verify(changed)


def test_text_is_no_receipt_until_it_is_read_as_bytes() -> None:
    with pytest.raises(ReceiptError, match=r"a receipt as bytes.* received '{}'"):
        verify("{}")  # type: ignore[arg-type]


def test_a_receipt_signed_by_somebody_else_is_refused_where_the_services_key_is_at_hand() -> None:
    forged = SigningKey.draw().sign(receipt())
    assert verify(forged).receipt == receipt()
    with pytest.raises(ReceiptError, match=KEY.public.id):
        verify(forged, [KEY.public])
    with pytest.raises(ReceiptError, match="a key of the service"):
        verify(SIGNED, [])


def test_a_signature_does_not_pass_from_one_key_to_another() -> None:
    document = json.loads(SIGNED)
    document["public_key"] = SigningKey.draw().public.text
    with pytest.raises(ReceiptError, match="Do not trust it"):
        verify(rfc8785.dumps(document))


def test_a_result_is_recognised_however_it_is_laid_out_and_not_when_a_number_differs() -> None:
    verified = verify(SIGNED)
    verified.require_result(json.dumps(RESULT, indent=2).encode())
    verified.require_result(rfc8785.dumps(RESULT))
    other = json.loads(json.dumps(RESULT))
    other["grand_coalition"]["distance"] = 2.0000000000000004
    with pytest.raises(ReceiptError, match="not the one"):
        verified.require_result(json.dumps(other).encode())
    doubled = json.dumps(RESULT).replace("{", '{"sweep": [0.1], ', 1).encode()
    with pytest.raises(ReceiptError, match="'sweep' twice"):
        verified.require_result(doubled)
    sellers = verify(KEY.sign(receipt(part="contribution", result_digest=None)))
    with pytest.raises(ReceiptError, match="seller's"):
        sellers.require_result(rfc8785.dumps(RESULT))


def test_a_result_of_64_mebibytes_is_read_and_a_longer_one_refused() -> None:
    longest = b"{}".rjust(64 * 2**20)
    assert result_digest(longest) == hashlib.sha256(b"{}").hexdigest()
    with pytest.raises(ReceiptError, match="at most 67108864 bytes, received 67108865"):
        result_digest(longest + b" ")


def test_an_array_is_recognised_as_the_input_that_it_was() -> None:
    verified = verify(SIGNED)
    assert verified.input_of(MEASURE) == receipt().inputs[0]
    with pytest.raises(ReceiptError, match="no input"):
        verified.input_of(MEASURE + b"\0")


def test_a_receipt_of_a_version_to_come_is_not_taken_for_one_of_this() -> None:
    with pytest.raises(ReceiptError, match="this version of Wassay cannot read"):
        verify(KEY.sign(receipt(version=2)))


def test_a_key_that_could_be_written_twice_is_refused() -> None:
    text = KEY.public.text
    again = (
        text[:-2] + chr(ord(text[-2]) + 1) + "="
    )  # other values of bits that base64 does not use
    assert base64.b64decode(again) == KEY.public.raw
    with pytest.raises(ReceiptError, match="canonical"):
        VerificationKey.from_text(again)
    with pytest.raises(ReceiptError, match="32 bytes"):
        VerificationKey.from_text(text[:-4])


def test_keys_are_told_apart_by_their_ids_and_never_shown() -> None:
    assert KEY.public.id != SigningKey.draw().public.id
    assert KEY.secret.hex() not in repr(KEY)
