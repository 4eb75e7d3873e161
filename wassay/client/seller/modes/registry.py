"""The modes that sellers can contribute in with this SDK, by name."""

from wassay.client.seller.modes.cost_block import CostBlockMode
from wassay.client.seller.modes.measure import MeasureMode
from wassay.client.seller.modes.mode import SellerMode
from wassay.client.seller.modes.scalar import ScalarMode

SELLER_MODES: dict[str, SellerMode] = {
    mode.name: mode for mode in (MeasureMode(), CostBlockMode(), ScalarMode())
}
