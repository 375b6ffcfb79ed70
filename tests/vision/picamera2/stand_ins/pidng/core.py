"""Only named while picamera2 is loaded."""


class PICAM2DNG:
    """Never made here."""
