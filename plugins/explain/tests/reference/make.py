"""Makes table.csv and reference.json: what NumPy, pandas and SciPy say of a small table.

    python3 -m venv ENV && ENV/bin/pip install numpy==2.4.6 pandas==3.1.1 scipy==1.17.1
    ENV/bin/python make.py

Run with Python 3.11.7 and the versions above. The table is from a seeded generator: mixed columns, with ties, missing
values, a constant, and vectors whose values are multiples of 1/256 (which 32 bits hold exactly). The test
`tests/integration/reference.rs` reads both files and compares.

Everything below is by the libraries, except for what is a line of definition: Cohen's d, the lift, and the projection.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, stats
from scipy.spatial.distance import cdist

HERE = Path(__file__).parent
ROWS, DIMS, NEIGHBOURS = 360, 6, 7
CATEGORICAL = ["cell_type", "batch", "doublet", "plate"]
NUMERIC = ["score", "count", "constant", "tail"]
VECTOR = [f"pc{i + 1}" for i in range(DIMS)]


def make_table():
    random = np.random.default_rng(20260)
    kind = random.choice([0, 1, 2], ROWS, p=[0.3, 0.5, 0.2])  # which group the row is drawn from
    group = np.where(kind == 0, "a", np.where(kind == 1, "b", ""))

    def missing(values, share):
        return pd.Series(values, dtype=object).mask(random.random(ROWS) < share)

    def pick(names, *shares):
        return np.array([random.choice(names, p=shares[k]) for k in kind])

    cell_types = ["T cell", "B cell", "monocyte", "NK cell"]
    centres = random.normal(0, 1.2, (3, DIMS))
    centres[1, 4] = centres[0, 4]  # a component that says nothing
    vectors = centres[kind] + random.normal(0, 1, (ROWS, DIMS)) * [1, 0.5, 2, 1, 1, 3]
    vectors = np.round(vectors * 256) / 256
    table = pd.DataFrame(
        {
            "group": group,
            "cell_type": missing(pick(cell_types, [0.7, 0.1, 0.1, 0.1], [0.2, 0.4, 0.3, 0.1], [0.25] * 4), 0.06),
            "batch": missing(pick([1, 2, 10], [0.3, 0.3, 0.4], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6]), 0.1),
            "doublet": random.random(ROWS) < 0.12,
            "plate": random.integers(0, 40, ROWS),
            "score": missing(np.round(random.normal(5 - kind, 1.5), 3), 0.08),
            "count": random.poisson(np.array([3, 4, 9])[kind]),
            "constant": 0.1,
            "tail": missing(np.round(random.pareto(1.5, ROWS) * 1e6 + 1e9, 3), 0.02),
        }
    )
    table[VECTOR] = vectors
    table.to_csv(HERE / "table.csv", index=False, lineterminator="\n")


def effect(name, a, b):
    a, b = a[~np.isnan(a)], b[~np.isnan(b)]
    var_a, var_b = np.var(a, ddof=1), np.var(b, ddof=1)
    pooled = np.sqrt(((len(a) - 1) * var_a + (len(b) - 1) * var_b) / (len(a) + len(b) - 2))
    constant = a.min() == a.max() == b.min() == b.max()
    return {
        "name": name,
        "mean_a": np.mean(a),
        "mean_b": np.mean(b),
        "sd_a": 0.0 if constant else np.sqrt(var_a),
        "sd_b": 0.0 if constant else np.sqrt(var_b),
        "n_a": len(a),
        "n_b": len(b),
        "cohens_d": 0.0 if constant else (np.mean(a) - np.mean(b)) / pooled,
        "auc": stats.mannwhitneyu(a, b).statistic / (len(a) * len(b)),
    }


def by_strength(effects):
    return sorted(effects, key=lambda effect: -abs(effect["cohens_d"]))


def composition(column, values, group):
    cross = pd.crosstab(values, group)
    shares = cross / cross.sum()
    lift = shares["a"] / (cross.sum(axis=1) / cross.to_numpy().sum())
    return {
        "column": column,
        "cramers_v": stats.contingency.association(cross.to_numpy(), method="cramer"),
        "missing_a": int(values[group == "a"].isna().sum()),
        "missing_b": int(values[group == "b"].isna().sum()),
        "shares": [
            {
                "value": str(value),
                "in_a": int(cross.loc[value, "a"]),
                "in_b": int(cross.loc[value, "b"]),
                "share_a": shares.loc[value, "a"],
                "share_b": shares.loc[value, "b"],
                "lift": lift[value],
            }
            for value in cross.index
        ],
    }


def projection(vectors, a, b):
    mean_a, mean_b = vectors[a].mean(axis=0), vectors[b].mean(axis=0)
    axis = mean_a - mean_b
    t = (vectors - mean_b) @ axis / (axis @ axis)
    ranges = np.array([np.quantile(t[group], [0.001, 0.999]) for group in (a, b)])
    low, high = ranges[:, 0].min(), ranges[:, 1].max()
    pooled = np.concatenate([t[a], t[b]])
    width = 2 * stats.iqr(pooled) / len(pooled) ** (1 / 3)
    edges = np.linspace(low, high, int(np.clip(np.ceil((high - low) / width), 20, 80)) + 1)

    def counts(group):
        return np.histogram(np.clip(t[group], low, high), edges)[0].tolist()

    def medoid(group, mean):
        return int(group[np.argmin(np.linalg.norm(vectors[group] - mean, axis=1))])

    return {
        "mean_a": mean_a.tolist(),
        "mean_b": mean_b.tolist(),
        "medoid_a": medoid(a, mean_a),
        "medoid_b": medoid(b, mean_b),
        "edges": edges.tolist(),
        "histogram_a": counts(a),
        "histogram_b": counts(b),
    }


def cohesion(vectors):
    squared = cdist(vectors, vectors, "sqeuclidean")  # exact, as all values are multiples of 1/256
    np.fill_diagonal(squared, np.inf)
    nearest = np.argsort(squared, axis=1, kind="stable")[:, :NEIGHBOURS]
    return lambda group: np.isin(nearest[group], group).mean()


def dips():
    """Mixtures of two normal densities: where they are lowest between their modes, by SciPy's minimiser."""
    found = []
    for weight, distance, sd in [(0.5, 4, 1.0), (0.25, 5, 0.7), (0.5, 8, 1.0), (0.1, 6, 1.5)]:

        def density(x):
            return (1 - weight) * stats.norm.pdf(x) + weight * stats.norm.pdf(x, distance, sd)

        def extreme(sign, low, high):
            bounds = {"bounds": (low, high), "options": {"xatol": 1e-10}}
            return optimize.minimize_scalar(lambda x: sign * density(x), method="bounded", **bounds).x

        modes = [extreme(-1, -1, 1), extreme(-1, distance - 1, distance + 1)]
        at = extreme(1, *modes)
        depth = 1 - density(at) / min(density(mode) for mode in modes)
        found.append({"weight": weight, "distance": distance, "sd": sd, "at": at, "depth": depth, "modes": modes})
    # An ideal sample of the normal distribution: the middles of equally probable parts.
    count = 1000
    return {"normal": np.round(stats.norm.ppf((np.arange(count) + 0.5) / count), 6).tolist(), "mixtures": found}


def main():
    make_table()
    table = pd.read_csv(HERE / "table.csv", keep_default_na=True, dtype={"batch": "Int64"})
    a, b = (np.flatnonzero(table["group"] == name) for name in "ab")
    both = table[table["group"].isin(["a", "b"])]
    vectors = table[VECTOR].to_numpy(np.float32).astype(np.float64)
    numeric = {name: table[name].to_numpy(np.float64) for name in NUMERIC}
    inside = cohesion(vectors)
    compositions = [composition(name, both[name], both["group"]) for name in CATEGORICAL]
    reference = {
        "a": len(a),
        "b": len(b),
        "neighbours": NEIGHBOURS,
        "compositions": sorted(compositions, key=lambda one: -one["cramers_v"]),
        "numbers": by_strength([effect(name, values[a], values[b]) for name, values in numeric.items()]),
        "components": by_strength([effect(name, vectors[a, i], vectors[b, i]) for i, name in enumerate(VECTOR)]),
        **projection(vectors, a, b),
        "cohesion": inside(a),
        "cohesion_b": inside(b),
        "dips": dips(),
    }
    (HERE / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")


main()
