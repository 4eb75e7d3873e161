"""Describe data for listings from a recipe or from Croissant, and write listings as Croissant."""

from wassay.listings.croissant_reading import CroissantError, Description, from_croissant
from wassay.listings.croissant_writing import to_croissant
from wassay.listings.data_dictionary import data_dictionary

__all__ = ["CroissantError", "Description", "data_dictionary", "from_croissant", "to_croissant"]
