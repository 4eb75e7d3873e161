"""Parts that the buyer's and the seller's side have in common."""
