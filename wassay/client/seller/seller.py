"""The seller's side: answer requests from where the data lives."""

from collections.abc import Callable
from contextlib import suppress

from numpy.typing import ArrayLike

from wassay.audit import Audit
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.connection.pagination import Pages
from wassay.client.errors import InvalidArgumentError, WassayError
from wassay.client.seller.costs import costs_to
from wassay.client.seller.dry_run import dry_run
from wassay.client.seller.key_exchange import receive_key
from wassay.client.seller.modes.mode import Swept
from wassay.client.seller.modes.registry import SELLER_MODES
from wassay.client.shared.arguments import as_measure, require_answerable
from wassay.client.shared.disclosure_check import PreparedContribution
from wassay.client.shared.identity import Identity
from wassay.client.shared.receipts import read_receipt
from wassay.disclosure_class import DisclosureClass
from wassay.models import (
    Contribution,
    Mode,
    PointScores,
    Request,
    ScorePolicy,
)
from wassay.modes import MODES
from wassay.profile import Profile
from wassay.receipts import VerifiedReceipt
from wassay.transport import (
    Measure,
    project,
)


class Seller(Runs[R]):
    """Answers, through a client whose key has the scope `seller`.

    Parameters
    ----------
    client : Client or AsyncClient
    profile : Profile, optional
        Where this account's private key and the keys it has pinned are kept.
    """

    def __init__(self, client: Service[R], profile: Profile | None = None) -> None:
        super().__init__(client.run)
        self._client = client
        self._flows = client.flows
        self._identity = Identity(self._flows, profile or Profile())

    @operation
    def publish_key(self) -> Flow[str]:
        """Publish this account's encryption key, and return its fingerprint to tell buyers.

        Best done before a buyer asks, for the key of a sealed reference is sealed to it. `answer`
        does it too, and then waits for the buyer.
        """
        return self._identity.publish()

    def open_requests(self) -> Pages[Request, R]:
        """The open requests that this seller may answer, newest first."""
        return self._client.requests.list(role="seller", state="open")

    @operation
    def answer(
        self,
        request_id: str,
        points: ArrayLike | Measure,
        *,
        labels: ArrayLike | None = None,
        buyer: str | None = None,
        mode: Mode = "measure",
        scores: ScorePolicy = "none",
        compared: bool = False,
        label: str | None = None,
        listing_id: str | None = None,
        timeout: float | None = 60.0,
        max_disclosure: DisclosureClass | str | None = None,
        on_audit: Callable[[Audit], None] | None = None,
    ) -> Flow[Contribution]:
        """Push one's points to every s of the sweep on this machine, upload, and submit.

        A draft that an earlier attempt left is withdrawn first.

        Parameters
        ----------
        request_id : str
        points : array_like of shape (n, d), or Measure
            The data on offer; as it is, it does not leave this process.
        labels : array_like, shape (n,), optional
            Of the points, where the request asks for labelled ones; of any type that sorts. The
            names of classes do not leave this process, and need not be the buyer's: classes are
            compared by the mean and the covariance of their points. Where the request has
            `class_names`, expected are classes of the same names (as text), and points of each are
            compared with the buyer's of that one, and weigh together what those do.
        buyer : str, optional
            Who is to have asked: an account, or the fingerprint of its key as the buyer told it,
            which is then pinned. Whoever the service says when left out.
        mode : {'measure', 'cost-block', 'scalar'}
            Send η_ν(s), which the buyer does not see; or download η_μ(t0) and send the costs to
            it; or download it, solve here, and send a few numbers for each s, which the buyer has
            to believe and from which no scores follow.
        scores : {'none', 'ranks', 'scores'}
            The most that the buyer gets to see of the scores of these points: evaluated together
            with other sellers' it is which of them are the noisiest, or, where every seller shows
            ``'scores'``, the scores, and those of the buyer's own points, which give the raw
            records. So ``'scores'`` takes a `max_disclosure` of ``'exact'``.
        compared : bool
            Whether the buyer may read how far these points are from those of each other seller who
            allows it too (mode `measure`): who is like whom. Each is one more distance to points
            that somebody else, who may be the buyer's confederate, has chosen.
        label : str, optional
            What the buyer calls this contribution; the account's name when left out.
        listing_id : str, optional
            One's listing that describes the data.
        timeout : float, optional
            Seconds to wait at most for the buyer to seal the reference's key to this account.
        max_disclosure : DisclosureClass or str, optional
            The most that the service, or the buyer, may learn of these points by itself; the
            profile's when left out, and then ``'up-to-isometry'``. Before anything is uploaded, the
            very arrays are attacked as every receiver could. ``'exact'`` lets everything pass; to
            answer an open reference takes it, for then whoever runs the service can compute the
            raw points.
        on_audit : callable, optional
            Is given a `wassay.audit.Audit` within the limit, to print it; what it raises stops the
            answer.

        Raises
        ------
        InvalidArgumentError
            When the points, the labels or the mode are not what the request asks for.
        DisclosureError
            When a receiver could compute more than `max_disclosure`; nothing was uploaded.
        SealingError
            When what was sealed, or who sealed it, cannot be relied on, or another buyer asks than
            was expected; nothing was uploaded.
        IntegrityError
            When the service shows another measure than the buyer's; nothing was uploaded.
        TimeoutError
            When the buyer has not sealed the key by then.
        """
        check = yield from self._identity.disclosure_check(max_disclosure, on_audit)
        measure = as_measure(points)
        request = yield from self._flows.requests.get(request_id)
        if buyer is not None:
            yield from self._identity.require(request.account_id, buyer)
        require_answerable(request, measure, mode, labels)
        published = yield from self._flows.references.get(request.reference_id)
        yield from self._withdraw_drafts(request_id)
        # Before the key is waited for: it shows the buyer who waits.
        draft = yield from self._flows.contributions.create(
            request_id,
            mode=mode,
            label=label,
            listing_id=listing_id,
            score_policy=scores,
            compared=compared,
        )
        shared, digest = yield from receive_key(
            self._flows, self._identity, request, published, mode, timeout
        )
        projection = project(measure, shared.reference.measure())
        try:
            costs = None
            if MODES[mode].reveals_measure:
                seen = yield from self._flows.requests.measure(request_id, digest=digest)
                costs = costs_to(seen, projection, shared, labels, request)
                projection = costs.projection
            check.require_contribution(
                PreparedContribution(projection, request, mode, costs, scores), shared
            )
        except BaseException:
            with suppress(WassayError):
                yield from self._flows.contributions.withdraw(draft.id)
            raise
        swept = Swept(projection, shared, request.sweep, costs)
        yield from SELLER_MODES[mode].upload(self._flows.contributions, draft.id, swept)
        spread = projection.spread
        return (yield from self._flows.contributions.submit(draft.id, projection_spread=spread))

    @operation
    def audit(
        self,
        request_id: str,
        points: ArrayLike | Measure,
        *,
        labels: ArrayLike | None = None,
        mode: Mode = "measure",
        scores: ScorePolicy = "none",
    ) -> Flow[Audit]:
        """What receivers could compute from an answer; nothing is sent, and nobody is told.

        The key of a sealed reference and the buyer's measure are not asked for, which the buyer
        would see: others like them are drawn in their place. Only the measured errors depend on
        them.

        Parameters
        ----------
        request_id, points, labels, mode, scores
            As of `answer`.

        Raises
        ------
        InvalidArgumentError
            When the points or the mode are not what the request asks for.
        SealingError
            When the reference is open and has no seed.
        """
        measure = as_measure(points)
        request = yield from self._flows.requests.get(request_id)
        require_answerable(request, measure, mode, labels)
        published = yield from self._flows.references.get(request.reference_id)
        answer, shared = dry_run(request, published, measure, labels, mode, scores)
        return answer.audit(shared)

    @operation
    def decline(self, request_id: str, *, reason: str) -> Flow[Contribution]:
        """Tell the buyer that one will not answer, and why."""
        yield from self._withdraw_drafts(request_id)
        mode = (yield from self._flows.requests.get(request_id)).modes[0]
        draft = yield from self._flows.contributions.create(request_id, mode=mode)
        return (yield from self._flows.contributions.decline(draft.id, reason=reason))

    @operation
    def scores(self, evaluation_id: str, *, s: float | None = None) -> Flow[PointScores]:
        """Scores of one's own points in an evaluation, at one s of the sweep or its middle.

        Which few are the `noisiest`; and `values`, where the buyer's request reveals scores and
        every other seller of the evaluation shows theirs. Positive: the point pushes the distance
        up (noise). Negative: it pulls it down (value). At any s but t0, which only the buyer knows,
        the scores also hold a term of the reference, the larger the farther s is from t0: compare
        several s before you throw points away.

        Raises
        ------
        NotFoundError
            When there is no such evaluation that this seller may see.
        ForbiddenError
            When none may be named, because a party has fewer than ten points, or its mass lies on
            so few.
        InvalidArgumentError
            When it uses no contribution of this seller.
        """
        evaluation = yield from self._flows.evaluations.get(evaluation_id)
        me = yield from self._identity.account_id()
        answers = yield from self._flows.contributions.list(evaluation.request_id).all()
        for answer in answers:
            if answer.account_id == me and answer.id in evaluation.contribution_ids:
                return (yield from self._flows.evaluations.scores(evaluation_id, answer.id, s=s))
        raise InvalidArgumentError(f"evaluation {evaluation_id} uses no contribution of {me}")

    @operation
    def receipt(self, evaluation_id: str) -> Flow[VerifiedReceipt]:
        """What the service signed of one's own part in an evaluation; keep its `content`.

        Raises
        ------
        NotFoundError
            When there is no such evaluation that this seller may see.
        IntegrityError
            When what came proves nothing.
        """
        return read_receipt(self._flows, evaluation_id)

    def _withdraw_drafts(self, request_id: str) -> Flow[None]:
        for earlier in (yield from self._flows.contributions.list(request_id).all()):
            if earlier.state == "draft":
                yield from self._flows.contributions.withdraw(earlier.id)
