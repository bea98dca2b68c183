"""Runs one peer on one file in a process of its own and prints its figures as a line of JSON.

    peer.py {openTSNE | umap | pynndescent} FILE OUT BEGUN [OPTIONS-AS-JSON]

`seconds` is what a user waits for a script: from BEGUN (Unix time just before the process started) to the file
written, with interpreter start, imports and just-in-time compilation, as the whole command of nevis is timed.
`warm` is what a user waits for in a session that has done it all before: reading and fitting once more; `warm_cpu` is
the time that all cores worked for it.
"""

import json
import os
import resource
import sys
import time
from importlib.metadata import version

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CORES = len(os.sched_getaffinity(0))
SEED = 42
K = 32  # neighbours a point, itself not counted
QUERIES = 2_000


def read_vectors(path):
    column = pq.read_table(path, columns=["vector"])["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float32)


def open_tsne(options):
    from openTSNE import TSNE

    return lambda data: np.asarray(TSNE(n_jobs=CORES, random_state=SEED, **options).fit(data))


def umap_learn(options):
    from umap import UMAP

    # No seed: umap runs on one thread when it has one.
    return lambda data: UMAP(**options).fit_transform(data)


def pynndescent(options):
    from pynndescent import NNDescent

    settings = {"n_neighbors": K + 1, **options}  # + 1: it lists the point itself
    return lambda data: NNDescent(data, n_jobs=CORES, random_state=SEED, **settings).neighbor_graph[0]


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


def write(name, result, out):
    if name == "pynndescent":
        lists = pa.FixedSizeListArray.from_arrays(pa.array(result.ravel()), result.shape[1])
        pq.write_table(pa.table({"neighbours": lists}), out)
    else:
        result = np.asarray(result, np.float32)
        pq.write_table(pa.table({"x": result[:, 0], "y": result[:, 1]}), out)


def main():
    name, path, out, begun = sys.argv[1:5]
    options = json.loads(sys.argv[5]) if len(sys.argv) > 5 else {}
    fit = {"openTSNE": open_tsne, "umap": umap_learn, "pynndescent": pynndescent}[name](options)

    start, worked = time.perf_counter(), time.process_time()
    data = read_vectors(path)
    result = fit(data)
    warm, warm_cpu = time.perf_counter() - start, time.process_time() - worked
    write(name, result, out)
    figures = {"seconds": time.time() - float(begun)}
    # Read before the second fit and the recall, which need memory of their own.
    figures["peak_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    if name != "openTSNE":  # which compiles nothing at run time: its first fit is as good as its second
        start, worked = time.perf_counter(), time.process_time()
        fit(read_vectors(path))
        warm, warm_cpu = time.perf_counter() - start, time.process_time() - worked
    figures |= {"warm": warm, "warm_cpu": warm_cpu}
    figures["version"] = version({"umap": "umap-learn"}.get(name, name))
    if name == "pynndescent":
        figures["recall"] = recall(data, result)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
