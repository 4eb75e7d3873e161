"""What buyers and sellers do by default, as a program for environments with few packages.

The arguments are both keys and the seller's account; the results are printed as JSON.
"""

import json
import sys

import numpy as np

import wassay

buyer_key, seller_key, seller_account = sys.argv[1:]
random = np.random.default_rng(7)
points, offered = random.normal(size=(40, 3)), random.normal(1, 1, size=(50, 3))
audits: list[str] = []

with wassay.Client(api_key=buyer_key) as buying, wassay.Client(api_key=seller_key) as selling:
    buyer = wassay.Buyer(buying, wassay.Profile("buyer.json"))
    seller = wassay.Seller(selling, wassay.Profile("seller.json"))
    seller.publish_key()
    request = buyer.ask(
        points,
        title="Three features",
        sellers=[seller_account],
        on_audit=lambda audit: audits.append(str(audit)),
    )
    request.save("request.json")
    request = buyer.load("request.json")
    seller.answer(request.id, offered, on_audit=lambda audit: audits.append(str(audit)))
    evaluation = request.evaluate()
    evaluation.wait()
    result = evaluation.result()
    together = result.estimates().grand_coalition
    assert together is not None
    evaluation.report("report.html")
    json.dump(
        {
            "distance": together.value,
            "interval": together.interval,
            "shapley": evaluation.shapley().values,
            "noisiest": len(seller.scores(evaluation.id).noisiest or []),
            "receipt": evaluation.receipt().receipt.evaluation_id,
            "seller_receipt": seller.receipt(evaluation.id).receipt.evaluation_id,
            "audits": audits,
            "loaded": sorted({name.partition(".")[0] for name in sys.modules}),
        },
        sys.stdout,
    )
