"""Pictures for the virtual camera: known colours left and right, a bar that counts."""

import sys
from pathlib import Path

import cv2
import numpy as np

LEFT, RIGHT = (40, 60, 200), (200, 90, 30)  # blue, green, red

for number in range(4):
    picture = np.full((960, 1280, 3), LEFT, np.uint8)
    picture[:, 640:] = RIGHT
    picture[:, 100 * number + 40 : 100 * number + 100] = 255
    cv2.imwrite(str(Path(sys.argv[1]) / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
