"""What the camera makes of light: exposure, white balance, blur, noise, tones, JPEG."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.twin.looks import Light, Table
from hardware.twin.shade import Floats, kelvin_bgr

Picture = NDArray[np.uint8]
ELECTRONS = 48.0  # of a full pixel for each lux: a small sensor at a thirtieth of a second
FULL_WELL = 15000.0
READ_NOISE = 3.0
MOST, STEPS = 1.6, 1 << 16  # light that is told from more, white being 1, and in how many steps
STRIP = 16  # rows
# a camera is told to take less light while so much of its picture's middle is burnt out
# (`vision/cameras/metering.py`): the level, the part, how much less at a time and how often
BURNT, MARGIN, MANY, STEP, TIMES = 250, 0.15, 0.04, 2**-0.5, 4


@lru_cache(maxsize=2)
def grain(size: tuple[int, int]) -> Floats:
    """Noise with the softness that filling in the colour mosaic leaves; used in shifted pieces."""
    rng = np.random.default_rng(20)
    width, height = size
    raw = rng.standard_normal((height + 256, width + 256, 3), dtype=np.float32)
    soft = cv2.GaussianBlur(raw, (0, 0), 0.6)
    shared = soft.mean(axis=2, keepdims=True) * 1.2
    mixed = soft * 0.75 + shared
    return np.asarray(mixed / mixed.std(), dtype=np.float32)


@lru_cache(maxsize=4)
def tones() -> NDArray[np.uint8]:
    """Linear to sRGB, with a shoulder that lets highlights go softly."""
    x = np.arange(STEPS) / (STEPS - 1) * MOST
    x = np.where(x < 0.75, x, 0.75 + 0.25 * np.tanh((x - 0.75) / 0.45))
    x = np.clip(x, 0, 1)
    y = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    y = y + 0.05 * np.sin((y - 0.5) * 2 * np.pi) * 0.6  # cameras like a little contrast
    return np.clip(y * 255 + 0.5, 0, 255).astype(np.uint8)


@lru_cache(maxsize=4)
def vignette(size: tuple[int, int], strength: float) -> Floats:
    width, height = size
    x = (np.arange(width, dtype=np.float32) - width / 2) / (width / 2)
    y = (np.arange(height, dtype=np.float32) - height / 2) / (width / 2)
    square = x[None, :] ** 2 + y[:, None] ** 2
    fall = (1 / (1 + strength * 0.7 * square)) ** 1.5
    return np.repeat(fall[..., None], 3, axis=2).astype(np.float32)


def gains(light: Light) -> Floats:
    """White balance: follows the light, not all the way, and not quite right."""
    colour = light.ambient * np.array(kelvin_bgr(round(light.ambient_kelvin)))
    for lamp in light.lamps:
        share = (1 - light.ambient) * lamp.share
        colour = colour + share * np.array(kelvin_bgr(round(lamp.kelvin)))
    correction = (1 / np.maximum(colour, 0.05)) ** light.adapted
    correction /= correction[1]
    correction *= np.array([light.balance[1], 1.0, light.balance[0]])
    return correction.astype(np.float32)


def exposure(linear: Floats, light: Light) -> float:
    """As a camera meters: the middle counts more, bright spots are held back a little; and less
    than that where much of the middle would burn out, as the cameras here are told.
    """
    small = cv2.resize(linear, (64, 48), interpolation=cv2.INTER_AREA)[..., 1]
    y, x = np.mgrid[-1:1:48j, -1:1:64j]
    weights = np.exp(-1.2 * (x * x + y * y))
    mean = float((np.minimum(small, 4 * np.median(small) + 1e-6) * weights).sum() / weights.sum())
    high = float(np.percentile(small, 97))
    wanted = min(0.20 / max(mean, 1e-6), 1.15 / max(high, 1e-6))
    amount = float(wanted * 2.0**light.exposure)
    middle = np.s_[
        round(MARGIN * 48) : -round(MARGIN * 48), round(MARGIN * 64) : -round(MARGIN * 64)
    ]
    brightest = (cv2.resize(linear, (64, 48), interpolation=cv2.INTER_AREA) * gains(light)).max(
        axis=2
    )[middle]
    full = float(np.searchsorted(tones(), BURNT)) / (STEPS - 1) * MOST
    for _ in range(TIMES):
        if float((brightest * amount >= full).mean()) <= MANY:
            break
        amount *= STEP
    return amount


def develop(
    linear: Floats,
    table: Table,
    light: Light,
    seed: int,
    amount: float | None = None,
    blur: float | None = None,
) -> Picture:
    """A picture from light in lux; `amount` is a locked exposure. `linear` is used up."""
    scale = exposure(linear, light) if amount is None else amount
    balance = gains(light)
    size = (linear.shape[1], linear.shape[0])
    falling = vignette(size, table.vignetting)
    row = partial(np.tile, reps=size[0])  # a row of pixels at once is quicker than each by itself
    for part in strips(size[1]):
        own = rows(linear[part])
        own *= rows(falling[part])
        own *= row(balance * np.float32(scale))
    width = table.blur if blur is None else blur
    bloom(linear, balance)
    if width > 0.05:
        linear = cv2.GaussianBlur(linear, (0, 0), width)
    rng = np.random.default_rng([seed & 0x7FFFFFFF, 77])
    electrons = min(FULL_WELL, ELECTRONS * light.lux)
    dx, dy = (int(n) for n in rng.integers(0, 256, 2))
    field = grain(size)[dy : dy + size[1], dx : dx + size[0]]
    # photons come one by one; a channel that was raised raises its noise as well
    shot = row(balance / np.float32(electrons))
    dark = row((balance * np.float32(READ_NOISE / electrons)) ** 2)
    for part in strips(size[1]):
        own = rows(linear[part])
        spread = own * shot
        spread += dark
        np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
        own += np.multiply(spread, rows(field[part]), out=spread)
    if table.sharpening > 0:
        soft = cv2.GaussianBlur(linear, (0, 0), 1.2)
        linear = cv2.addWeighted(linear, 1 + table.sharpening, soft, -table.sharpening, 0)
    steps = np.empty(linear.shape, dtype=np.uint16)
    for part in strips(size[1]):
        own = linear[part] * np.float32((STEPS - 1) / MOST)
        steps[part] = np.clip(own, 0, STEPS - 1, out=own)
    picture: Picture = np.asarray(cv2.LUT(steps, tones()), dtype=np.uint8)
    if table.fringe > 0:
        picture = fringe(picture, table.fringe)
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, table.jpeg])
    if not done:
        raise ValueError("the picture could not be packed as JPEG")
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def rows(picture: Floats) -> Floats:
    """The same picture with its channels beside each other."""
    return picture.reshape(len(picture), -1)


def strips(height: int) -> Iterator[slice]:
    """Rows of a picture so few that what is done to them one thing after the other stays near the
    processor.
    """
    for top in range(0, height, STRIP):
        yield slice(top, top + STRIP)


def bloom(linear: Floats, full: Floats) -> None:
    """Light scattered in the lens around what is far too bright; `full` is white."""
    small = cv2.resize(linear, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    over = np.clip(small - full, 0, 6 * full)
    if float(over.max()) <= 0:
        return
    veil = cv2.GaussianBlur(over, (0, 0), 2.5) * 0.10 + cv2.GaussianBlur(over, (0, 0), 9) * 0.05
    linear += cv2.resize(veil, (linear.shape[1], linear.shape[0]), interpolation=cv2.INTER_LINEAR)


def fringe(picture: Picture, share: float) -> Picture:
    """Red a little larger, blue a little smaller than green."""
    height, width = picture.shape[:2]
    channels = list(cv2.split(picture))
    for index, factor in ((0, 1 - share), (2, 1 + share)):
        turn = np.array(
            [[factor, 0, (1 - factor) * width / 2], [0, factor, (1 - factor) * height / 2]]
        )
        channels[index] = cv2.warpAffine(
            channels[index], turn, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(cv2.merge(channels), dtype=np.uint8)
