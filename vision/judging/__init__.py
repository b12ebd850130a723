"""How well the eye sees: the table of VISION.md 3, measured, with bounds and pictures of failures.

`python -m vision.judging PHOTOS` is the command. Everything here judges and nothing learns: no
threshold, temperature or net is chosen by what it says about photographs.
"""
