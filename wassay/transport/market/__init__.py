"""Several sellers: what each is worth to a buyer, and whom to buy from."""
