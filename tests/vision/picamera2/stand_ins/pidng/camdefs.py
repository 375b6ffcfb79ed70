"""Only named while picamera2 is loaded."""


class Picamera2Camera:
    """Never made here."""
