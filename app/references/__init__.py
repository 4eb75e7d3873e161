"""References: the parameters of the random measure γ that a buyer and sellers share."""
