"""Describe data in listings: from recipes, from Croissant, and to Croissant."""

from wassay.listings.croissant_reading import CroissantError, Description, from_croissant
from wassay.listings.croissant_writing import to_croissant
from wassay.listings.data_dictionary import data_dictionary

__all__ = ["CroissantError", "Description", "data_dictionary", "from_croissant", "to_croissant"]
