"""The buyer's entry to the SDK: ask how far sellers' data is from the buyer's points."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from wassay.audit import Audit, OwnScores
from wassay.client.buyer.drawn_projection import draw_projection, scaling_of
from wassay.client.buyer.drawn_reference import draw_reference
from wassay.client.buyer.labels import Labels, warn_of_few_rows, with_scored_classes
from wassay.client.buyer.named_sellers import accounts_of
from wassay.client.buyer.privacy import BuyerPrivacy
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.protocol import Protocol
from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.buyer.request import Request
from wassay.client.buyer.rows import require_sealable, rows_of
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.buyer.t0 import draw_t0
from wassay.client.client import Service, require_client
from wassay.client.connection.flows import Flow, R, Runs, Steps, operation
from wassay.client.shared.arguments import as_instance, as_line, as_list
from wassay.client.shared.identity import Identity
from wassay.client.shared.sampling import drawn_labels, drawn_rows, label_of, require_row_limit
from wassay.client.shared.sent_rows import in_sending_order
from wassay.client.shared.shared_reference import OpenReference, SharedReference
from wassay.client.shared.table_facts import TableFacts
from wassay.client.shared.terms import StatedTerms, Terms
from wassay.errors import InvalidArgumentError, WassayError
from wassay.key_profile import Profile
from wassay.models import Audience
from wassay.modes import revealing
from wassay.recipes import Recipe
from wassay.recipes.kinds.text import Vectors
from wassay.reference_key import ReferenceKey
from wassay.sampling import Sample
from wassay.transport import (
    project,
    scale_hiding,
)

_STEPS = 5
"""The number of progress steps of `Buyer.ask`, without the step for each invitation."""


class Buyer(Runs[R]):
    """Opens requests through a client whose API key has the scope `buyer`.

    Parameters
    ----------
    client : Client or AsyncClient
    profile : Profile, optional
        The file with this account's private key and the pinned keys of others; by default
        `Profile()`.
    """

    def __init__(self, client: Service[R], profile: Profile | None = None) -> None:
        require_client(client)
        super().__init__(client.run)
        self._service = client
        self._flows = client.flows
        self._identity = Identity(self._flows, profile or Profile())

    def __repr__(self) -> str:
        return f"Buyer({self._service!r}, {self._identity.profile!r})"

    @operation
    def ask(
        self,
        points: Any,
        *,
        title: str,
        sellers: Iterable[str] = (),
        recipe: Recipe | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        labels: ArrayLike | Labels | None = None,
        sample: Sample | int | None = None,
        audience: Audience = "invited",
        description: str = "",
        expires_at: datetime | None = None,
        privacy: BuyerPrivacy | None = None,
        protocol: Protocol | None = None,
        on_audit: Callable[[Audit], None] | None = None,
        progress: bool | None = None,
    ) -> Flow[Request[R]]:
        """Push points to t0 on this machine, upload them, open a request and invite sellers.

        By default, the service receives the pushed points η_μ(t0) moved by a secret isometry, and
        in a secret order. If a step fails, the request is cancelled.

        Parameters
        ----------
        points : DataFrame, mapping of columns, array_like of shape (m, d), Measure or Sampled
            The rows to compare sellers' data with, such as a validation set. A recipe makes points
            of tables and images; a matrix or a `Measure` is compared as it is.
        title : str
            The title of the request, which sellers read first.
        sellers : iterable of str
            The sellers to invite, named as for `Request.invite`. Only invited sellers receive a
            sealed reference's key, in sealed boxes.
        recipe : Recipe, optional
            How rows become points on both sides. By default, a recipe is fitted on a table or
            images; `Request.recipe` returns it.
        vectors : mapping, optional
            The word vectors for each column that the recipe embeds as text, by the column's name.
            Vectors are not sent, and sellers must use the same vectors.
        labels : array_like of shape (m,), or Labels, optional
            The class of each point; by default the recipe's field with the role `label`, if there
            is one. `Labels` says what classes are used for.
        sample : Sample or int, optional
            Draw this many rows and compare only these; by default all rows are compared. The sample
            keeps the shares of the classes in the column `Sample.by`; by default, in the recipe's
            field with the role `label`.
        audience : {'invited', 'everyone'}
            Who may answer. If the reference is sealed, only invited sellers can finish an answer.
        description : str
            Details for sellers.
        expires_at : datetime, optional
            When the service closes the request; by default never.
        privacy : BuyerPrivacy, optional
            What others may learn about the points; by default `BuyerPrivacy()`.
        protocol : Protocol, optional
            The push, the sweep, the order, the reference and the modes; by default `Protocol()`.
        on_audit : callable, optional
            Called with the `wassay.audit.Audit` of the upload, if the upload is within
            `BuyerPrivacy.max_disclosure`. If `on_audit` raises, nothing is sent.
        progress : bool, optional
            Whether to show the progress on standard error. True shows a bar in terminals and
            notebooks, and lines elsewhere; None shows only the bar.

        Returns
        -------
        Request
            The open request, which holds t0, the projection spread and the order of rows.
            `Request.save` writes them to a file.

        Raises
        ------
        InvalidArgumentError
            If `labels`, `protocol` and `privacy` contradict each other, or there are more rows than
            the service takes. Also if a name in `sellers` does not belong to exactly one account,
            or the title is not one line of 1 to 200 characters.
        RecipeError
            If the recipe cannot make points of the rows.
        TransportError
            If a point is not finite, a label is missing, or points and labels differ in number.
        DisclosureError
            If a receiver could compute more than `BuyerPrivacy.max_disclosure` allows; nothing was
            sent.
        SealingError
            If the profile's key differs from the one that this account has published, or a
            seller's key differs from the pinned one.
        ProblemError
            If the service refuses a call.

        Warns
        -----
        WithoutKeyWarning
            If an invited seller cannot answer yet, because they have published no encryption key.
        UserWarning
            If labels are scored and the recipe whitens, but there are too few rows to find wrong
            labels of sellers.
        ReadableColumnsWarning
            If the service can read columns, and neither `privacy` nor the profile has a limit.

        Notes
        -----
        A table is a DataFrame (pandas, polars, pyarrow) or a mapping. An array of three or four
        axes holds images. `wassay.files.read_sample` draws rows from a long file.

        All who may read the request see the recipe's public part. What the recipe learned from the
        rows is sealed to the invited sellers.

        Examples
        --------
        >>> request = Buyer(client).ask(frame, title="Customers", sellers=[account_id])
        >>> print(request.recipe.describe())
        """
        title = as_line(title, "title")
        privacy = as_instance(privacy, BuyerPrivacy, "privacy")
        protocol = as_instance(protocol, Protocol, "protocol")
        check = yield from self._identity.disclosure_check(privacy.max_disclosure, on_audit)
        accounts = yield from accounts_of(
            self._flows, self._identity, as_list(sellers, "sellers"), sealed=privacy.sealed
        )
        steps = Steps("request", _STEPS + len(accounts), progress)
        yield steps.begin("making points of rows")
        by = label_of(recipe.public) if isinstance(recipe, Recipe) else None
        points, drawn = drawn_rows(points, sample, by)
        require_row_limit(points)
        measure, classes, recipe = rows_of(points, recipe, vectors)
        own = labels is not None
        labels = classes if labels is None else labels
        if labels is not None:
            labels = labels if isinstance(labels, Labels) else Labels(labels)
            labels = replace(labels, values=drawn_labels(labels.values, drawn))
            labels.require_usable(measure, protocol.modes, protocol.reference)
        if recipe is not None:
            recipe = with_scored_classes(recipe, labels if own else None, protocol.modes)
            require_sealable(recipe, sealed=privacy.sealed)
            if labels is not None:
                warn_of_few_rows(measure.size, recipe, protocol.modes)
        _require_consent(privacy, protocol)
        measure, classes, rows = in_sending_order(
            measure,
            None if labels is None else labels.values,
            drawn,
            keeps_order=privacy.keeps_order,
        )
        if labels is not None and classes is not None:
            labels = replace(labels, values=classes)
        facts = None if recipe is None else TableFacts.of(points, measure, rows)
        yield steps.begin("pushing points")
        reduction = draw_projection(measure, privacy)
        compared = measure if reduction is None else reduction.apply(measure)
        reference = protocol.reference or draw_reference(
            compared, protocol.order, sealed=privacy.sealed
        )
        if isinstance(reference, ReferenceLaw):
            reference = reference.draw(compared.dimension)
        if reference.dimension != compared.dimension:
            raise InvalidArgumentError(
                f"expected a reference of {compared.dimension} coordinates, in which points are "
                f"compared, received one of {reference.dimension}: give both the same dimension"
            )
        key = (
            ReferenceKey.draw(reference, scale_hiding(compared), reduction)
            if privacy.sealed
            else None
        )
        shared: SharedReference = key or OpenReference(reference)
        projection = project(compared, reference.measure(), protocol.interpolation)
        t0 = draw_t0(protocol.sweep) if protocol.t0 is None else protocol.t0
        scaling = None if reduction is None else scaling_of(measure, reduction, protocol.order)
        push = PrivatePush(t0, projection.spread, scaling, rows.only(projection.original_rows))
        yield steps.begin("auditing")
        own_scores: OwnScores = "scores" if privacy.reveals_scores else "noisiest"
        audited = check.audit_request(
            measure,
            projection,
            t0,
            shared,
            shown_to_sellers=privacy.reveals_measure,
            own_scores=own_scores if privacy.epsilon is None else "none",
            recipe=recipe,
            scored_classes=None if labels is None else labels.scored_classes(protocol.modes),
            keeps_order=privacy.keeps_order,
            facts=facts,
        )
        yield from check.tell(audited)
        yield steps.begin("uploading points")
        if key is None:
            published = yield from self._flows.references.create(reference)
        else:
            yield from self._identity.publish()
            published = yield from self._flows.references.create_sealed(
                reference, key.commitment, projected_from=key.projected_from
            )
        terms: StatedTerms = {
            "order": protocol.order,
            "sweep": protocol.sweep,
            "modes": protocol.modes,
            "reveals_measure": privacy.reveals_measure,
            "reveals_scores": privacy.reveals_scores,
            "interpolation": protocol.interpolation,
            "labelled": labels is not None,
            "class_names": None if labels is None else labels.class_names,
            "epsilon": privacy.epsilon,
            "radius": privacy.radius,
        }
        draft = yield from self._flows.requests.create(
            title=title,
            description=description,
            reference_id=published.id,
            audience=audience,
            recipe=None if recipe is None else recipe.public,
            expires_at=expires_at,
            **terms,
        )
        try:
            pushed = shared.conceal(projection.interpolate(t0))
            if labels is not None:
                pushed = labels.append_to(pushed, protocol.modes, shared)
            uploaded = yield from self._flows.requests.upload_measure(draft.id, pushed)
            # Sellers who do not need the measure could use its digest to test guesses of a record
            # and of t0.
            digest = uploaded.digest if revealing(protocol.modes) else None
            request = self._request(
                SavedRequest(
                    draft.id,
                    push,
                    key,
                    digest,
                    recipe=recipe,
                    terms=None if key is None else Terms.stated(**terms),
                )
            )
            for account_id in accounts:
                yield steps.begin(f"inviting {account_id}")
                yield from Request.invite.flow(request, account_id)
            yield steps.begin("opening the request")
            yield from self._flows.requests.open(draft.id)
        except BaseException:
            with suppress(WassayError):
                yield from self._flows.requests.cancel(draft.id)
            raise
        yield steps.end()
        return request

    def load(self, path: str | Path) -> Request[R]:
        """Load a request from the file that `Request.save` wrote.

        Parameters
        ----------
        path : path

        Returns
        -------
        Request

        Raises
        ------
        InvalidArgumentError
            If the file does not contain a saved request.
        MissingFileError
            If the file does not exist.
        """
        return Request(self._service, self._identity, SavedRequest.load(path), Path(path))

    @operation
    def publish_key(self) -> Flow[str]:
        """Publish this account's encryption key, and return the key's fingerprint.

        If the reference is sealed, `ask` does this too.

        Returns
        -------
        str
            The fingerprint, to tell to sellers.
        """
        return self._identity.publish()

    def _request(self, saved: SavedRequest) -> Request[R]:
        return Request(self._service, self._identity, saved)


def _require_consent(privacy: BuyerPrivacy, protocol: Protocol) -> None:
    """Raise if a mode reveals the measure to sellers and the buyer has not consented."""
    unwanted = [] if privacy.reveals_measure else revealing(protocol.modes)
    if unwanted:
        names = " and ".join(unwanted)
        raise InvalidArgumentError(
            f"mode {names} lets accepted sellers download your pushed points, and with the "
            "reference they can compute the raw ones. If that is acceptable, pass privacy="
            "BuyerPrivacy(reveals_measure=True, max_disclosure='exact') (--reveals-measure "
            f"--max-disclosure exact); if not, leave {names} out of modes."
        )
