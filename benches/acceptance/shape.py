"""Prints, as JSON, whether an embedding is finite, the root mean square distance from its centre, and the normaliser of
its similarities, Z = Σ (1 + |yᵢ − yⱼ|²/α)^−α over all ordered pairs, summed exactly.

    shape.py EMBEDDING DIMS ALPHA
"""

import json
import sys

import numpy as np
import pyarrow.parquet as pq

ROWS_AT_ONCE = 256  # a block of differences stays in the cache


def exact_z(points: np.ndarray, alpha: float) -> float:
    """Every pair once, in single precision as the engine has it, added up in double."""
    points = points.astype(np.float32)
    total = 0.0
    for start in range(0, len(points), ROWS_AT_ONCE):
        block = points[start : start + ROWS_AT_ONCE]
        base = np.ones((len(block), len(points) - start), np.float32)
        for axis in range(points.shape[1]):
            difference = block[:, axis, None] - points[None, start:, axis]
            base += difference * difference / np.float32(alpha)
        weights = np.exp(-np.float32(alpha) * np.log(base)) if alpha != 1 else 1 / base
        square = weights[:, : len(block)]
        # Pairs within the block stand in it twice, each point with itself once.
        total += 2 * weights.sum(dtype=np.float64) - square.sum(dtype=np.float64) - len(block)
    return total


file, dims, alpha = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
columns = pq.read_table(file, columns=list("xyz")[:dims]).columns
points = np.stack([column.to_numpy() for column in columns], axis=1).astype(np.float64)
finite = bool(np.isfinite(points).all())
points -= points.mean(0)
size = float(np.sqrt((points**2).sum(1).mean())) if finite else None
print(json.dumps({"finite": finite, "size": size, "z": exact_z(points, alpha) if finite else None}))
