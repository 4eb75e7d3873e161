"""Create, submit and decline contributions."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES

from ..accounts.models import Account
from ..accounts.principal import Principal
from ..arrays.deletion import schedule_deletion
from ..arrays.store import ArrayStore
from ..http.missing import missing
from ..http.pagination import PageQuery, page
from ..listings.repository import own_listing
from ..requests.access import grant_read, lock_contributable_request, visible_request
from ..requests.disclosures import record_measure_access
from ..requests.models import Request
from ..requests.states import require_open
from . import repository
from .access import own_contribution, visible_contribution
from .caps import caps_of, require_measure
from .distinct_places import buyer_places
from .models import Contribution
from .modes.mode import ContributionMode
from .modes.registry import mode_of
from .presentation import contribution_to_wire
from .problems import (
    AlreadyContributed,
    ContributionNotDraft,
    ModeNotOffered,
    NoScoresWithNoise,
    WrongMode,
)
from .schemas import NewContribution, Refusal, Submission

_REMEDIES = {
    "draft": "Continue with that draft, or withdraw it first.",
    "submitted": "Withdraw it first.",
    "declined": "A refusal is final: ask the buyer for another request.",
}
"""Advice to a seller who already has a contribution to the request, keyed by its state."""
_USED = "An evaluation has used it, so it stays: ask the buyer for another request."


def create_contribution(
    session: Session, caller: Principal, request_id: str, new: NewContribution
) -> wire.Contribution:
    """Create a contribution as a draft.

    Raises
    ------
    NotFound
        If there is no such request that the caller may see, or the caller has no such listing.
    RequestNotOpen, NotInvited
        If the request is not open, or the caller is not invited.
    ModeNotOffered
        If the request does not accept contributions in this mode.
    NoScoresWithNoise
        If the draft allows scores, but results of the request carry noise.
    CapExceeded
        If the caps of the caller's dataset forbid the buyer's measure (`require_measure`).
    AlreadyContributed
        If the caller already has an unwithdrawn contribution to the request.
    """
    request = lock_contributable_request(session, caller, request_id)
    _check_mode(request, new.mode)
    _check_scores(request, new.score_policy)
    live = repository.live_of(session, request_id, caller.account_id)
    if live is not None:
        raise AlreadyContributed(
            f"Expected no other contribution to request {request_id}; you already have {live.id}, "
            f"which is {live.state}. {_USED if live.used_at else _REMEDIES[live.state]}",
            received=live.id,
        )
    account = session.get_one(Account, caller.account_id)
    listing = None
    if new.listing_id:
        listing = own_listing(session, caller.account_id, new.listing_id)
        if listing is None:
            raise missing("listing", new.listing_id)
    if request.measure is not None:
        dataset = caller.account_id if listing is None else listing.id
        require_measure(caps_of(account, listing), request.measure, dataset)
    contribution = Contribution(
        request=request,
        account=account,
        listing=listing,
        state="draft",
        mode=new.mode,
        label=new.label or caller.name,
        score_policy=new.score_policy,
        allows_comparison=new.allows_comparison,
        sampled_from=new.sampled_from,
        arrays=[],
    )
    session.add(contribution)
    grant_read(session, request, caller.account_id, measure=MODES[new.mode].reveals_measure)
    session.flush()
    if MODES[new.mode].reveals_measure:
        record_measure_access(session, request, caller.account_id)
    return contribution_to_wire(contribution, caller.account_id)


def list_contributions(
    session: Session, caller: Principal, request_id: str, query: PageQuery
) -> wire.Page[wire.Contribution]:
    """Return a page of the contributions to a request; a seller gets only their own.

    Raises
    ------
    NotFound
        If there is no such request, or the caller may not see it.
    """
    visible_request(session, caller, request_id)
    rows = repository.visible_to(caller.as_buyer, caller.as_seller).where(
        Contribution.request_id == request_id
    )
    return page(
        session, rows, Contribution, query, lambda row: contribution_to_wire(row, caller.as_seller)
    )


def read_contribution(
    session: Session, caller: Principal, contribution_id: str
) -> wire.Contribution:
    """Return a contribution that the caller may see.

    Raises
    ------
    NotFound
        If there is no such contribution, or the caller may not see it.
    """
    contribution = visible_contribution(session, caller, contribution_id)
    return contribution_to_wire(contribution, caller.as_seller)


def submit_contribution(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    contribution_id: str,
    submission: Submission,
) -> wire.Contribution:
    """Submit a draft. From then on, the contribution cannot change.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen
        If the contribution is not a draft, or its request is not open.
    ArraysMissing, ScalarsMissing
        If an upload is missing.
    WeightsDiffer
        If the weights differ between values of s.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_draft(contribution)
    require_open(contribution.request)
    mode_of(contribution.mode).require_complete(contribution)
    contribution.state = "submitted"
    contribution.projection_spread = submission.projection_spread
    contribution.buyer_places = buyer_places(contribution, store)
    return _flushed(session, contribution, caller)


