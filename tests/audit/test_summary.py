"""An audit begins with one sentence: what is sent, what each receiver could compute, the worst."""

from dataclasses import replace

from wassay.audit import (
    Audit,
    ColumnReading,
    ColumnReadings,
    Combination,
    DisclosureClass,
    Exposure,
)
from wassay.audit.fact_readings import FactReading

SERVICE = Exposure("the service", DisclosureClass.UP_TO_ISOMETRY, "the points as sent")
SELLER = Exposure("each seller", DisclosureClass.NOTHING, "none")
LABELS = Exposure("each seller, by scores of labels", DisclosureClass.SCORES, "labels")
BUYER = Exposure("the buyer", DisclosureClass.SCORES, "ranks")
BOTH = Exposure(
    "the service and a seller together", DisclosureClass.EXACT, "extrapolation", colluding=True
)
READ = ColumnReadings(
    (ColumnReading(0, "lattice", 1.0, 1.0), ColumnReading(1, "lattice", 0.1, 0.0))
)


def test_receivers_are_listed_from_the_most_that_they_could_compute_to_the_least() -> None:
    found = Audit("measures at s = 0.5", (SELLER, SERVICE, BUYER, BOTH)).summary
    assert found == (
        "In short: this sends measures at s = 0.5, from which the service could compute the "
        "records up to a rotation and a shift; the buyer could compute facts about single records; "
        "each seller could compute nothing: at most up-to-isometry, or exact for the service and a "
        "seller together."
    )


def test_a_receiver_of_several_messages_counts_once_by_the_worst() -> None:
    found = Audit("a measure", (SELLER, LABELS, BUYER)).summary
    assert "each seller and the buyer could compute facts about single records: at most" in found
    assert "nothing" not in found


def test_columns_that_are_read_off_the_shape_are_told_in_the_place_of_whole_records() -> None:
    service = Exposure("the service", DisclosureClass.UP_TO_ISOMETRY, "as sent", columns=READ)
    found = Audit("a measure", (service, BOTH)).summary
    assert "the service could compute 1 of 2 columns exactly: at most exact." in found


def test_every_form_of_an_audit_begins_with_the_sentence() -> None:
    audit = Audit("a <measure>", (SERVICE,))
    assert str(audit).startswith(audit.summary + "\n\nreceiver")
    assert repr(audit) == str(audit)
    assert audit._repr_html_().startswith("<p><strong>In short: this sends a &lt;measure&gt;, from")


def test_a_field_that_a_buyer_named_prints_as_text() -> None:
    named = "age\x1b[2J\x9b\u202e"
    fact = FactReading(named, f"whether {named} is missing", "lattice reduction", 1.0, 1.0)
    service = replace(SERVICE, columns=replace(READ, facts=(fact,)))
    said = str(Audit("a measure", (service,)))
    assert "whether age\\x1b[2J\\x9b\\u202e is missing" in said
    assert all(line.isprintable() for line in said.splitlines())


def test_what_any_receiver_reads_is_named_once() -> None:
    others = ColumnReadings(
        (ColumnReading(1, "lattice", 0.95, 0.0), ColumnReading(0, "lattice", 0.99, 0.0)),
        combinations=(Combination("planes", 1, 0.5, "few planes have all rows", exact=True),),
        facts=(FactReading("age", "the age", "lattice", 1.0, None),),
    )
    first, second = replace(SERVICE, columns=READ), replace(BUYER, columns=others)
    for exposures in ((first, second), (second, first), (second, first, second)):
        audit = Audit("a measure", exposures)
        assert audit.read_columns == (0, 1)
        assert audit.read_fields == ("age",)
        assert audit.readable_columns == (
            "the field 'age', and the first and second columns, and 1 exact combination of columns"
        )
