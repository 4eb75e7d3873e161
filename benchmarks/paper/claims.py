"""The paper's claims, what we find, and the sections with the evidence."""

from __future__ import annotations

import re

MATHEMATICS = "mathematics.md"

CLAIMS = (
    (
        "Ŵ is the distance if k = 1 or σ(γ) = 0 (Corollary 1)",
        "yes",
        "Readings that return the distance itself",
    ),
    ("… or if m = n", "no: four points in the plane have W = 0.2 and Ŵ = 2", MATHEMATICS),
    (
        "… or as k → ∞",
        "not up to k = 4,000 in ten dimensions",
        "σ(πγ) against the size of the reference (Corollary 2)",
    ),
    (
        "Table 1, k = 1,000",
        "with eq. 4, to 4 % on clean CIFAR-10 and MNIST",
        "Equal sizes (Table 1)",
    ),
    (
        "Table 1, k = 100 is the distance itself",
        "no: 15 to 40 % above it on clean images",
        "Equal sizes (Table 1)",
    ),
    ("faster than FedWad", "yes, 27 to 72 times", "Speed (Table 1)"),
    (
        "W(η_μ(t0), η_ν(s))² is one quadratic in s (Theorem 2)",
        "for k = 1; else mostly near one",
        "Three sources with unknown t (Theorem 2)",
    ),
    (
        "a large t costs no accuracy",
        "at equal sizes, once its error has stopped growing; at unequal ones it grows with t",
        "The push t (Theorem 3)",
    ),
    (
        "FedWad discloses the other side's data",
        "yes, all of it, exactly, from the first share on",
        "Attacks, as pictures",
    ),
    (
        "η_μ is safe, as its plan is hard to find",
        "no: whoever knows γ and t computes μ exactly",
        "Attacks, as pictures",
    ),
    (
        "scores find noisy features",
        "yes; wrong labels they do not find",
        "Noisy points, and wrong labels",
    ),
    (
        "(k + m + n) d numbers are sent",
        "for known t; γ takes a seed only; n m for each s if sellers send costs",
        "Cost of a round",
    ),
    (
        "filtering clients improves a federated model",
        "if their pixels are bad; it does harm if they have rare classes",
        "Federated learning without far clients",
    ),
    (
        "clients can be clustered",
        "if their pixels differ; labels are not seen, and alike clients lose by it",
        "Federated learning in clusters",
    ),
    (
        "useful for domain adaptation",
        "the nearest source beats a random one; pooling all is sometimes better",
        "Domain adaptation by picking sources",
    ),
)
"""Claim, finding, and the title of a section or the name of a page."""


def claims() -> str:
    """Return the section with a table of the claims."""
    lines = ["| the paper says | we find | evidence |", "| --- | --- | --- |"]
    lines += [f"| {claim} | {found} | {_link(where)} |" for claim, found, where in CLAIMS]
    return "## Claim by claim\n\n" + "\n".join(lines)


def _link(where: str) -> str:
    if where == MATHEMATICS:
        return f"[{where}]({where})"
    anchor = re.sub(r"[^\w -]", "", where.lower()).replace(" ", "-")
    return f"[{where}](#{anchor})"
