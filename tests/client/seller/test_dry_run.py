"""A contribution that is audited but not sent."""

import numpy as np
import pytest

from tests.client.answers import MOMENT, request, stored
from tests.transport.inversion.records import records
from wassay import Measure, models
from wassay.client.seller.dry_run import dry_run
from wassay.disclosure_class import DisclosureClass

MINE = Measure(records("gaussian", 40))
LABELS = np.arange(40) % 3


def published(disclosure: str) -> models.Reference:
    return models.Reference(
        id="ref_1",
        account_id="acc_1",
        size=1,
        dimension=MINE.dimension,
        distribution=models.Normal(),
        disclosure=disclosure,
        seed="7" if disclosure == "open" else None,
        commitment="ab" * 32 if disclosure == "sealed" else None,
        derivation=1,
        created_at=MOMENT,
    )


@pytest.mark.parametrize(
    ("disclosure", "mode", "buyer_points", "labels", "learnt"),
    [
        ("sealed", "measure", 50, None, DisclosureClass.UP_TO_ISOMETRY),
        ("open", "measure", 50, None, DisclosureClass.EXACT),
        ("sealed", "cost-block", 50, None, DisclosureClass.UP_TO_ISOMETRY),
        ("sealed", "cost-block", 4, None, DisclosureClass.PROJECTION),
        ("sealed", "cost-block", 50, LABELS, DisclosureClass.UP_TO_ISOMETRY),
        ("sealed", "scalar", 50, None, DisclosureClass.SCALARS),
    ],
)
def test_what_the_service_would_learn_is_known_before_the_buyer_knows_of_it(
    disclosure: str,
    mode: models.Mode,
    buyer_points: int,
    labels: np.ndarray | None,
    learnt: DisclosureClass,
) -> None:
    measure = stored("00" * 32, rows=buyer_points)
    asked = models.Request.model_validate(
        request(dimension=MINE.dimension, modes=[mode], measure=measure)
    )
    answer, shared = dry_run(asked, published(disclosure), MINE, labels, mode, "none")
    service = answer.audit(shared).exposures[0]
    assert (service.receiver, service.disclosure_class) == ("the service", learnt)
