"""Prints, as JSON, whether an embedding is finite, and the root mean square distance from its centre.

    shape.py EMBEDDING DIMS
"""

import json
import sys

import numpy as np
import pyarrow.parquet as pq

file, dims = sys.argv[1], int(sys.argv[2])
columns = pq.read_table(file, columns=list("xyz")[:dims]).columns
points = np.stack([column.to_numpy() for column in columns], axis=1).astype(np.float64)
finite = bool(np.isfinite(points).all())
size = float(np.sqrt(((points - points.mean(0)) ** 2).sum(1).mean())) if finite else None
print(json.dumps({"finite": finite, "size": size}))
