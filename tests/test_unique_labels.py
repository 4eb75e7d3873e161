"""Sellers choose their labels, so two sellers may have the same."""

from tests.client.documents import result
from wassay import Measure, Normal, Reference, Result
from wassay.client.buyer.private_push import PrivatePush
from wassay.unique_labels import unique_labels


def test_an_ambiguous_label_is_followed_by_the_id() -> None:
    labels = {"con_1": "Bolt", "con_2": "twins", "con_3": "twins", "con_4": "all together"}
    assert unique_labels(labels) == {
        "con_1": "Bolt",
        "con_2": "twins (con_2)",
        "con_3": "twins (con_3)",
        "con_4": "all together (con_4)",
    }


def test_no_label_imitates_that_of_the_grand_coalition() -> None:
    sellers = {"all together": Measure([[1.0]]), "b": Measure([[2.0]])}
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), sellers, reference, 0.4)
    rows = str(Result(document, PrivatePush(0.4, 0.0)).estimates()).splitlines()[2:]
    assert [row.split("  ")[0] for row in rows] == [
        "all together (con_all together)",
        "b",
        "all together",
    ]
