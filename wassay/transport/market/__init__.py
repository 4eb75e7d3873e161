"""A buyer and several sellers: value contributions, choose purchases, and compare sellers."""
