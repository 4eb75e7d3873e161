"""The route of an evaluation's report."""

from fastapi.responses import HTMLResponse

from wassay.report import CONTENT_SECURITY_POLICY, render

from ...accounts.authentication import AuthenticatedRoute, Buyer
from ...arrays.dependencies import StoreDependency
from ...http.dependencies import DatabaseDependency
from ...http.documentation import problems
from ...http.parameters import PathId
from ...http.problems import NotFound
from ...http.resource_router import ResourceRouter
from ..problems import EvaluationNotFinished, EvaluationWithoutResult
from .report import read_report

router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/evaluations/{evaluation_id}/report",
    tags=["evaluations"],
)

HEADERS = {
    "Content-Security-Policy": f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@router.get(
    "",
    response_class=HTMLResponse,
    responses=problems(NotFound, EvaluationNotFinished, EvaluationWithoutResult),
)
def read_evaluation_report(
    evaluation_id: PathId, caller: Buyer, database: DatabaseDependency, store: StoreDependency
) -> HTMLResponse:
    """Read the whole evaluation as one self-contained page for people, ready to print.

    The page shows the distances of the uploaded points; the page of `wassay report`, those of the
    raw data.
    """
    with database.snapshot() as session:
        report = read_report(session, store, caller, evaluation_id)
    return HTMLResponse(render(report), headers=HEADERS)
