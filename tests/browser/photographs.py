"""Photographs of components, compared with those of ``tests/browser/photographs``.

Versions of Chromium draw edges and letters differently by a pixel. So photographs are kept and
compared at an eighth of their size, where each pixel is the average of 64, and a few may differ.
``make photographs`` takes new ones.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageOps

FOLDER = Path(__file__).with_name("photographs")

_SCALE = 8  # pixels on a side that are averaged
_BITS = 5  # of each channel in a stored photograph: small files, errors below the tolerance
_TOLERANCE = 16  # of 255, in any channel of a pixel that counts as the same
_SHARE = 0.01  # of the pixels that may differ
_HEIGHT = 2  # pixels of the small picture by which heights may differ

IS_RENEWING = os.environ.get("PHOTOGRAPHS") == "renew"


def difference(png: bytes, name: str, pictures: Path) -> str:
    """Return how a photograph differs from the stored one; empty if it does not.

    Args:
        png: the photograph.
        name: of the stored one.
        pictures: folder for a picture of the differences.
    """
    found = _small(png)
    path = FOLDER / f"{name}.png"
    if IS_RENEWING:
        FOLDER.mkdir(exist_ok=True)
        ImageOps.posterize(found, _BITS).save(path, optimize=True)
        return ""
    if not path.exists():
        return f"{name}: there is no such photograph; make photographs takes it"
    known = Image.open(path).convert("RGB")
    if found.width != known.width or abs(found.height - known.height) > _HEIGHT:
        return f"{name}: {_size(found)} instead of {_size(known)}"
    box = (0, 0, known.width, min(found.height, known.height))
    unlike = ImageChops.difference(found.crop(box), known.crop(box))
    differs = np.asarray(unlike).max(axis=2) > _TOLERANCE
    share = float(differs.mean())
    if share <= _SHARE:
        return ""
    shown = Image.fromarray(np.where(differs, 0, 255).astype(np.uint8))
    shown.resize((4 * shown.width, 4 * shown.height), Image.Resampling.NEAREST).save(
        pictures / f"differs-{name}.png"
    )
    return f"{name}: {100 * share:.1f} % of it differs, black in differs-{name}.png"


def _small(png: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    width, height = (max(1, length // _SCALE) for length in picture.size)
    whole = picture.crop((0, 0, width * _SCALE, height * _SCALE))
    return whole.resize((width, height), Image.Resampling.BOX)


def _size(picture: Image.Image) -> str:
    return f"{_SCALE * picture.width} x {_SCALE * picture.height} pixels"
