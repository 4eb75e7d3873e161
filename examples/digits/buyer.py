"""The buyer's process: send three requests, wait for the sellers, evaluate, read the results."""

import argparse
import json
import secrets
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from examples.digits.voice import speaker
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Estimates,
    Normal,
    Protocol,
    Reference,
    Result,
    SellerEstimate,
)
from wassay.audit import Audit

T0 = 0.35
PAPER_REFERENCE_SIZE = 20
SELLER_SECONDS = 60
SUSPECT = "noisy 0–4"


def main() -> None:
    """Send the requests, evaluate and print; write the estimates to a file for the check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("points", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("estimates", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("sellers", nargs="+")
    arguments = parser.parse_args()
    say = speaker("buyer")
    points = np.load(arguments.points)
    dimension = points.shape[1]

    def reference(size: int) -> Reference:
        return Reference(size, dimension, Normal(), seed=secrets.randbits(128))

    audits: list[Audit] = []
    with Client() as client:
        say(f"asks three times, and invites {len(arguments.sellers)} sellers")
        buyer = Buyer(client)
        # The first two requests have the same reference of one point, so their results must agree.
        one_point = reference(1)
        requests = {
            "measure": buyer.ask(
                points,
                title="Digits 0–4, by measures",
                sellers=arguments.sellers,
                protocol=Protocol(t0=T0, reference=one_point),
                on_audit=audits.append,
            ),
            "cost-block": buyer.ask(
                points,
                title="Digits 0–4, by cost blocks",
                sellers=arguments.sellers,
                privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
                protocol=Protocol(t0=T0, reference=one_point, modes=["cost-block"]),
            ),
            "paper": buyer.ask(
                points,
                title="Digits 0–4, the paper's reference",
                sellers=arguments.sellers,
                protocol=Protocol(t0=T0, reference=reference(PAPER_REFERENCE_SIZE)),
            ),
        }
        for request in requests.values():
            request.wait_for(len(arguments.sellers), timeout=SELLER_SECONDS)
        say("has all answers; evaluates")
        evaluations = {name: request.evaluate() for name, request in requests.items()}
        results = {name: each.wait().result() for name, each in evaluations.items()}
        suspect = next(
            seller for seller in results["measure"].document.sellers if seller.label == SUSPECT
        )
        receipt = evaluations["measure"].receipt()
        (arguments.output / "receipt.json").write_bytes(receipt.content)
        page = arguments.output / "report.html"
        page.unlink(missing_ok=True)  # of the demo before
        evaluations["measure"].report(page)
        scores = evaluations["measure"].scores_at_t0(suspect.contribution_id)
        np.save(arguments.scores, scores.values)

    estimates = {name: result.estimates() for name, result in results.items()}
    distances = {  # without coverage, whose sets of sellers JSON cannot hold
        name: asdict(replace(each, coverage=None)) for name, each in estimates.items()
    }
    arguments.estimates.write_text(json.dumps(distances))
    results["measure"].plot(arguments.output / "distance-curve.png")
    (arguments.output / "result.json").write_text(results["measure"].to_json())
    print(f"\nWhat the buyer's SDK found before it sent anything\n\n{audits[0]}")
    report(results, estimates)


def report(results: dict[str, Result], estimates: dict[str, Estimates]) -> None:
    """Print what the buyer learns."""
    measured, blocked = estimates["measure"], estimates["cost-block"]
    print(f"\nWhat the buyer sees, at a private t0 = {T0} that was never sent\n")
    print(measured)
    difference = max(
        abs(ours.singleton.value - theirs.singleton.value)
        for ours, theirs in zip(by_label(measured), by_label(blocked), strict=True)
    )
    certificate = results["measure"].certificate
    if measured.grand_coalition is None or blocked.grand_coalition is None or certificate is None:
        raise SystemExit("only answers by scalars come without an aggregate and a certificate")
    difference = max(
        difference, abs(measured.grand_coalition.value - blocked.grand_coalition.value)
    )
    timing = results["measure"].document.timing
    print(f"\nMeasures and cost blocks differ by at most {difference:.1e}.")
    if difference > 1e-9:
        raise SystemExit("measures and cost blocks must agree to 1e-9")
    print(
        f"Worst certificate of {solves(results['measure'])} solves: W² ∈ "
        f"[{certificate.dual:.12g}, {certificate.primal:.12g}], gap {certificate.gap:.1e}, "
        f"by {certificate.solver} {certificate.solver_version}."
    )
    print(f"Waited {timing.waiting:.2f} s, solved and scored in {timing.solving:.2f} s.")


def by_label(estimates: Estimates) -> list[SellerEstimate]:
    """Sort the sellers of a result by label."""
    return sorted(estimates.sellers, key=lambda seller: seller.label)


def solves(result: Result) -> int:
    """Count the transport problems behind a result."""
    curves = 1 + sum(1 + (seller.leave_one_out is not None) for seller in result.document.sellers)
    return curves * len(result.document.sweep)


if __name__ == "__main__":
    main()
