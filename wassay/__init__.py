"""Measure how much a seller's data resembles the data a buyer needs."""
