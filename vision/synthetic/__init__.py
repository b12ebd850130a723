"""A synthetic camera: felt, cards, hands and light, rendered, compressed and read like real ones.

The deck, its index letters, pips, courts and back are drawn by the code of this package alone and
have no part in training the reader.
"""
