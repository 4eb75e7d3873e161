"""Accounts, their API keys and their encryption keys."""
