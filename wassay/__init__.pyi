from .client import AsyncClient, Client
from .client.buyer.buyer import Buyer
from .client.buyer.labels import Labels
from .client.buyer.privacy import BuyerPrivacy
from .client.buyer.protocol import Protocol
from .client.buyer.reference_law import ReferenceLaw
from .client.buyer.request import Request
from .client.evaluation.estimates import Estimates, SellerEstimate
from .client.evaluation.evaluation import Evaluation
from .client.evaluation.noised_result import NoisedEstimates, NoisedResult
from .client.evaluation.plots import plot_dendrogram, plot_scores
from .client.evaluation.result import Result
from .client.seller.privacy import SellerPrivacy
from .client.seller.seller import Seller
from .client.valuation.detection import DetectionCurve
from .coverage import Coverage
from .errors import WassayError
from .key_profile import Profile
from .ledger import BrokenLedger
from .receipts import ReceiptError
from .recipes import Recipe, RecipeError
from .sampling import Sample
from .sealed_boxes import SealingError
from .transport import (
    Constant,
    Gamma,
    Measure,
    Normal,
    Normals,
    Reference,
    SolverMissing,
    TransportError,
    Uniform,
)
from .version import __version__

__all__ = [
    "AsyncClient",
    "BrokenLedger",
    "Buyer",
    "BuyerPrivacy",
    "Client",
    "Constant",
    "Coverage",
    "DetectionCurve",
    "Estimates",
    "Evaluation",
    "Gamma",
    "Labels",
    "Measure",
    "NoisedEstimates",
    "NoisedResult",
    "Normal",
    "Normals",
    "Profile",
    "Protocol",
    "ReceiptError",
    "Recipe",
    "RecipeError",
    "Reference",
    "ReferenceLaw",
    "Request",
    "Result",
    "Sample",
    "SealingError",
    "Seller",
    "SellerEstimate",
    "SellerPrivacy",
    "SolverMissing",
    "TransportError",
    "Uniform",
    "WassayError",
    "__version__",
    "plot_dendrogram",
    "plot_scores",
]
