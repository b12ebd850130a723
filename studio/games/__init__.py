"""The games: each a procedure that reads like its rule book."""
