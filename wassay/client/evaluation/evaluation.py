"""The evaluation of a buyer's request: wait for it, cancel it, or read its result."""

from pathlib import Path

from wassay import models
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.evaluation.noised_result import NoisedResult
from wassay.client.evaluation.polling import poll_until_succeeded
from wassay.client.evaluation.result import Result
from wassay.client.shared.receipt_reading import read_receipt
from wassay.client.valuation.valuation import Valuation
from wassay.receipts import VerifiedReceipt
from wassay.tabular import html_facts


class Evaluation(Valuation[R]):
    """An evaluation that `Request.evaluate` started or `Request.evaluation` loaded.

    Attributes
    ----------
    id : str
    """

    def __repr__(self) -> str:
        return f"Evaluation({self.id!r}, {self._document.state!r})"

    def _repr_html_(self) -> str:
        """Return HTML with the state of the evaluation as it was last read."""
        state = self._document
        progress = state.progress
        facts = {
            "id": self.id,
            "request": state.request_id,
            "state": state.state,
            "why": state.reason,
            "solves": None if progress is None else f"{progress.done} of {progress.total}",
            "contributions": ", ".join(state.contribution_ids),
            "epsilon": state.epsilon,
            "created": state.created_at,
            "finished": state.finished_at,
        }
        return html_facts(facts, "Evaluation")

    @property
    def epsilon(self) -> float | None:
        """The ε that each evaluation of the request spends; None if results have no noise."""
        return self._document.epsilon

    @operation
    def refresh(self) -> Flow[models.Evaluation]:
        """Read the evaluation's state and progress, and why it waits or failed.

        Returns
        -------
        wassay.models.Evaluation
        """
        self._document = yield from self._flows.evaluations.get(self.id)
        return self._document

    @operation
    def wait(
        self, *, progress: bool | None = None, timeout: float | None = None
    ) -> Flow["Evaluation[R]"]:
        """Poll until the evaluation has succeeded, and return it.

        Parameters
        ----------
        progress : bool, optional
            Whether to show the progress on standard error. True shows a bar in terminals and
            notebooks, and lines elsewhere; None shows only the bar.
        timeout : float, optional
            The most seconds to wait; by default there is no limit. The evaluation continues when
            the time is up.

        Returns
        -------
        Evaluation
            This evaluation.

        Raises
        ------
        EvaluationFailedError
            If the evaluation failed or was cancelled; the message says why.
        WaitTimeoutError
            If the evaluation is unfinished after `timeout`.
        """
        self._document = yield from poll_until_succeeded(
            self._flows, self.id, progress=progress, timeout=timeout
        )
        return self

    @operation
    def cancel(self) -> Flow[None]:
        """Cancel the evaluation; the service then publishes no result."""
        self._document = yield from self._flows.evaluations.cancel(self.id)

    @operation
    def result(self) -> Flow[Result]:
        """Read the evaluation's result, if the request has no epsilon.

        Returns
        -------
        Result

        Raises
        ------
        ConflictError
            If the evaluation is unfinished or failed, or the request has an epsilon. For a request
            with an epsilon, read `noised_result`.
        """
        document = yield from self._flows.evaluations.result(self.id)
        return Result(document, self._push, self._document.leave_one_out_omitted)

    @operation
    def noised_result(self) -> Flow[NoisedResult]:
        """Read the evaluation's result with noise, if the request has an epsilon.

        Returns
        -------
        NoisedResult

        Raises
        ------
        ConflictError
            If the evaluation is unfinished or failed, or the request has no epsilon.
        """
        document = yield from self._flows.evaluations.noised_result(self.id)
        return NoisedResult(document, self._push)

    @operation
    def receipt(self) -> Flow[VerifiedReceipt]:
        """Read and verify the evaluation's receipt.

        Returns
        -------
        VerifiedReceipt
            To verify the receipt again later, save its `content` byte for byte.

        Raises
        ------
        ConflictError
            If the evaluation is unfinished or failed.
        IntegrityError
            If no published key signed the receipt, or the receipt is of another evaluation.
        """
        return read_receipt(self._flows, self.id)

    @operation
    def report(self, path: str | Path) -> Flow[None]:
        """Write an HTML page with the sellers, their curves, scores, findings and certificates.

        The page contains t0 and the distances at t0, so share it only with people who may know t0.

        Parameters
        ----------
        path : path
            The HTML file to create, which only its owner may read.

        Raises
        ------
        ConflictError
            If the evaluation is unfinished or failed.
        IntegrityError
            If the evaluation's receipt is invalid.
        NegativeRadicand
            If the fit of a curve is negative at t0.
        FileTakenError
            If the file exists already.

        Notes
        -----
        The page is rendered on this machine and loads no other files.
        """
        from wassay.client.evaluation.report_writing import (
            write_report,  # imported here, because it loads templates
        )

        yield from write_report(self._flows, self, self._push.t0, path)
