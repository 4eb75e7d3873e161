"""Ticks are round numbers, with no more digits than are needed to tell them apart."""

import pytest

from wassay.report.axes import ticks


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 110, ["0", "25", "50", "75", "100"]),
        (0, 0.11, ["0.000", "0.025", "0.050", "0.075", "0.100"]),
        (-2, 3, ["−2", "−1", "0", "1", "2", "3"]),
        (0, 2.8e-9, ["0", "1.0e−9", "2.0e−9"]),
        (0, 41_000, ["0", "10000", "20000", "30000", "40000"]),
    ],
)
def test_ticks_are_round_and_short(low: float, high: float, written: list[str]) -> None:
    found = ticks(low, high, 5)
    assert [label for _, label in found] == written
    assert all(low <= place <= high * (1 + 1e-9) for place, _ in found)
