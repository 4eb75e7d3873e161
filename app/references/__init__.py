"""References: the random measure γ that a buyer and sellers share."""
