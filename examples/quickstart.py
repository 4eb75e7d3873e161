"""Estimate how near a seller's data are to the buyer's, and which of the points are noise."""

import os

import numpy as np

from wassay import Buyer, Client, Seller, SellerPrivacy

random = np.random.default_rng(7)
needed = random.normal(0.0, 1.0, size=(150, 8))  # the buyer's validation points
offered = random.normal(0.5, 1.0, size=(200, 8))  # a seller's data, ...
offered[:10] += random.normal(0.0, 6.0, size=(10, 8))  # ... ten points of which are noise

buyer = Client(api_key=os.environ["BUYER_KEY"])  # both read WASSAY_URL
seller = Client(api_key=os.environ["SELLER_KEY"])
Seller(seller).publish_key()  # in real life, the seller runs on another machine

# `ask` pushes the points to a secret t0 and rotates them secretly. The seller needs the key of the
# rotation, to rotate alike: `ask` seals the key so that only the seller can open it.
request = Buyer(buyer).ask(
    needed, title="Eight features near zero", sellers=[seller.accounts.me().id]
)
# `answer` opens the key, and sends the seller's points, pushed to each s of the sweep and rotated
# alike. No raw point leaves.
Seller(seller).answer(
    request.id, offered, label="half a unit away", privacy=SellerPrivacy(scores="ranks")
)

evaluation = request.evaluate().wait(progress=True)
print(evaluation.result().estimates())  # a table: distance, verdict, ...

print("most like noise:", Seller(seller).scores(evaluation.id).noisiest)
