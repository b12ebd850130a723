"""The exact mathematics of the games: probabilities, returns and house edges of every bet.

Nothing here is a stored answer. Each figure is worked out from the rules that are given, with the
game's own functions for who draws and what is paid, so a changed rule gives its own right number.
"""
