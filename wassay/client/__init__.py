"""The SDK: `Client` speaks to the service; `Buyer` and `Seller` do each side's work with it."""

from wassay.client.client import Client
from wassay.client.errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    DisclosureError,
    EvaluationFailedError,
    ForbiddenError,
    IntegrityError,
    InvalidArgumentError,
    NotFoundError,
    PreconditionError,
    ProblemError,
    RateLimitError,
    ServerError,
    TooLargeError,
    UnexpectedAnswerError,
    UnprocessableError,
    UnsupportedMediaTypeError,
    WassayError,
)
from wassay.client.pages import Pages

__all__ = [
    "AuthenticationError",
    "BadRequestError",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "DisclosureError",
    "EvaluationFailedError",
    "ForbiddenError",
    "IntegrityError",
    "InvalidArgumentError",
    "NotFoundError",
    "Pages",
    "PreconditionError",
    "ProblemError",
    "RateLimitError",
    "ServerError",
    "TooLargeError",
    "UnexpectedAnswerError",
    "UnprocessableError",
    "UnsupportedMediaTypeError",
    "WassayError",
]
