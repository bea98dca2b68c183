"""Runs one peer on one file in a process of its own and prints its figures as a line of JSON.

    peer.py PEER FILE OUT BEGUN [OPTIONS-AS-JSON]        PEER: a key of PEERS below

`seconds` is what a user waits for a script: from BEGUN (Unix time just before the process started) to the file
written, with interpreter start, imports and just-in-time compilation, as the whole command of nevis is timed.
`warm` is what a user waits for in a session that has done it all before: reading and fitting once more; `warm_cpu` is
the time that all cores worked for it.

This file stands alone: `nevis experiment` carries it inside.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CORES = len(os.sched_getaffinity(0))
SEED = 42
K = 32  # neighbours a point, itself not counted
PROBED_CELLS = 16  # of faiss's IVF, which has √N cells; ann-search's own default probes as many of 70 000 points

Options = dict[str, Any]
Fit = Callable[[np.ndarray], np.ndarray]


def open_tsne(options: Options) -> Fit:
    from openTSNE import TSNE

    return lambda data: np.asarray(TSNE(n_jobs=CORES, random_state=SEED, **options).fit(data))


def umap_learn(options: Options) -> Fit:
    from umap import UMAP

    # No seed: umap runs on one thread when it has one.
    return lambda data: UMAP(**options).fit_transform(data)


def manifolds_tsne(options: Options) -> Fit:
    from manifolds_rs import TSNE

    settings = {"approx": "fft_3k", "ann": "nndescent", **options}
    return lambda data: TSNE(seed=SEED, **settings).fit_transform(data)


def manifolds_umap(options: Options) -> Fit:
    from manifolds_rs import UMAP

    settings = {"ann": "nndescent", **options}
    return lambda data: UMAP(seed=SEED, **settings).fit_transform(data)


def fit_sne(options: Options) -> Fit:
    from fitsne import FItSNE

    return lambda data: FItSNE(data.astype(np.float64), nthreads=CORES, rand_seed=SEED, **options)


def pynndescent(options: Options) -> Fit:
    from pynndescent import NNDescent

    settings = {"n_neighbors": K + 1, **options}  # + 1: it lists the point itself
    return lambda data: NNDescent(data, n_jobs=CORES, random_state=SEED, **settings).neighbor_graph[0]


def ann_ivf(options: Options) -> Fit:
    from ann_search import IvfIndex

    index = IvfIndex(n_neighbors=K + 1, seed=SEED, **options)
    return lambda data: index.fit(data).kneighbors(return_distance=False)


def ann_nndescent(options: Options) -> Fit:
    from ann_search import NNDescentIndex

    index = NNDescentIndex(n_neighbors=K, seed=SEED, **options)
    return lambda data: index.fit(data).extract_knn(include_self=False, return_distance=False)


def faiss_flat(_: Options) -> Fit:
    from faiss import IndexFlatL2

    def fit(data: np.ndarray) -> np.ndarray:
        index = IndexFlatL2(data.shape[1])
        index.add(data)
        return index.search(data, K + 1)[1]

    return fit


def faiss_ivf(options: Options) -> Fit:
    from faiss import IndexFlatL2, IndexIVFFlat

    def fit(data: np.ndarray) -> np.ndarray:
        index = IndexIVFFlat(IndexFlatL2(data.shape[1]), data.shape[1], int(len(data) ** 0.5))
        index.nprobe = options.get("nprobe", PROBED_CELLS)
        index.train(data)
        index.add(data)
        return index.search(data, K + 1)[1]

    return fit


@dataclass(frozen=True)
class Peer:
    package: str
    prepare: Callable[[Options], Fit]
    lists: bool = False  # of neighbours; else a map
    # A second fit is as slow as the first where nothing is compiled at run time; of a short one it is measured anyway.
    second_fit: bool = True


PEERS = {
    "openTSNE": Peer("openTSNE", open_tsne, second_fit=False),
    "umap": Peer("umap-learn", umap_learn),
    "manifolds-tsne": Peer("manifolds-rs", manifolds_tsne, second_fit=False),
    "manifolds-umap": Peer("manifolds-rs", manifolds_umap),
    "FIt-SNE": Peer("fitsne", fit_sne, second_fit=False),
    "pynndescent": Peer("pynndescent", pynndescent, lists=True),
    "ann-ivf": Peer("ann-search", ann_ivf, lists=True),
    "ann-nndescent": Peer("ann-search", ann_nndescent, lists=True),
    "faiss-ivf": Peer("faiss-cpu", faiss_ivf, lists=True),
    "faiss-flat": Peer("faiss-cpu", faiss_flat, lists=True),
}


def read_vectors(path: str) -> np.ndarray:
    column = pq.read_table(path, columns=["vector"])["vector"].combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float32)


def write(peer: Peer, result: np.ndarray, out: str) -> None:
    if peer.lists:
        lists = pa.FixedSizeListArray.from_arrays(pa.array(result.ravel()), result.shape[1])
        pq.write_table(pa.table({"neighbours": lists}), out)
    else:
        result = np.asarray(result, np.float32)
        pq.write_table(pa.table({"x": result[:, 0], "y": result[:, 1]}), out)


def main() -> None:
    name, path, out, begun = sys.argv[1:5]
    options = json.loads(sys.argv[5]) if len(sys.argv) > 5 else {}
    # Some libraries talk, and their last words come after ours: what they print joins the errors.
    report = os.dup(1)
    os.dup2(2, 1)
    peer = PEERS[name]
    fit = peer.prepare(options)

    start, worked = time.perf_counter(), time.process_time()
    result = fit(read_vectors(path))
    warm, warm_cpu = time.perf_counter() - start, time.process_time() - worked
    write(peer, result, out)
    figures = {"seconds": time.time() - float(begun)}
    figures["peak_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # before a second fit adds to it

    if peer.second_fit:
        start, worked = time.perf_counter(), time.process_time()
        fit(read_vectors(path))
        warm, warm_cpu = time.perf_counter() - start, time.process_time() - worked
    figures |= {"warm": warm, "warm_cpu": warm_cpu, "version": version(peer.package)}
    os.write(report, json.dumps(figures).encode())


if __name__ == "__main__":
    main()
