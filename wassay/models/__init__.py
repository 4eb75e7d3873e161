"""The models of the HTTP API: the SDK reads them, the service writes them."""

from wassay.models.accounts import Account, ApiKey, NewApiKey, Scope
from wassay.models.base import Model, Page, Problem, SweepValue
from wassay.models.contributions import (
    Contribution,
    ContributionState,
    ScorePolicy,
    SweptArray,
)
from wassay.models.evaluations import (
    Certificate,
    Curve,
    CurvePoint,
    Evaluation,
    EvaluationState,
    Line,
    PointScores,
    Progress,
    QuadraticFit,
    Result,
    SellerResult,
    SellerWeighting,
    Timing,
)
from wassay.models.listings import Listing, ListingState
from wassay.models.references import Constant, Distribution, Gamma, Normal, Reference, Uniform
from wassay.models.requests import (
    Audience,
    Invitation,
    Mode,
    Order,
    Request,
    RequestState,
    StoredArray,
)

__all__ = [
    "Account",
    "ApiKey",
    "Audience",
    "Certificate",
    "Constant",
    "Contribution",
    "ContributionState",
    "Curve",
    "CurvePoint",
    "Distribution",
    "Evaluation",
    "EvaluationState",
    "Gamma",
    "Invitation",
    "Line",
    "Listing",
    "ListingState",
    "Mode",
    "Model",
    "NewApiKey",
    "Normal",
    "Order",
    "Page",
    "PointScores",
    "Problem",
    "Progress",
    "QuadraticFit",
    "Reference",
    "Request",
    "RequestState",
    "Result",
    "Scope",
    "ScorePolicy",
    "SellerResult",
    "SellerWeighting",
    "StoredArray",
    "SweepValue",
    "SweptArray",
    "Timing",
    "Uniform",
]
