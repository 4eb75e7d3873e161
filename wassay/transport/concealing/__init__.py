"""Secret maps that conceal pushed points: an isometry, and a projection to fewer dimensions."""
