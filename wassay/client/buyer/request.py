"""A buyer's own request, with the secrets that the service does not know."""

import time
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from typing_extensions import Unpack

from wassay import models
from wassay.client.buyer.invited_sellers import InvitedSellers
from wassay.client.connection.flows import (
    Awaiting,
    Blocking,
    Flow,
    Pause,
    R,
    operation,
)
from wassay.client.connection.outages import repeat_during_outage
from wassay.client.connection.pagination import Records
from wassay.client.evaluation.evaluation import Evaluation
from wassay.client.shared.arguments import as_amount, as_count
from wassay.errors import InvalidArgumentError, WaitTimeoutError
from wassay.recipes import Recipe
from wassay.tabular import html_facts

POLL_SECONDS = 0.5


class EvaluationOptions(TypedDict, total=False):
    """The options of `Request.evaluate`."""

    contribution_ids: Iterable[str] | None
    seller_weighting: Literal["points", "equal"] | None
    seller_weights: Mapping[str, float] | None
    leave_one_out: bool | None


class Request(InvitedSellers[R]):
    """A request that `Buyer.ask` opened or `Buyer.load` loaded.

    Attributes
    ----------
    id : str
        The id by which sellers find the request.
    """

    def __repr__(self) -> str:
        facts = "".join(f", {name}: {value}" for name, value in self._facts().items() if value)
        return f"Request({self.id!r}{facts})"

    def _repr_html_(self) -> str:
        """Return the request's facts as HTML, without its secrets."""
        return html_facts({"id": self.id, **self._facts()}, "Request")

    def _facts(self) -> dict[str, str | None]:
        """Return the facts to show in notebooks. They contain no secrets, such as t0."""
        saved = self._saved
        return {
            "reference": "open" if saved.key is None else "sealed",
            "invited": ", ".join(saved.recipients) or None,
            "recipe": None if saved.recipe is None else "fitted on your rows",
            "sampled": self.sampled,
            "saved": None if self._path is None else str(self._path),
        }

    @property
    def t0(self) -> float:
        """The private push t0, which is never sent."""
        return self._push.t0

    @property
    def recipe(self) -> Recipe | None:
        """The recipe that made points of the rows; None if points were passed instead of rows."""
        return self._saved.recipe

    @property
    def sampled(self) -> str | None:
        """How many of the buyer's rows were drawn, such as "500 of 2,000 rows, drawn with seed 7".

        None if all rows were used.
        """
        return self._push.sampled

    def save(self, path: str | Path) -> None:
        """Write the request's secrets to a new file, which `Buyer.load` reads.

        Sellers who are invited later are added to the file.

        Parameters
        ----------
        path : path
            The file to create, which only its owner may read. It contains t0, the projection
            spread, the order of rows, the reference's key, the recipe and the invited sellers.

        Raises
        ------
        FileTakenError
            If the file exists already.
        """
        self._saved.save(path)
        self._path = Path(path)

    @operation
    def contributions(self) -> Flow[Records[models.Contribution]]:
        """List the contributions to this request, in any state, newest first.

        Returns
        -------
        Records of wassay.models.Contribution
        """
        return self._flows.contributions.list(self.id).all()

    @operation
    def wait_for(
        self, sellers: int, *, timeout: float | None = None
    ) -> Flow[Records[models.Contribution]]:
        """Poll until this many sellers have submitted, and return their contributions.

        While waiting, seal the reference's key to each invited seller who publishes an encryption
        key.

        Parameters
        ----------
        sellers : int
            The number of submitted contributions to wait for.
        timeout : float, optional
            The most seconds to wait; by default there is no limit.

        Returns
        -------
        Records of wassay.models.Contribution
            The submitted contributions.

        Raises
        ------
        WaitTimeoutError
            If fewer sellers have submitted after `timeout`; the message lists the state of each
            contribution.
        KeyChangedError
            If a seller's key differs from the pinned one.
        """
        as_count(sellers, "sellers")
        deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
        while True:
            contributions = yield from repeat_during_outage(
                lambda: Request.contributions.flow(self), deadline
            )
            submitted = Records(each for each in contributions if each.state == "submitted")
            if len(submitted) >= sellers:
                return submitted
            without_key = yield from repeat_during_outage(
                lambda: Request.share_key.flow(self), deadline
            )
            if deadline is not None and time.monotonic() > deadline:
                states = ", ".join(f"{each.label}: {each.state}" for each in contributions)
                reasons = self._stall_reasons(contributions, without_key)
                raise WaitTimeoutError(
                    f"expected {sellers} submitted contributions within {timeout:g} s, "
                    f"received {len(submitted)} ({states or 'no seller has begun'}){reasons}"
                )
            yield Pause(POLL_SECONDS)

    if TYPE_CHECKING:
        # The type of the result depends on `dry_run`, which the type of `operation` cannot express.
        @overload
        def evaluate(
            self: "Request[Blocking]",
            *,
            dry_run: Literal[True],
            **options: Unpack[EvaluationOptions],
        ) -> models.EvaluationCost: ...
        @overload
        def evaluate(
            self: "Request[Awaiting]",
            *,
            dry_run: Literal[True],
            **options: Unpack[EvaluationOptions],
        ) -> Coroutine[Any, Any, models.EvaluationCost]: ...
        @overload
        def evaluate(
            self: "Request[Blocking]",
            *,
            dry_run: Literal[False] = False,
            **options: Unpack[EvaluationOptions],
        ) -> Evaluation[Blocking]: ...
        @overload
        def evaluate(
            self: "Request[Awaiting]",
            *,
            dry_run: Literal[False] = False,
            **options: Unpack[EvaluationOptions],
        ) -> Coroutine[Any, Any, Evaluation[Awaiting]]: ...
        def evaluate(self, *, dry_run: bool = False, **options: Any) -> Any:
            """Start an evaluation with the given options, or estimate its cost."""
    else:

        @operation
        def evaluate(
            self,
            *,
            contribution_ids: Iterable[str] | None = None,
            seller_weighting: Literal["points", "equal"] | None = None,
            seller_weights: Mapping[str, float] | None = None,
            leave_one_out: bool | None = None,
            dry_run: bool = False,
        ) -> Flow[Evaluation[R] | models.EvaluationCost]:
            """Start an evaluation of contributions to this request, or estimate its cost.

            Parameters
            ----------
            contribution_ids : iterable of str, optional
                The contributions to evaluate; by default all submitted contributions.
            seller_weighting : {'points', 'equal'}, optional
                ``'points'``, the default, gives all points the same weight; ``'equal'`` gives all
                sellers the same weight.
            seller_weights : mapping of contribution id to float, optional
                The positive weight of each evaluated contribution, instead of `seller_weighting`.
                Weights are divided by their sum.
            leave_one_out : bool, optional
                Whether to compute leave-one-out distances: for each seller, the distance of all
                other sellers together. By default they are computed if every seller's cap
                `questions` allows them; otherwise `Estimates.omitted` says why not.
            dry_run : bool
                Whether to return only an estimate of the cost: transport problems, seconds on this
                service, and memory. Nothing is computed, and no seller's cap is charged.

            Returns
            -------
            Evaluation or wassay.models.EvaluationCost
                The cost if `dry_run`, otherwise the started evaluation.

            Raises
            ------
            ConflictError
                If a seller's caps forbid the evaluation, or forbid leave-one-out distances although
                `leave_one_out` is true.
            UnprocessableError
                If the evaluation is too large for a process of the service; the message says what
                would fit.
            """
            if dry_run:
                return (
                    yield from self._flows.evaluations.cost(
                        self.id, contribution_ids=contribution_ids, leave_one_out=leave_one_out
                    )
                )
            evaluation = yield from self._flows.evaluations.create(
                self.id,
                contribution_ids=contribution_ids,
                seller_weighting=seller_weighting,
                seller_weights=seller_weights,
                leave_one_out=leave_one_out,
            )
            return Evaluation(self._service, evaluation, self._push)

    @operation
    def evaluation(self, evaluation_id: str) -> Flow[Evaluation[R]]:
        """Load an evaluation of this request.

        Parameters
        ----------
        evaluation_id : str

        Returns
        -------
        Evaluation

        Raises
        ------
        InvalidArgumentError
            If the evaluation is of another request, whose t0 this object does not have.
        """
        evaluation = yield from self._flows.evaluations.get(evaluation_id)
        if evaluation.request_id != self.id:
            raise InvalidArgumentError(
                f"expected an evaluation of request {self.id}; received {evaluation_id}, which is "
                f"of request {evaluation.request_id}: load the file that this request was saved to"
            )
        return Evaluation(self._service, evaluation, self._push)

    @operation
    def close(self) -> Flow[None]:
        """Close the request to further contributions; it can be evaluated afterwards."""
        yield from self._flows.requests.close(self.id)

    @operation
    def cancel(self) -> Flow[None]:
        """Cancel the request and its unfinished evaluations."""
        yield from self._flows.requests.cancel(self.id)

    @operation
    def delete_measure(self) -> Flow[None]:
        """Delete the request's measure, the scores of its points and the sealed keys.

        The request cannot be evaluated afterwards. Results, receipts and rows of the ledger stay.

        Raises
        ------
        ConflictError
            If the request is open (close or cancel it first), or an evaluation waits or runs.
        """
        yield from self._flows.requests.delete_measure(self.id)

    def _stall_reasons(
        self, contributions: list[models.Contribution], without_key: list[str]
    ) -> str:
        """Explain which sellers wait for the reference's key, and why; empty if no seller waits.

        `without_key` has the invited accounts that have published no encryption key.
        """
        reasons = ""
        if without_key:
            reasons += (
                f"; {', '.join(without_key)} must publish an encryption key first (wassay key), so "
                "that the reference's key can be sealed to them"
            )
        if self._saved.key is not None:
            uninvited = [
                f"{each.label} ({each.account_id})"
                for each in contributions
                if each.state == "draft" and each.account_id not in self._saved.recipients
            ]
            if uninvited:
                reasons += (
                    f"; {', '.join(uninvited)} wait for the reference's key, which is sealed only "
                    "to those you invite"
                )
        return reasons
