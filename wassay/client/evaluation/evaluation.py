"""An evaluation as the buyer follows it: wait, cancel, read the result."""

from pathlib import Path

from wassay import models
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.evaluation.noised_result import NoisedResult
from wassay.client.evaluation.polling import poll_until_succeeded
from wassay.client.evaluation.result import Result
from wassay.client.shared.receipts import read_receipt
from wassay.client.valuation.valuation import Valuation
from wassay.receipts import VerifiedReceipt


class Evaluation(Valuation[R]):
    """What `Request.evaluate` started.

    Attributes
    ----------
    id : str
    """

    def __repr__(self) -> str:
        return f"Evaluation({self.id!r}, {self._document.state!r})"

    @property
    def epsilon(self) -> float | None:
        """What one evaluation of the request costs; None where answers carry no noise."""
        return self._document.epsilon

    @operation
    def refresh(self) -> Flow[models.Evaluation]:
        """Read its state, its progress, and why it waits or failed."""
        self._document = yield from self._flows.evaluations.get(self.id)
        return self._document

    @operation
    def wait(
        self, *, progress: bool = False, timeout: float | None = None
    ) -> Flow["Evaluation[R]"]:
        """Wait for the result.

        Parameters
        ----------
        progress : bool
            Whether to say on standard error how far it is.
        timeout : float, optional
            Seconds to wait at most. The evaluation itself goes on.

        Raises
        ------
        EvaluationFailedError
            When it failed or was cancelled; the message says why.
        TimeoutError
            When it is not finished by then.
        """
        self._document = yield from poll_until_succeeded(
            self._flows, self.id, progress=progress, timeout=timeout
        )
        return self

    @operation
    def cancel(self) -> Flow[None]:
        """Stop it; nothing is published."""
        self._document = yield from self._flows.evaluations.cancel(self.id)

    @operation
    def result(self) -> Flow[Result]:
        """What it found.

        Raises
        ------
        ConflictError
            When it is not finished, or failed, or carries noise: see `noised_result`.
        """
        return Result((yield from self._flows.evaluations.result(self.id)), self._push)

    @operation
    def noised_result(self) -> Flow[NoisedResult]:
        """What it found, where the request has an epsilon.

        Raises
        ------
        ConflictError
            When it is not finished, or failed, or the request has none.
        """
        document = yield from self._flows.evaluations.noised_result(self.id)
        return NoisedResult(document, self._push)

    @operation
    def receipt(self) -> Flow[VerifiedReceipt]:
        """What the service signed of it, verified; keep its `content`, to the byte.

        Raises
        ------
        ConflictError
            When it is not finished, or failed.
        IntegrityError
            When what came proves nothing.
        """
        return read_receipt(self._flows, self.id)

    @operation
    def report(self, path: str | Path) -> Flow[None]:
        """Write one page for people: the sellers, their curves, scores, findings and proofs.

        It is made on this machine, with the distances at t0, and shows t0: give it to whom you
        would tell that. The page loads nothing, and prints.

        Parameters
        ----------
        path : path
            A new HTML file, for its owner alone.

        Raises
        ------
        ConflictError
            When it is not finished, or failed.
        IntegrityError
            When its receipt proves nothing.
        NegativeRadicand
            If a curve has no root at t0.
        FileExistsError
            When the file is there already.
        """
        from wassay.client.evaluation.reports import (
            write_report,  # which other work need not wait for
        )

        return write_report(self._flows, self, self._push.t0, path)
