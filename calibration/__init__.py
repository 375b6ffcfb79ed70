"""Learning one table: lens, pose, colours, order of the lights."""
