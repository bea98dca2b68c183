"""Runs one peer on one file in a process of its own and prints its figures as a line of JSON.

    peer.py {openTSNE | umap | pynndescent} FILE OUT [OPTIONS-AS-JSON]

Interpreter start and imports are not timed, and just-in-time compilation happens on a small random set first:
what is timed is what a user waits for in a warm session, reading the Parquet file and fitting.
"""

import json
import os
import resource
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CORES = len(os.sched_getaffinity(0))
SEED = 42
K = 32  # neighbours a point, itself not counted
QUERIES = 2_000
WARM_ROWS = 4_500  # umap takes another path below 4 096 rows: the warm-up stays on the file's side of that


def read_vectors(path):
    column = pq.read_table(path, columns=["vector"])["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float32)


def open_tsne(options):
    from openTSNE import TSNE

    fit = lambda data, **more: np.asarray(TSNE(n_jobs=CORES, random_state=SEED, **options, **more).fit(data))
    return fit, {"n_iter": 5, "early_exaggeration_iter": 5}


def umap_learn(options):
    from umap import UMAP

    # No seed: umap runs on one thread when it has one.
    return lambda data, **more: UMAP(**options, **more).fit_transform(data), {"n_epochs": 5}


def pynndescent(options):
    from pynndescent import NNDescent

    settings = {"n_neighbors": K + 1, **options}  # + 1: it lists the point itself
    fit = lambda data, **more: NNDescent(data, n_jobs=CORES, random_state=SEED, **settings).neighbor_graph[0]
    return fit, {}


def recall(data, lists):
    """Share of the K true neighbours found, over seeded queries and by exact search; a tie with the K-th counts."""
    data = data.astype(np.float64)
    norms = (data**2).sum(1)
    queries = np.random.default_rng(SEED).permutation(len(data))[:QUERIES]
    k = min(K, len(data) - 1)
    hits = 0
    for block in np.array_split(queries, -(-len(queries) // 50)):  # 50 rows of distances at a time fit in memory
        distances = norms[block, None] - 2 * data[block] @ data.T + norms
        distances[np.arange(len(block)), block] = np.inf
        limits = np.partition(distances, k - 1, axis=1)[:, k - 1]
        for query, row, limit in zip(block, distances, limits):
            found = [j for j in lists[query] if j >= 0 and j != query][:k]
            hits += np.count_nonzero(row[found] <= limit)
    return hits / (k * len(queries))


def main():
    name, path, out = sys.argv[1:4]
    options = json.loads(sys.argv[4]) if len(sys.argv) > 4 else {}
    fit, quick = {"openTSNE": open_tsne, "umap": umap_learn, "pynndescent": pynndescent}[name](options)

    rows = min(WARM_ROWS, pq.read_metadata(path).num_rows)
    dims = pq.read_schema(path).field("vector").type.list_size
    fit(np.random.default_rng(SEED).standard_normal((rows, dims), np.float32), **quick)

    start = time.perf_counter()
    data = read_vectors(path)
    result = fit(data)
    figures = {"seconds": time.perf_counter() - start}
    # Read before the recall below, whose exact search needs memory of its own.
    figures["peak_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    if name == "pynndescent":
        figures["recall"] = recall(data, result)
    else:
        result = np.asarray(result, np.float32)
        pq.write_table(pa.table({"x": result[:, 0], "y": result[:, 1]}), out)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
