"""A buyer and several sellers: valuation of contributions, purchases, comparison of sellers."""
