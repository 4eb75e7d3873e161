"""References: the parameters of the random measure γ, which a buyer and the sellers share."""
