"""Makes a data set of another, or by a seed; in a process of its own, as numpy and pyarrow are large.

    derive.py head FILE ROWS OUT      the first rows of a file
    derive.py pca FILE DIMS OUT       its rows projected on DIMS principal components, as nevis does by default
    derive.py blobs ROWS OUT          overlapping blobs, as `nevis experiment` makes them
    derive.py copies FILE TIMES OUT   a file several times, each value moved by noise of its own: no row is twice there
    derive.py rows FILE               prints the number of rows
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 42
BLOB_CENTRES, BLOB_DIMS, BLOB_SPREAD = 5, 32, np.float32(2)  # src/commands/experiment/sets.rs
ROWS_AT_ONCE = 250_000
NOISE = 2.0  # standard deviation that moves a pixel of 0…255, where neighbouring patches differ by more


def read_vectors(file: Path) -> np.ndarray:
    column = pq.read_table(file, columns=["vector"])["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)


def table(vectors: np.ndarray) -> pa.Table:
    values = pa.array(vectors.ravel())
    return pa.table({"vector": pa.FixedSizeListArray.from_arrays(values, vectors.shape[1])})


def head(source: Path, rows: int) -> list[np.ndarray]:
    return [read_vectors(source)[:rows]]


def pca(source: Path, dims: int) -> list[np.ndarray]:
    vectors = read_vectors(source).astype(np.float64)
    vectors -= vectors.mean(0)
    axes = np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1][:, :dims]
    return [(vectors @ axes).astype(np.float32)]


def copies(source: Path, times: int) -> Iterable[np.ndarray]:
    vectors = read_vectors(source)
    random = np.random.default_rng(SEED)
    for _ in range(times):
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            block = vectors[start : start + ROWS_AT_ONCE].astype(np.float32)
            yield block + np.float32(NOISE) * random.standard_normal(block.shape, np.float32)


def blobs(rows: int) -> list[np.ndarray]:
    """Five Gaussian blobs within each other, blob by blob in turn: value for value those of the experiments."""
    places = np.arange(rows, dtype=np.uint32)
    centres = normals(0, places % BLOB_CENTRES)
    return [centres + BLOB_SPREAD * normals(1, places)]


def normals(kind: int, points: np.ndarray) -> np.ndarray:
    """Normal numbers as a hash of seed, kind, point and axis: the twin of `embedding::random`."""
    axes = np.arange(BLOB_DIMS, dtype=np.uint32)

    def draw(half: int) -> np.ndarray:
        of_kind = pcg(np.uint32(kind) + pcg(np.array([SEED], np.uint32)))
        hashed = pcg(np.uint32(2) * axes + np.uint32(half) + pcg(points[:, None] + of_kind))
        return (hashed >> np.uint32(8)).astype(np.float32) * np.float32(2**-24)

    return np.sqrt(np.float32(-2) * np.log(np.float32(1) - draw(0))) * np.cos(np.float32(2 * np.pi) * draw(1))


def pcg(value: np.ndarray) -> np.ndarray:
    state = value * np.uint32(747_796_405) + np.uint32(2_891_336_453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277_803_737)
    return (word >> np.uint32(22)) ^ word


def write(blocks: Iterable[np.ndarray], out: Path) -> None:
    partial = out.with_suffix(".partial")  # a file that is there is whole
    writer = None
    for block in blocks:
        rows = table(block)
        writer = writer or pq.ParquetWriter(partial, rows.schema, compression="zstd")
        writer.write_table(rows)
    writer.close()
    os.replace(partial, out)


def main() -> None:
    kind, *words = sys.argv[1:]
    if kind == "rows":
        print(pq.read_metadata(words[0]).num_rows)
    elif kind == "blobs":
        write(blobs(int(words[0])), Path(words[1]))
    elif kind in (kinds := {"head": head, "pca": pca, "copies": copies}):
        write(kinds[kind](Path(words[0]), int(words[1])), Path(words[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
