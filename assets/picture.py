"""Draws the picture in docs/measured.md from the output of `nevis embed`.

    nevis embed ../shared/data/mnist_70k_pca50.parquet --out mnist.parquet
    nevis embed ../shared/data/tasic2018_12k_pca50.parquet --out tasic.parquet
    python assets/picture.py mnist.parquet tasic.parquet assets/embeddings.png

Needs pyarrow, numpy and pillow. The program draws its own pictures once the viewer is there.
"""

import sys

import numpy as np
import pyarrow.parquet as pq
from PIL import Image

SIDE = 760  # pixels of one panel, drawn at twice that and reduced
BACKGROUND = (0x0E, 0x11, 0x16)
# Okabe and Ito's colours, and two more for ten digits
PALETTE = ["#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#BBBBBB", "#8C6BB1", "#7FBC41"]


def rgb(text):
    return [int(text[i : i + 2], 16) for i in (1, 3, 5)]


def colours(table):
    if "color" in table.column_names:
        return np.array([rgb(text) for text in table["color"].to_pylist()], dtype=float)
    labels, index = np.unique(table["label"].to_numpy(zero_copy_only=False), return_inverse=True)
    return np.array([rgb(PALETTE[i % len(PALETTE)]) for i in range(len(labels))], dtype=float)[index]


def panel(path):
    table = pq.read_table(path)
    side = 2 * SIDE
    xy = np.stack([table["x"].to_numpy(), table["y"].to_numpy()], 1)
    low, high = np.percentile(xy, [0.05, 99.95], axis=0)
    scale = 0.94 * side / (high - low).max()
    pixel = ((xy - (low + high) / 2) * scale + side / 2).astype(int)
    canvas = np.zeros((side, side, 3))
    count = np.zeros((side, side, 1))
    radius = 1 if len(xy) > 30_000 else 3
    for dx in range(-radius, radius + 1):
        for dy in range(-radius, radius + 1):
            if dx * dx + dy * dy > radius * radius + 1:
                continue
            at = np.clip(pixel + [dx, dy], 0, side - 1)
            # Every point of a pixel counts the same: no colour wins by being drawn last.
            np.add.at(canvas, (at[:, 1], at[:, 0]), colours_of[path])
            np.add.at(count, (at[:, 1], at[:, 0]), 1)
    drawn = np.where(count > 0, canvas / np.maximum(count, 1), BACKGROUND)
    return Image.fromarray(drawn.astype(np.uint8)).resize((SIDE, SIDE), Image.LANCZOS)


*inputs, out = sys.argv[1:]
colours_of = {path: colours(pq.read_table(path)) for path in inputs}
picture = Image.new("RGB", (SIDE * len(inputs), SIDE), BACKGROUND)
for place, path in enumerate(inputs):
    picture.paste(panel(path), (place * SIDE, 0))
picture.quantize(200).save(out, optimize=True)
