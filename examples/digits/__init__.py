"""Demo: find the seller with the digits that a buyer needs (`python -m examples.digits`)."""
