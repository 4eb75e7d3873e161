"""The interface of a valuation method for the SDK and the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.valuation import Valuation
    from wassay.models import SellerResult

T = TypeVar("T")


@dataclass(frozen=True)
class Printed:
    """The lines that the command line prints for a valuation.

    Attributes
    ----------
    lines : tuple of str
        The lines for standard output.
    notes : tuple of str
        The lines for standard error.
    """

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()


class ValuationMethod(ABC, Generic[T]):
    """One way to value sellers or points.

    Attributes
    ----------
    name : str
        The name for `Evaluation.value` and `wassay value`.
    summary : str
        One line of help.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def value(self, evaluation: Valuation[Any], *args: Any, **options: Any) -> Flow[T]:
        """Compute the values.

        Subclasses name their own parameters, such as a budget, in place of `args` and `options`.
        """

    @abstractmethod
    def printed(
        self, found: T, sellers: Sequence[SellerResult], *args: Any, **options: Any
    ) -> Printed:
        """Return what the command line prints for `found`, the result of `value`.

        Subclasses name what else they print, such as a budget, in place of `args` and `options`.
        """


def labels_of(sellers: Sequence[SellerResult]) -> dict[str, str]:
    """Return the label of each contribution, by contribution id."""
    return {seller.contribution_id: seller.label for seller in sellers}
