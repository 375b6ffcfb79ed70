"""Learning one table: lens, pose, colours, order of the lights."""

from calibration.learning import learn

__all__ = ["learn"]
