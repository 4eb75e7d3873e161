"""Convert labelled points and texts to measures."""
