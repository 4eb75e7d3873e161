"""The rules of contributions: how an answer begins, is submitted, declined or withdrawn."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES

from ..accounts.authentication import Principal
from ..accounts.models import Account
from ..kit.pagination import PageQuery, page
from ..kit.problems import NotFound
from ..listings.repository import own_listing
from ..requests.access import grant_read, lock_contributable_request, require_open, visible_request
from ..requests.disclosures import record_measure_access
from ..requests.models import Request
from . import repository
from .access import own_contribution, visible_contribution
from .caps import caps_of, require_measure
from .models import Contribution
from .modes.mode import ContributionMode
from .modes.registry import mode_of
from .presentation import contribution_to_wire
from .problems import (
    AlreadyContributed,
    ContributionEnded,
    ContributionNotDraft,
    ContributionUsed,
    ModeNotOffered,
    NoScoresWithNoise,
    WrongMode,
)
from .schemas import NewContribution, Refusal, Submission


def create_contribution(
    session: Session, caller: Principal, request_id: str, new: NewContribution
) -> wire.Contribution:
    """Begin an answer.

    Raises
    ------
    NotFound
        If the caller sees no such request, or has no such listing.
    RequestNotOpen, NotInvited
        If the request takes no answers, or none from the caller.
    ModeNotOffered
        If it takes none of this mode.
    NoScoresWithNoise
        If scores are to be shown of a request whose answers carry noise.
    CapExceeded
        If the caps of the caller's own dataset refuse the buyer's measure.
    AlreadyContributed
        If the caller has an answer to it that was not withdrawn.
    """
    request = lock_contributable_request(session, caller, request_id)
    _check_mode(request, new.mode)
    _check_scores(request, new.score_policy)
    live = repository.live_of(session, request_id, caller.account_id)
    if live is not None:
        raise AlreadyContributed(
            f"You have answered request {request_id} with {live.id}, which is {live.state}; "
            "go on with that one, or withdraw it first.",
            received=live.id,
        )
    account = session.get_one(Account, caller.account_id)
    listing = None
    if new.listing_id:
        listing = own_listing(session, caller.account_id, new.listing_id)
        if listing is None:
            raise NotFound(f"You have no listing {new.listing_id}.", received=new.listing_id)
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
        compared=new.compared,
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
    """Return a page of the answers to a request: all to its buyer, to a seller their own.

    Raises
    ------
    NotFound
        If the caller sees no such request.
    """
    visible_request(session, caller, request_id)
    rows = repository.visible_to(caller.account_id).where(Contribution.request_id == request_id)
    return page(
        session, rows, Contribution, query, lambda row: contribution_to_wire(row, caller.account_id)
    )


def read_contribution(
    session: Session, caller: Principal, contribution_id: str
) -> wire.Contribution:
    """Return a contribution that the caller may see.

    Raises
    ------
    NotFound
        If there is none such.
    """
    contribution = visible_contribution(session, caller, contribution_id)
    return contribution_to_wire(contribution, caller.account_id)


def submit_contribution(
    session: Session, caller: Principal, contribution_id: str, submission: Submission
) -> wire.Contribution:
    """Submit an answer: from then on it does not change.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen
        If it, or its request, takes no changes.
    ArraysMissing, ScalarsMissing
        If an s of the sweep has no array, or there are no scalars.
    WeightsDiffer
        If the points are not weighed alike at every s.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_draft(contribution)
    require_open(contribution.request)
    mode_of(contribution.mode).require_complete(contribution)
    contribution.state = "submitted"
    contribution.projection_spread = submission.projection_spread
    return _changed(session, contribution, caller)


def decline(
    session: Session, caller: Principal, contribution_id: str, refusal: Refusal
) -> wire.Contribution:
    """Turn a draft into the answer that there will be none, and why.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft
        If it is not a draft.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_draft(contribution)
    _forget_data(session, contribution)
    contribution.state = "declined"
    contribution.decline_reason = refusal.reason
    grant_read(session, contribution.request, caller.account_id, measure=False)
    return _changed(session, contribution, caller)


def withdraw(session: Session, caller: Principal, contribution_id: str) -> wire.Contribution:
    """Take an answer back, and forget its data; withdrawing again changes nothing.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionEnded
        If it was declined.
    ContributionUsed
        If an evaluation uses it that waits, runs or has succeeded.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    if contribution.state == "withdrawn":
        return contribution_to_wire(contribution, caller.account_id)
    if contribution.state == "declined":
        raise ContributionEnded(
            f"Contribution {contribution_id} is declined; a draft or a submitted one can be "
            "withdrawn.",
            expected=["draft", "submitted"],
            received=contribution.state,
        )
    if contribution.used_at is not None:
        raise ContributionUsed(
            f"An evaluation uses contribution {contribution_id} since "
            f"{contribution.used_at.isoformat()}; it can be withdrawn only if that fails or is "
            "cancelled."
        )
    _forget_data(session, contribution)
    contribution.state = "withdrawn"
    grant_read(session, contribution.request, caller.account_id, measure=False)
    return _changed(session, contribution, caller)


def require_draft(contribution: Contribution) -> None:
    """Let only changes of a draft pass.

    Raises
    ------
    ContributionNotDraft
        If it was submitted, declined or withdrawn.
    """
    if contribution.state != "draft":
        raise ContributionNotDraft(
            f"Contribution {contribution.id} is {contribution.state}; only a draft can change.",
            expected="draft",
            received=contribution.state,
        )


def require_uploadable(contribution: Contribution, mode: ContributionMode) -> None:
    """Let only what a draft of an open request may hold pass.

    Raises
    ------
    ContributionNotDraft, RequestNotOpen
        If the contribution, or its request, takes no changes.
    WrongMode
        If the contribution answers in another mode.
    """
    require_draft(contribution)
    require_open(contribution.request)
    if contribution.mode != mode.name:
        raise WrongMode(
            f"Contribution {contribution.id} answers by {contribution.mode}; upload to "
            f"/v1/contributions/{contribution.id}/{mode_of(contribution.mode).upload_path}.",
            expected=contribution.mode,
            received=mode.name,
        )


def _forget_data(session: Session, contribution: Contribution) -> None:
    """Refer no longer to what was sent: its bytes are cleared away some days later."""
    for array in contribution.arrays:
        session.delete(array)
    session.expire(contribution, ["arrays"])
    contribution.scalars = None


def _check_mode(request: Request, mode: wire.Mode) -> None:
    if mode not in request.modes:
        raise ModeNotOffered(
            f"Request {request.id} takes answers by {' or '.join(request.modes)}; received {mode}.",
            expected=request.modes,
            received=mode,
        )


def _check_scores(request: Request, policy: wire.ScorePolicy) -> None:
    if request.epsilon is not None and policy != "none":
        raise NoScoresWithNoise(
            f"Answers to request {request.id} carry noise, which scores would undo: none are "
            f"computed. Answer with the score_policy none; received {policy}.",
            expected="none",
            received=policy,
        )


def _changed(session: Session, contribution: Contribution, caller: Principal) -> wire.Contribution:
    session.flush()
    return contribution_to_wire(contribution, caller.account_id)
