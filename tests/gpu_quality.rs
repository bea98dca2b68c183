//! Both backends make embeddings of the same quality, at equal iterations. `benches/gpu/quality` shows the whole table.

use crate::support::*;

/// Largest difference of the R_NX AUC between the backends.
const MOST_DIFFERENCE: f64 = 0.01;
/// Enough to leave early exaggeration and settle; the software renderer takes a tenth of a second for each.
const ITERATIONS: &str = "160";
/// Below this an embedding has not formed, and a comparison would say nothing.
const LEAST_AUC: f64 = 0.3;

fn auc(directory: &TempDir, input: &str, backend: &str, flags: &[&str]) -> f64 {
    let out = format!("{backend}.parquet");
    let base = ["embed", input, "--out", &out, "--backend", backend, "--iterations", ITERATIONS];
    succeed(directory.path(), &[&base[..], flags].concat());
    json(directory.path(), &["evaluate", input, &out])["auc"].as_f64().unwrap()
}

#[test]
fn both_backends_embed_equally_well() {
    if adapter().is_none() {
        return;
    }
    let cases = [
        ("coil20.parquet", ["--dims", "2", "--alpha", "1"]),
        ("digits_sklearn.parquet", ["--dims", "2", "--alpha", "0.3"]),
        ("digits_sklearn.parquet", ["--dims", "2", "--alpha", "1"]),
        ("digits_sklearn.parquet", ["--dims", "2", "--alpha", "3"]),
        ("digits_sklearn.parquet", ["--dims", "3", "--alpha", "0.3"]),
        ("digits_sklearn.parquet", ["--dims", "3", "--alpha", "3"]),
    ];
    for (name, flags) in cases {
        let Some(input) = shared(name) else { continue };
        let (dir, input) = (dir(), input.display().to_string());
        let (cpu, gpu) = (auc(&dir, &input, "cpu", &flags), auc(&dir, &input, "gpu", &flags));
        println!("{name} {}: cpu {cpu:.4}, gpu {gpu:.4}", flags.join(" "));
        assert!(cpu > LEAST_AUC, "{name} {flags:?}: {cpu}");
        assert!((cpu - gpu).abs() <= MOST_DIFFERENCE, "{name} {flags:?}: cpu {cpu}, gpu {gpu}");
        // A comparison that cannot fail shows nothing: another α must be told apart.
        if flags[3] == "0.3" {
            let other = auc(&dir, &input, "cpu", &[&flags[..2], &["--alpha", "1"]].concat());
            assert!((other - gpu).abs() > MOST_DIFFERENCE, "{name}: α 1 on the cpu {other}, α 0.3 on the gpu {gpu}");
        }
    }
}
