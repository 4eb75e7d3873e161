"""What the buyer's and the seller's side share."""
