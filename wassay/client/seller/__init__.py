"""The seller's side: push points, audit, upload and submit them."""
