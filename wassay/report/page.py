"""Render a report as one HTML page that has no scripts and loads nothing."""

import base64
import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from wassay import models
from wassay.report.advice import advise
from wassay.report.certificates import certificate_rows
from wassay.report.coverage import coverage_rows
from wassay.report.curve_plots import curve_plots
from wassay.report.disclosures import disclosure_groups
from wassay.report.histograms import histograms_of, label_findings, named_points
from wassay.report.nearness_picture import nearness_picture
from wassay.report.number_format import scientific, whole
from wassay.report.report import Report
from wassay.report.sellers import seller_rows, sorted_by_distance
from wassay.report.uploaded_distances import middle, uploaded_distances

STYLE = (files("wassay.report") / "templates" / "style.css").read_text(encoding="utf-8")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'"
)
"""The page's policy. It forbids loading, sending and running what a label could inject."""


def render(report: Report) -> str:
    """Render a report as an HTML document.

    Texts that other parties wrote are escaped, and the document's policy forbids loading and
    running anything.

    Parameters
    ----------
    report : Report

    Returns
    -------
    str
        The HTML document.
    """
    s = middle(report.result.sweep)
    is_noised = isinstance(report.result, models.NoisedResult)
    distances = (
        uploaded_distances(report.result, s) if report.private is None else report.private.distances
    )
    report = sorted_by_distance(report, distances)
    histograms, not_plotted = histograms_of(report)
    certificates = (
        []
        if isinstance(report.result, models.NoisedResult)
        else certificate_rows(report.result, report.labels)
    )
    rows = seller_rows(report, distances)
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
            examined=not is_noised and not is_by_scalars,
            is_scaled=any(row.scaled is not None for row in rows),
            has_verdicts=any(row.verdict is not None for row in rows),
            has_changes=any(row.change is not None for row in rows),
            s=s,
            advice=advise(report, distances),
            picture=nearness_picture(report, distances),
            coverage=coverage_rows(report),
            rows=rows,
            curves=curve_plots(report, distances),
            histograms=histograms,
            not_plotted=not_plotted,
            named=named_points(report),
            wrong_labels=label_findings(report),
            certificates=certificates,
            evaluated=_moment(report.evaluation.finished_at or report.evaluation.created_at),
            findings=[]
            if isinstance(report.result, models.NoisedResult)
            else report.result.findings,
            disclosures=disclosure_groups(report),
            style=Markup(STYLE),  # noqa: S704 - our own, constant text
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
