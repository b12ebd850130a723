"""The pure machine of one table: state, sensing, policy, decide, evolve, explain, ledger, views."""
