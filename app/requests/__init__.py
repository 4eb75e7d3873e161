"""Requests: a buyer's question, its measure, and who may answer."""
