"""What moving mass costs: between points, as given, of several sellers; how rounding moves it."""
