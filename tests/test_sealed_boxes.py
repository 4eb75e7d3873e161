"""Boxes, key pairs and fingerprints."""

import base64
import hashlib

import nacl.bindings
import pytest

from wassay.sealed_boxes import AccountKey, KeyPair, SealingError, require_fingerprint

BUYER, SELLER, OTHER = KeyPair.draw(), KeyPair.draw(), KeyPair.draw()
MESSAGE = b"gamma and Q"

# Of order 1, 2, 4 and 8 (RFC 7748 §6.1 asks for a check): a box with such a key has a known secret.
SMALL_ORDER = [
    bytes(32),
    b"\x01" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
]


def test_only_the_recipient_opens_a_box() -> None:
    box = BUYER.seal(MESSAGE, SELLER.public)
    assert SELLER.unseal(box, BUYER.public) == MESSAGE
    with pytest.raises(SealingError, match="does not open"):
        OTHER.unseal(box, BUYER.public)


def test_a_box_of_somebody_else_does_not_pass_for_the_senders() -> None:
    forged = OTHER.seal(MESSAGE, SELLER.public)
    with pytest.raises(SealingError, match="not sealed by"):
        SELLER.unseal(forged, BUYER.public)


def test_an_anonymous_sealed_box_does_not_open() -> None:
    anonymous = nacl.bindings.crypto_box_seal(MESSAGE, SELLER.public.raw)
    with pytest.raises(SealingError, match="does not open"):
        SELLER.unseal(base64.b64encode(anonymous).decode(), BUYER.public)


def test_a_box_changed_in_any_byte_does_not_open() -> None:
    sealed = base64.b64decode(BUYER.seal(MESSAGE, SELLER.public))
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(SealingError, match="does not open"):
            SELLER.unseal(base64.b64encode(changed).decode(), BUYER.public)


@pytest.mark.parametrize("box", ["", "AAAA", "not base64!", "AAA"])
def test_what_is_no_box_does_not_open(box: str) -> None:
    with pytest.raises(SealingError):
        SELLER.unseal(box, BUYER.public)


def test_the_same_message_is_never_sealed_alike() -> None:
    assert BUYER.seal(MESSAGE, SELLER.public) != BUYER.seal(MESSAGE, SELLER.public)


@pytest.mark.parametrize("weak", SMALL_ORDER, ids=["0", "1", "8"])
def test_nothing_is_sealed_to_a_key_of_small_order(weak: bytes) -> None:
    with pytest.raises(SealingError, match="publish another"):
        BUYER.seal(MESSAGE, AccountKey(weak))


def test_the_public_key_is_x25519s() -> None:
    pair = KeyPair.draw()
    assert pair.public.raw == nacl.bindings.crypto_scalarmult_base(pair.secret)
    assert KeyPair(pair.secret).public == pair.public
    assert AccountKey.from_text(pair.public.text) == pair.public


def test_the_private_half_is_not_shown() -> None:
    pair = KeyPair.draw()
    assert pair.secret.hex() not in repr(pair)
    assert repr(pair.secret) not in repr(pair)


def test_a_fingerprint_is_128_bits_of_sha_256_in_groups_of_four() -> None:
    digest = hashlib.sha256(b"wassay fingerprint 1\x00" + SELLER.public.raw).hexdigest()
    assert SELLER.public.fingerprint.replace(" ", "") == digest[:32]
    assert [len(group) for group in SELLER.public.fingerprint.split(" ")] == [4] * 8


def test_a_fingerprint_is_read_however_people_space_it() -> None:
    fingerprint = SELLER.public.fingerprint
    for spaced in (
        fingerprint.upper(),
        fingerprint.replace(" ", ":"),
        fingerprint.replace(" ", ""),
    ):
        assert require_fingerprint(spaced) == fingerprint
    for wrong in ("", fingerprint[:-1], f"{fingerprint}0", "zz" * 16):
        with pytest.raises(SealingError, match="32 hexadecimal digits"):
            require_fingerprint(wrong)


@pytest.mark.parametrize("text", ["", "AAAA", "*" * 44])
def test_a_public_key_is_32_bytes_in_base64(text: str) -> None:
    with pytest.raises(SealingError):
        AccountKey.from_text(text)
