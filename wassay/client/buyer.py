"""The buyer's side: ask what sellers' data is worth for the points one needs."""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from numpy.typing import ArrayLike

from wassay.client.client import Client
from wassay.client.errors import InvalidArgumentError, WassayError
from wassay.client.points import as_measure
from wassay.client.push import Push, load_push, require_push
from wassay.client.request import Request
from wassay.models import Audience, Mode
from wassay.transport import Measure, Normal, Reference, project

SEED_BITS = 128


class Buyer:
    """Asks, through a client whose key has the scope `buyer`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def ask(
        self,
        points: ArrayLike | Measure,
        *,
        title: str,
        t0: float,
        reference: Reference | None = None,
        sweep: Iterable[float] = (0.25, 0.5, 0.75),
        modes: Iterable[Mode] = ("measure",),
        reveals_measure: bool = False,
        order: Literal[1, 2] = 2,
        sellers: Iterable[str] = (),
        audience: Audience = "invited",
        description: str = "",
        expires_at: datetime | None = None,
    ) -> Request:
        """Open a request over one's points, pushed to t0 on this machine.

        What leaves is η_μ(t0), the reference with its seed, and the sweep. t0 and σ_bμ stay in the
        request that is returned; `Request.save` keeps them for another process. When something
        fails on the way, nothing is left open.

        Parameters
        ----------
        points : array_like of shape (m, d), or Measure
            What one needs: a validation set.
        title : str
            What sellers read first.
        t0 : float
            In (0, 1), best inside the sweep: outside it the estimate is an extrapolation.
        reference : Reference, optional
            γ. By default one normal point with a fresh seed, with which the method is exact.
        sweep : iterable of float
            The s that sellers push to: 3 to 32 distinct values in (0, 1).
        modes : iterable of {'measure', 'cost-block'}
            How sellers may answer.
        reveals_measure : bool
            Consent that accepted sellers download η_μ(t0), which mode `cost-block` needs. Who
            knows the reference, as they do, can compute the raw points from it.
        order : {1, 2}
            p of W_p.
        sellers : iterable of str
            Accounts to invite; more can be invited later.
        audience : {'invited', 'everyone'}
            Who may answer.
        description : str
            What sellers read next.
        expires_at : datetime, optional
            When the request closes by itself.

        Raises
        ------
        InvalidArgumentError
            When t0, the reference or the modes cannot be right.
        """
        require_push(t0)
        measure = as_measure(points)
        modes = tuple(modes)
        if "cost-block" in modes and not reveals_measure:
            raise InvalidArgumentError(
                "mode cost-block lets accepted sellers download your pushed points, and with the "
                "reference they can compute the raw ones. If that is acceptable, pass "
                "reveals_measure=True; if not, leave cost-block out of modes."
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
        push = Push(t0, projection.spread)

        published = self._client.references.create(reference)
        draft = self._client.requests.create(
            title=title,
            description=description,
            reference_id=published.id,
            order=order,
            sweep=sweep,
            modes=modes,
            audience=audience,
            reveals_measure=reveals_measure,
            expires_at=expires_at,
        )
        request = Request(self._client, draft.id, push)
        try:
            self._client.requests.upload_measure(draft.id, projection.interpolate(push.t0))
            for account_id in sellers:
                request.invite(account_id)
            self._client.requests.open(draft.id)
        except BaseException:
            with suppress(WassayError):
                request.cancel()
            raise
        return request

    def load(self, path: str | Path) -> Request:
        """Come back to a request that `Request.save` wrote down.

        Raises
        ------
        InvalidArgumentError
            When the file is something else.
        """
        request_id, push = load_push(path)
        return Request(self._client, request_id, push)
