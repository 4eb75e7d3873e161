"""A seller's process: contribute to requests, then read which points look noisy."""

import argparse
import time
from pathlib import Path

import numpy as np

from examples.digits.voice import speaker
from wassay import Client, Seller, SellerPrivacy
from wassay.models import Caps, Evaluation

POLL_SECONDS = 0.3
QUESTIONS = 60


def main() -> None:
    """Contribute to the given number of requests, and store the scores of the first one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("label")
    parser.add_argument("points", type=Path)
    parser.add_argument("noisiest", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("requests", type=int)
    arguments = parser.parse_args()
    say = speaker(arguments.label)
    points = np.load(arguments.points)
    with Client() as client:
        seller = Seller(client)
        seller.publish_key()
        # The demo's three evaluations of four sellers ask more distances than the default allows.
        client.accounts.set_caps(client.accounts.me().id, Caps(questions=QUESTIONS))
        answered: list[str] = []
        contributions: set[str] = set()
        while len(answered) < arguments.requests:
            for request in seller.open_requests():
                if request.id not in answered:
                    contribution = seller.answer(
                        request.id,
                        points,
                        mode=request.modes[0],
                        label=arguments.label,
                        # All data are the demo's own. Scores can tell the buyer the raw digits.
                        privacy=SellerPrivacy(scores="scores", max_disclosure="exact"),
                    )
                    answered.append(request.id)
                    contributions.add(contribution.id)
                    sent = "a measure" if contribution.mode == "measure" else "a cost block"
                    say(f"answers “{request.title}” with {sent} for each s")
            time.sleep(POLL_SECONDS)
        first_asked = min(answered)  # ids sort by time
        evaluation = finished_evaluation(client, first_asked)
        np.save(arguments.noisiest, seller.scores(evaluation.id).noisiest)
        (own,) = set(evaluation.contribution_ids) & contributions
        np.save(arguments.rows, seller.table_rows(own))


def finished_evaluation(client: Client, request_id: str) -> Evaluation:
    """Wait for the evaluation that uses this seller's contribution."""
    while True:
        for evaluation in client.evaluations.list(request_id):
            if evaluation.finished_at is not None:
                return evaluation
        time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main()
