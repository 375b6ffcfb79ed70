"""Stands where the preview on a Pi's own screen would be; nothing here shows a preview."""


class PixelFormat:
    """Only named while picamera2 is loaded."""

    RGB888 = BGR888 = XRGB8888 = XBGR8888 = YUV420 = YVU420 = NV12 = MJPEG = None
