"""What can go wrong with a port, each as one sentence that says what to do.

These never leave a driver as exceptions once it runs: there they become `DeviceOffline`. They do
leave `Driver.open`, where a person waits for the answer.
"""

import errno


class DeviceError(Exception):
    """Trouble with a device: `device` and `port` name it, `data` holds the bytes involved."""

    def __init__(
        self, sentence: str, *, device: str = "", port: str = "", data: bytes = b""
    ) -> None:
        """Take the sentence for the operator and what is known of the place."""
        super().__init__(sentence)
        self.device = device
        self.port = port
        self.data = data


class SettingError(DeviceError, ValueError):
    """A setting of a device is missing, unknown or out of range."""


class PortUnavailableError(DeviceError):
    """A port cannot be opened: it is not there, may not be used, or is taken."""


class PortLostError(DeviceError):
    """A port that was open went away or gives nothing any more."""


_LOOK = "run `cutcard devices` to see what is there"


def unavailable(device: str, port: str, trouble: OSError) -> PortUnavailableError:
    """Put the system's refusal to open a port into a sentence that says what to do."""
    code = trouble.errno
    words = str(trouble)
    if code in {errno.ENOENT, errno.ENXIO, errno.ENODEV} or "No such file" in words:
        sentence = f"port {port} does not exist: plug the device in, or {_LOOK}"
    elif code in {errno.EACCES, errno.EPERM}:
        sentence = f"port {port} may not be opened: add this user to its group (often dialout)"
    elif "exclusively lock" in words or code in {errno.EBUSY, errno.EAGAIN}:
        sentence = (
            f"port {port} is already in use: close the other program or table that has it open"
        )
    elif code == errno.ENOTTY or "Inappropriate ioctl" in words:
        sentence = f"{port} is not a serial port: {_LOOK}"
    elif "://" in port:
        sentence = f"{port} does not answer: check the serial server's address, power and network"
    else:
        sentence = f"port {port} cannot be opened ({words}): check the cable, or {_LOOK}"
    return PortUnavailableError(sentence, device=device, port=port)


def lost(device: str, port: str, trouble: OSError) -> PortLostError:
    """Put the end of an open port into a sentence that says what to do."""
    if "returned no data" in str(trouble):
        # Both causes look the same from here (pyserial issues 341, 86, 331).
        sentence = (
            f"port {port} gives no data: the device was unplugged, or a second program reads it"
        )
    elif "timeout" in str(trouble).lower():
        sentence = f"port {port} takes no data: the device hangs; switch it off and on"
    elif "://" in port:
        sentence = f"the connection to {port} ended: check the serial server and the network"
    else:
        sentence = f"port {port} went away: check the cable and the device's power"
    return PortLostError(sentence, device=device, port=port)
