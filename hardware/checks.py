"""Check sums of the line protocols."""

import binascii


def crc16_ccitt_false(data: bytes) -> int:
    """CRC-16/CCITT-FALSE of the bytes, 0 to 65535: polynomial 1021, initial FFFF, not reflected.

    ``b"123456789"`` gives 29B1, the check value of the catalogue of parametrised CRC algorithms.
    """
    return binascii.crc_hqx(data, 0xFFFF)
