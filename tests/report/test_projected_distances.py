"""What the report says about distances between random projections."""

import re

from tests.client import answers
from tests.report.sample import found, report, with_t0
from wassay import models
from wassay.report import render
from wassay.transport import DistanceBand, ProjectionScaling

REQUEST = models.Request(**answers.request(dimension=3, projected_from=12))


def cells(page: str, column: str) -> list[str]:
    return re.findall(rf'data-label="{column}">([^<]*)<', page)


def test_distances_are_lower_bounds_beside_their_scaled_estimates() -> None:
    band = DistanceBand((2.5,), (1.0,), (1.0,))
    page = render(
        with_t0(found(("Ash", "Bay")), ProjectionScaling(12, 3, (band,)), request=REQUEST)
    )
    assert "Points have 12 coordinates. Distances are of secret random" in page
    distances = [float(each) for each in cells(page, "Distance")]
    for label, factor in (("Computed to within", 1.0), ("Scaled up", 2.0)):
        told = [float(each.removeprefix("at least ")) for each in cells(page, label)]
        assert len(told) == 3
        for distance, number in zip(distances, told, strict=True):
            assert abs(number - factor * distance) < 2e-3
    for distance, ends in zip(distances, cells(page, "Range of draws"), strict=True):
        low, high = (float(end) for end in ends.split(" to "))
        assert abs(low - 2 * distance) < 2e-3
        assert abs(high - 2.5 * distance) < 2e-3


def test_the_services_page_has_no_scaled_estimates() -> None:
    page = render(report(found(("Ash", "Bay")), request=REQUEST))
    assert "Points have 12 coordinates. Distances are of secret random" in page
    assert cells(page, "Scaled up") == []
