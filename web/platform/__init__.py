"""The interface for betting platforms, `/api/v1` (CONTRACTS.md 8)."""
