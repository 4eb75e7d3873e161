"""The check of a ledger's hash chain."""

from datetime import timedelta

import pytest

from tests.ledger_rows import BEGAN, chain, row
from wassay import BrokenLedger
from wassay.disclosure_class import DisclosureClass
from wassay.ledger import GENESIS, read_rows, row_hash, verify
from wassay.models import Disclosure

LEDGER = chain(row(), row("distances", digest="q1"), row("scores", digest="q1"))


def test_a_whole_ledger_is_verified_in_any_order_and_after_a_way_through_a_file() -> None:
    kept = "\n".join(each.model_dump_json() for each in reversed(LEDGER))
    assert verify(read_rows(kept.encode())) == LEDGER
    for known in LEDGER:
        assert verify(LEDGER, head=known.hash) == LEDGER
    assert verify([], head=GENESIS) == []


@pytest.mark.parametrize("field", sorted(set(Disclosure.model_fields) - {"hash"}))
def test_a_change_of_any_field_is_noticed(field: str) -> None:
    changed = {
        "created_at": BEGAN + timedelta(microseconds=1),
        "kind": "ranks",
        "disclosure_class": DisclosureClass.NOTHING,
        "sealed": True,
        "sweep": [0.25, 0.5],
        **dict.fromkeys(("position", "points", "dimension", "rank", "coalitions"), 7),
        "epsilon": 0.5,
    }
    forged = LEDGER[1].model_copy(update={field: changed.get(field, "other")})
    with pytest.raises(BrokenLedger):
        verify([LEDGER[0], forged, LEDGER[2]])


def test_rows_that_are_left_out_doubled_or_replaced_with_their_hash_are_noticed() -> None:
    first, middle, last = LEDGER
    rehashed = middle.model_copy(update={"points": 1})
    rehashed = rehashed.model_copy(update={"hash": row_hash(rehashed.model_dump(mode="json"))})
    for forged in ([first, last], [middle, last], [first, first, middle], [first, rehashed, last]):
        with pytest.raises(BrokenLedger):
            verify(forged)
    assert verify(
        [first, rehashed]
    )  # a chain that was rewritten to the end is detected by the saved last hash
    with pytest.raises(BrokenLedger, match="no longer contains"):
        verify([first, rehashed], head=middle.hash)
    with pytest.raises(BrokenLedger, match="line 1"):
        read_rows(b"{}")


@pytest.mark.parametrize(
    "forged",
    [
        # Of a repeated name, some readers show the first value, and others hash the last.
        LEDGER[0].model_dump_json().replace("{", '{"points":9999,', 1).encode(),
        LEDGER[0].model_dump_json().replace("{", '{"more":' + "[" * 9999, 1).encode(),
        LEDGER[0].model_dump_json().replace("{", '{"more":NaN,', 1).encode(),
        b"\x93NUMPY",
    ],
)
def test_a_line_that_is_not_one_json_row_is_refused(forged: bytes) -> None:
    with pytest.raises(BrokenLedger, match="line 2"):
        read_rows(LEDGER[0].model_dump_json().encode() + b"\n" + forged)


def test_a_field_of_a_newer_service_is_part_of_the_hash() -> None:
    (newer,) = chain(row(novelty="new"))
    assert verify(read_rows(newer.model_dump_json().encode())) == [newer]
    with pytest.raises(BrokenLedger):
        verify(read_rows(newer.model_dump_json().replace("new", "old").encode()))