def decline(
    session: Session, caller: Principal, contribution_id: str, refusal: Refusal
) -> wire.Contribution:
    """Decline a request: turn the draft into a refusal, and delete its uploads.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft
        If the contribution is not a draft.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_draft(contribution)
    discard_uploads(session, contribution)
    contribution.state = "declined"
    contribution.decline_reason = refusal.reason
    grant_read(session, contribution.request, caller.account_id, measure=False)
    return _flushed(session, contribution, caller)


def require_draft(contribution: Contribution) -> None:
    """Raise unless a contribution is a draft.

    Raises
    ------
    ContributionNotDraft
        If the contribution was submitted, declined or withdrawn.
    """
    if contribution.state != "draft":
        raise ContributionNotDraft(
            f"Expected contribution {contribution.id} to be a draft; it is {contribution.state} "
            "and cannot change. To send other data, withdraw it and contribute again.",
            expected="draft",
            received=contribution.state,
        )


def require_uploadable(contribution: Contribution, mode: ContributionMode) -> None:
    """Raise unless the contribution accepts an upload in this mode.

    Raises
    ------
    ContributionNotDraft, RequestNotOpen
        If the contribution is not a draft, or its request is not open.
    WrongMode
        If the contribution is in another mode.
    """
    require_draft(contribution)
    require_open(contribution.request)
    if contribution.mode != mode.name:
        raise WrongMode(
            f"Expected an upload in mode {contribution.mode}; received one in mode {mode.name}. "
            "Upload to "
            f"/v1/contributions/{contribution.id}/{mode_of(contribution.mode).upload_path}.",
            expected=contribution.mode,
            received=mode.name,
        )


def discard_uploads(session: Session, contribution: Contribution) -> None:
    """Delete a contribution's uploads, its projection spread and its `buyer_places`.

    The caller has checked that no evaluation has used the contribution.
    """
    for array in contribution.arrays:
        schedule_deletion(session, array.digest)
        session.delete(array)
    session.expire(contribution, ["arrays"])
    contribution.scalars = None
    contribution.projection_spread = None
    contribution.buyer_places = None


def _check_mode(request: Request, mode: wire.Mode) -> None:
    if mode not in request.modes:
        raise ModeNotOffered(
            f"Expected mode {' or '.join(request.modes)} for request {request.id}; received "
            f"{mode}.",
            expected=request.modes,
            received=mode,
        )


def _check_scores(request: Request, policy: wire.ScorePolicy) -> None:
    if request.epsilon is not None and policy != "none":
        raise NoScoresWithNoise(
            f"Expected score_policy none for request {request.id}; received {policy}. The "
            "request's results carry noise, which scores would undo.",
            expected="none",
            received=policy,
        )


def _flushed(session: Session, contribution: Contribution, caller: Principal) -> wire.Contribution:
    session.flush()
    return contribution_to_wire(contribution, caller.account_id)
