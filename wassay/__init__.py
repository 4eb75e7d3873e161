"""Wassay tells a buyer how much a seller's data resembles the data the buyer needs.

The names below are loaded when first used: the service imports `wassay.models` and should not
wait for the mathematics or the HTTP client, nor should the command line's `--help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wassay.version import __version__

if TYPE_CHECKING:
    from wassay.client import AsyncClient, Client, WassayError
    from wassay.client.buyer import Buyer
    from wassay.client.estimates import Estimates, SellerEstimate
    from wassay.client.evaluation import Evaluation
    from wassay.client.noised_result import NoisedEstimates, NoisedResult
    from wassay.client.plots import plot_dendrogram, plot_scores
    from wassay.client.request import Request
    from wassay.client.result import Result
    from wassay.client.seller import Seller
    from wassay.disclosures import BrokenLedger
    from wassay.profile import Profile
    from wassay.receipts import ReceiptError
    from wassay.sealing import SealingError
    from wassay.transport import (
        Constant,
        Gamma,
        Measure,
        Normal,
        Reference,
        TransportError,
        Uniform,
    )

__all__ = [
    "AsyncClient",
    "BrokenLedger",
    "Buyer",
    "Client",
    "Constant",
    "Estimates",
    "Evaluation",
    "Gamma",
    "Measure",
    "NoisedEstimates",
    "NoisedResult",
    "Normal",
    "Profile",
    "ReceiptError",
    "Reference",
    "Request",
    "Result",
    "SealingError",
    "Seller",
    "SellerEstimate",
    "TransportError",
    "Uniform",
    "WassayError",
    "__version__",
    "plot_dendrogram",
    "plot_scores",
]

_HOMES = {
    "AsyncClient": "wassay.client",
    "BrokenLedger": "wassay.disclosures",
    "Buyer": "wassay.client.buyer",
    "Client": "wassay.client",
    "Estimates": "wassay.client.estimates",
    "Evaluation": "wassay.client.evaluation",
    "NoisedEstimates": "wassay.client.noised_result",
    "NoisedResult": "wassay.client.noised_result",
    "Profile": "wassay.profile",
    "ReceiptError": "wassay.receipts",
    "Request": "wassay.client.request",
    "Result": "wassay.client.result",
    "SealingError": "wassay.sealing",
    "Seller": "wassay.client.seller",
    "SellerEstimate": "wassay.client.estimates",
    "WassayError": "wassay.client",
    "plot_dendrogram": "wassay.client.plots",
    "plot_scores": "wassay.client.plots",
} | dict.fromkeys(
    ("Constant", "Gamma", "Measure", "Normal", "Reference", "TransportError", "Uniform"),
    "wassay.transport",
)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'wassay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
