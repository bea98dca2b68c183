"""Prints the recall of lists of neighbours: the share of the K nearest others that is in them.

    recall.py DATA LISTS K        LISTS: Parquet with a column `neighbours`, by nevis or a peer

One judge for everybody: the same seeded queries, an exact search in double precision; a tie with the K-th counts.
"""

import sys

import numpy as np
import pyarrow.parquet as pq
from peer import read_vectors

SEED = 42
QUERIES = 2_000
QUERIES_AT_ONCE = 50  # rows of distances that fit in memory


def recall(data: np.ndarray, lists: np.ndarray, k: int) -> float:
    data = data.astype(np.float64)
    norms = (data**2).sum(1)
    queries = np.random.default_rng(SEED).permutation(len(data))[:QUERIES]
    k = min(k, len(data) - 1)
    hits = 0
    for block in np.array_split(queries, -(-len(queries) // QUERIES_AT_ONCE)):
        distances = norms[block, None] - 2 * data[block] @ data.T + norms
        distances[np.arange(len(block)), block] = np.inf
        limits = np.partition(distances, k - 1, axis=1)[:, k - 1]
        for query, row, limit in zip(block, distances, limits):
            found = [j for j in dict.fromkeys(lists[query]) if 0 <= j < len(data) and j != query][:k]
            hits += np.count_nonzero(row[found] <= limit)
    return hits / (k * len(queries))


def main() -> None:
    data, lists, k = sys.argv[1:4]
    column = pq.read_table(lists, columns=["neighbours"])["neighbours"].combine_chunks()
    lists = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)
    print(recall(read_vectors(data), lists, int(k)))


if __name__ == "__main__":
    main()
