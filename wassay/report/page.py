"""The page: what a report holds, laid out as HTML that loads nothing and runs nothing."""

import base64
import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from wassay import models
from wassay.report.certificates import proofs_of
from wassay.report.content import Report
from wassay.report.histograms import histograms_of
from wassay.report.numbers import scientific, whole
from wassay.report.panels import panels_of
from wassay.report.sellers import rows_of
from wassay.report.shown import shown_of
from wassay.report.solved import middle, solved_distances

STYLE = (files("wassay.report") / "templates" / "style.css").read_text(encoding="utf-8")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'"
)
"""Nothing is loaded, sent or run, whatever a title or a label might smuggle in."""


def render(report: Report) -> str:
    """Lay a report out.

    Returns
    -------
    str
        A whole HTML document. What parties wrote is escaped, and the document forbids itself to
        load or run anything.
    """
    s = middle(report.result.sweep)
    is_noised = isinstance(report.result, models.NoisedResult)
    distances = (
        solved_distances(report.result, s) if report.pushed is None else report.pushed.distances
    )
    histograms, not_drawn = histograms_of(report)
    proofs = [] if isinstance(report.result, models.NoisedResult) else proofs_of(report.result)
    rows = rows_of(report, distances)
    is_by_scalars = any(row.is_unverified for row in rows)
    page = _templates().get_template("page.html")
    return str(
        page.render(
            report=report,
            request=report.request,
            reference=report.reference,
            evaluation=report.evaluation,
            result=report.result,
            receipt=report.receipt,
            is_noised=is_noised,
            is_by_scalars=is_by_scalars,
            looked=not is_noised and not is_by_scalars,
            has_changes=any(row.change is not None for row in rows),
            s=s,
            rows=rows,
            drawn=panels_of(report, distances),
            histograms=histograms,
            not_drawn=not_drawn,
            proofs=proofs,
            evaluated=_moment(report.evaluation.finished_at or report.evaluation.created_at),
            weakest=scientific(max((proof.relative_gap for proof in proofs), default=0.0)),
            findings=[]
            if isinstance(report.result, models.NoisedResult)
            else report.result.findings,
            shown=shown_of(report),
            style=Markup(STYLE),  # noqa: S704 - ours, with nothing of anybody else's in it
            policy=CONTENT_SECURITY_POLICY,
        )
    )


def _moment(time: datetime) -> str:
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("wassay.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["scientific"] = scientific
    environment.filters["whole"] = whole
    return environment
