"""Makes labels.json: what scikit-learn says of how well classes can be told apart in a small table.

    python3 -m venv ENV && ENV/bin/pip install numpy==2.4.6 scikit-learn==1.9.1
    ENV/bin/python make.py

Run with Python 3.11.7 and the versions above. The table is from a seeded generator: classes of many sizes that
overlap, one of a single row, rows without a label (null), and values that are multiples of 1/65536, which 32 bits
hold exactly and which leave no two rows at the same distance. Folds and examples are drawn here and handed to the
program under test. `src/labels/tests.rs` reads the file.

Rows without a label take no part; the class of a single row is known, but not asked. Where several classes have the
most votes of k neighbours, the one that occurs nearest wins.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
from sklearn.metrics import silhouette_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NearestNeighbors

SIZES, UNLABELLED, DIMS, TRIALS = [60, 45, 40, 30, 25, 12, 5, 1], 14, 5, 20
METRICS = ["euclidean", "manhattan", "cosine"]


def make_table(random):
    labels = np.repeat(np.arange(len(SIZES)), SIZES)
    centres = random.normal(0, 1.1, (len(SIZES), DIMS))
    rows = centres[labels] + random.normal(0, 0.8, (len(labels), DIMS))
    rows = np.concatenate([rows, random.normal(0, 1, (UNLABELLED, DIMS))])
    labels = np.concatenate([labels, np.full(UNLABELLED, -1)])
    order = random.permutation(len(labels))
    return (np.round(rows * 65536) / 65536)[order], labels[order]


def nearest(known, queries, k, metric):
    """The places in `known` of the k nearest of each query."""
    search = NearestNeighbors(n_neighbors=k + 1, metric=metric, algorithm="brute").fit(known)
    distances, places = search.kneighbors(queries)
    assert np.diff(distances).min() > 0, "a tie has no one answer"
    return places[:, :k]


def one_shot(rows, labels, trials, metric):
    top1, top5 = [], []
    for examples in trials:
        asked = [row for row in range(len(rows)) if labels[row] >= 0 and row not in examples]
        found = labels[np.array(examples)[nearest(rows[examples], rows[asked], 5, metric)]]
        right = found == labels[asked][:, None]
        top1.append(right[:, 0].mean())
        top5.append(right.any(axis=1).mean())
    return top1, top5


def crossval(rows, labels, folds, k, metric):
    sizes = Counter(labels)
    right = []
    for fold in range(folds.max() + 1):
        known = np.flatnonzero((folds != fold) & (labels >= 0))
        asked = [row for row in np.flatnonzero(folds == fold) if sizes[labels[row]] > 1]
        votes = labels[known[nearest(rows[known], rows[asked], k, metric)]]
        # `most_common` keeps equals in the order in which they came: nearest first.
        right += [Counter(vote).most_common(1)[0][0] == labels[row] for vote, row in zip(votes, asked)]
    return float(np.mean(right))


def main():
    random = np.random.default_rng(20261)
    rows, labels = make_table(random)
    labelled = np.flatnonzero(labels >= 0)
    folds = np.full(len(rows), -1)
    split = StratifiedKFold(10, shuffle=True, random_state=1).split(rows[labelled], labels[labelled])
    for fold, (_, test) in enumerate(split):
        folds[labelled[test]] = fold
    classes = range(len(SIZES))
    trials = [[int(random.choice(np.flatnonzero(labels == c))) for c in classes] for _ in range(TRIALS)]
    figures = {}
    for metric in METRICS:
        top1, top5 = one_shot(rows, labels, trials, metric)
        figures[metric] = {
            "one_shot_top1": top1,
            "one_shot_top5": top5,
            "crossval_1": crossval(rows, labels, folds, 1, metric),
            "crossval_5": crossval(rows, labels, folds, 5, metric),
            "silhouette": float(silhouette_score(rows[labelled], labels[labelled], metric=metric)),
        }
    reference = {
        "rows": rows.tolist(),
        "labels": [int(label) if label >= 0 else None for label in labels],
        "folds": [int(fold) if fold >= 0 else None for fold in folds],
        "examples": [sorted(trial) for trial in trials],
        "figures": figures,
    }
    lines = (f'"{key}": {json.dumps(value)}' for key, value in reference.items())
    Path(__file__).with_name("labels.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
