"""The buyer's side: ask what sellers' data is worth for the points one needs."""

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from wassay.audit import Audit, OwnScores
from wassay.client.buyer.private_push import PrivatePush, require_t0
from wassay.client.buyer.request import Request
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.errors import InvalidArgumentError, WassayError
from wassay.client.seller.costs import MOST_CLASSES
from wassay.client.seller.matched_classes import names_of
from wassay.client.shared.arguments import (
    as_list,
    as_measure,
    as_positive,
    as_sweep,
)
from wassay.client.shared.identity import Identity
from wassay.client.shared.reference import SEED_BITS, OpenReference, SharedReference
from wassay.disclosure_class import DisclosureClass
from wassay.models import Audience, Mode
from wassay.modes import MODES, revealing
from wassay.profile import Profile
from wassay.reference_key import ReferenceKey
from wassay.transport import Classes, Measure, Normal, Reference, project, scale_hiding
from wassay.transport.data.labels import class_indices


class Buyer(Runs[R]):
    """Asks, through a client whose key has the scope `buyer`.

    Parameters
    ----------
    client : Client or AsyncClient
    profile : Profile, optional
        Where this account's private key and the keys it has pinned are kept.
    """

    def __init__(self, client: Service[R], profile: Profile | None = None) -> None:
        super().__init__(client.run)
        self._service = client
        self._flows = client.flows
        self._identity = Identity(self._flows, profile or Profile())

    @operation
    def ask(
        self,
        points: ArrayLike | Measure,
        *,
        labels: ArrayLike | None = None,
        matches_names: bool = False,
        title: str,
        t0: float,
        sealed: bool = True,
        reference: Reference | None = None,
        sweep: Iterable[float] = (0.25, 0.5, 0.75),
        modes: Iterable[Mode] = ("measure",),
        reveals_measure: bool = False,
        reveals_scores: bool = False,
        order: Literal[1, 2] = 2,
        sellers: Iterable[str] = (),
        audience: Audience = "invited",
        description: str = "",
        expires_at: datetime | None = None,
        epsilon: float | None = None,
        radius: float | None = None,
        max_disclosure: DisclosureClass | str | None = None,
        on_audit: Callable[[Audit], None] | None = None,
    ) -> Flow[Request[R]]:
        """Open a request over one's points, pushed to t0 on this machine.

        What leaves is the sweep and η_μ(t0): after a secret isometry, unless `sealed` is false. The
        isometry and the reference's seed leave in boxes only that the invited sellers alone can
        open. t0 and σ_bμ stay in the request that is returned; `Request.save` keeps them for
        another process. When something fails on the way, nothing is left open.

        Parameters
        ----------
        points : array_like of shape (m, d), or Measure
            What one needs: a validation set.
        labels : array_like, shape (m,), optional
            Of the points, to ask for the distance of labelled data (OTDD): squared distances of
            points and of their classes, taken as normal distributions. Sellers compute it, so it
            needs the modes `cost-block` or `scalar`, and with them `reveals_measure`. Which points
            are of one class leaves this process, in the clear; the names of classes do not.
        matches_names : bool
            Whether classes of one name (as text) are the same on both sides: then points of each
            class are compared with the seller's points of that class only, Σ p_c W_2² of class c
            with p_c the buyer's share of it, whatever the seller's. Sellers need all these classes,
            and no others. The names go to the service and to sellers, in the clear.
        title : str
            What sellers read first.
        t0 : float
            In (0, 1), best inside the sweep: outside it the estimate is an extrapolation.
        sealed : bool
            Whether the service sees points only up to an isometry that it does not know. False:
            it gets the reference's seed, and can compute everybody's raw points.
        reference : Reference, optional
            γ. By default one normal point with a fresh seed, with which the method is exact.
        sweep : iterable of float
            The s that sellers push to: 3 to 32 distinct values in (0, 1).
        modes : iterable of {'measure', 'cost-block', 'scalar'}
            How sellers may answer.
        reveals_measure : bool
            Consent that accepted sellers download η_μ(t0), which the modes `cost-block` and
            `scalar` need. Who knows the reference, as they do, sealed or not, can compute the raw
            points from it.
        reveals_scores : bool
            Consent that sellers read the exact scores of their own points, where every other seller
            of the evaluation shows scores. Who has some d + 1 points for each of these can compute
            η_μ(t0) from them. Otherwise sellers are told which few of their points are the
            noisiest: one for ten points of the party that has the fewest, and none below ten. That
            tells log₂ C(n, m/10)/m bits of each of m points here, at each s and to each seller of n
            points: 1 where n = 100 m, and 1.7 at most.
        order : {1, 2}
            p of W_p.
        sellers : iterable of str
            Accounts to invite; more can be invited later. Those who have published no encryption
            key yet get the sealed one from `Request.wait_for` or `Request.share_key`.
        audience : {'invited', 'everyone'}
            Who may answer. With a sealed reference a seller who is not invited can begin, and goes
            on once invited.
        description : str
            What sellers read next.
        expires_at : datetime, optional
            When the request closes by itself.
        epsilon, radius : float, optional
            With both, distances come with noise, and ε bounds what an evaluation tells of any one
            record of a seller (`Evaluation.noised_result`). Points, pushed as they are sent, are
            pulled into the ball of this radius around the mean of η_μ(t0): the smaller, the less
            noise, and the more data that is far away looks near. Needs order 2, mode `measure`
            and a reference of one point.
        max_disclosure : DisclosureClass or str, optional
            The most that the service, or a seller, may learn of these points by itself; the
            profile's when left out, and then ``'up-to-isometry'``. Before anything leaves, the
            points about to be sent are attacked as every receiver could. ``'exact'`` lets
            everything pass; an open reference, `reveals_measure` and `reveals_scores` need it.
        on_audit : callable, optional
            Is given a `wassay.audit.Audit` within the limit, to print it; what it raises stops the
            request.

        Raises
        ------
        InvalidArgumentError
            When t0, the labels, the reference or the modes cannot be right.
        DisclosureError
            When a receiver could compute more than `max_disclosure`; nothing was sent.
        SealingError
            When the profile, or a seller's encryption key, cannot be relied on.
        """
        require_t0(t0)
        check = yield from self._identity.disclosure_check(max_disclosure, on_audit)
        measure = as_measure(points)
        modes, sellers = as_list(modes, "modes"), as_list(sellers, "sellers")
        sweep = as_sweep(sweep)
        epsilon = None if epsilon is None else as_positive(epsilon, "epsilon")
        radius = None if radius is None else as_positive(radius, "radius")
        if not reveals_measure and (unwanted := revealing(modes)):
            names = " and ".join(unwanted)
            raise InvalidArgumentError(
                f"mode {names} lets accepted sellers download your pushed points, and with the "
                "reference they can compute the raw ones. If that is acceptable, pass "
                "reveals_measure=True and max_disclosure='exact' (--reveals-measure "
                f"--max-disclosure exact); if not, leave {names} out of modes."
            )
        if labels is not None:
            _check_labels(labels, measure, modes, reference)
        elif matches_names:
            raise InvalidArgumentError("names of classes are matched where there are labels")
        class_names = names_of(labels) if labels is not None and matches_names else None
        if not isinstance(reference, Reference | None):
            raise InvalidArgumentError(
                f"reference is a wassay.Reference, or left out, received {reference!r}"
            )
        if reference is None:
            reference = Reference(
                size=1,
                dimension=measure.dimension,
                distribution=Normal(),
                seed=secrets.randbits(SEED_BITS),
            )
        if reference.dimension != measure.dimension:
            raise InvalidArgumentError(
                f"the points have {measure.dimension} coordinates, the reference "
                f"{reference.dimension}: give both the same dimension"
            )
        projection = project(measure, reference.measure())
        push = PrivatePush(t0, projection.spread)
        key = ReferenceKey.draw(reference, scale_hiding(measure)) if sealed else None
        shared: SharedReference = key or OpenReference(reference)
        own_scores: OwnScores = "scores" if reveals_scores else "noisiest"
        check.require_request(
            projection,
            t0,
            shared,
            shown_to_sellers=reveals_measure,
            own_scores=own_scores if epsilon is None else "none",
        )
        if key is None:
            published = yield from self._flows.references.create(reference)
        else:
            yield from self._identity.publish()
            published = yield from self._flows.references.create_sealed(reference, key.commitment)
        draft = yield from self._flows.requests.create(
            title=title,
            description=description,
            reference_id=published.id,
            order=order,
            sweep=sweep,
            modes=modes,
            audience=audience,
            reveals_measure=reveals_measure,
            reveals_scores=reveals_scores,
            labelled=labels is not None,
            class_names=class_names,
            epsilon=epsilon,
            radius=radius,
            expires_at=expires_at,
        )
        try:
            pushed = shared.conceal(projection.interpolate(t0))
            stored = yield from self._flows.requests.upload_measure(
                draft.id, pushed if labels is None else _with_classes(pushed, labels)
            )
            told = stored.digest if revealing(modes) else None
            request = self._request(SavedRequest(draft.id, push, key, told))
            for account_id in sellers:
                yield from Request.invite.flow(request, account_id)
            yield from self._flows.requests.open(draft.id)
        except BaseException:
            with suppress(WassayError):
                yield from self._flows.requests.cancel(draft.id)
            raise
        return request

    def load(self, path: str | Path) -> Request[R]:
        """Come back to a request that `Request.save` wrote down.

        Raises
        ------
        InvalidArgumentError
            When the file is something else.
        """
        return Request(self._service, self._identity, SavedRequest.load(path), Path(path))

    @operation
    def publish_key(self) -> Flow[str]:
        """Publish this account's encryption key, and return its fingerprint to tell sellers.

        `ask` does it by itself; sellers who want to compare fingerprints need it before.
        """
        return self._identity.publish()

    def _request(self, saved: SavedRequest) -> Request[R]:
        return Request(self._service, self._identity, saved)


def _check_labels(
    labels: ArrayLike, measure: Measure, modes: list[Mode], reference: Reference | None
) -> None:
    if any(mode in MODES and not MODES[mode].takes_labels for mode in modes):
        raise InvalidArgumentError(
            "sellers compute the distances of classes, so labels go with the modes cost-block and "
            "scalar: pass modes=['cost-block'] and reveals_measure=True. In mode measure, ask with "
            "wassay.transport.with_labels(points, labels), and tell sellers to do the same."
        )
    if reference is not None and reference.size != 1:
        raise InvalidArgumentError(
            "distances of classes shrink with the push towards a reference of one point only, "
            "received "
            f"one of {reference.size}: leave reference out"
        )
    classes = len(Classes.of(measure, labels).means)
    if classes > MOST_CLASSES:
        raise InvalidArgumentError(
            f"{MOST_CLASSES} classes are compared at most, received {classes}: join some of them"
        )


def _with_classes(pushed: Measure, labels: ArrayLike) -> Measure:
    """Pushed points, and as their last coordinate the numbers of their classes."""
    _, classes = class_indices(labels)
    return Measure(np.column_stack([pushed.points, classes]), pushed.weights)
