"""The seller's side: push points, audit the push, upload and submit."""
