//! `--backend gpu`, `--adapter` and `nevis info --adapters`. A software renderer will do, so the runs are small.

use crate::support::*;
use serde_json::Value;

const EMBED: [&str; 10] =
    ["embed", "demo:", "--limit", "300", "--iterations", FEW, "--backend", "gpu", "--out", "out.parquet"];

/// Share of the true 10 nearest that the search on the adapter finds among 500 rows.
const MIN_RECALL: f64 = 0.97;

fn recipe_of(directory: &TempDir, file: &str) -> Value {
    let recipe = dataset::read_metadata(&directory.path().join(file), dataset::RECIPE_KEY).unwrap().unwrap();
    serde_json::from_str(&recipe).unwrap()
}

#[test]
fn an_embedding_names_its_adapter_and_is_the_same_again() {
    let Some(adapter) = adapter() else { return };
    let dir = dir();
    let report = json(dir.path(), &EMBED);
    assert_eq!((&report["rows"], &report["dims"], &report["iterations"]), (&300.into(), &2.into(), &30.into()));
    assert_eq!((&report["backend"], &report["adapter"]), (&"gpu".into(), &adapter.as_str().into()));
    has_keys(&report["seconds"], &["load", "start", "search", "affinities", "forces", "integrate", "write", "total"]);
    assert!(report["seconds"]["gpu"].as_f64().unwrap() > 0.0, "{report}");
    let first = std::fs::read(dir.path().join("out.parquet")).unwrap();
    assert!(read(&dir.path().join("out.parquet"), &["x", "y"]).vectors.padded().iter().all(|value| value.is_finite()));

    let text = succeed(dir.path(), &EMBED);
    assert!(text.contains(&format!("30 iterations on {adapter}\n")), "{text}");
    assert!(text.contains(", gpu ") && !text.contains("forces"), "{text}");
    assert!(std::fs::read(dir.path().join("out.parquet")).unwrap() == first, "a second run gives other bytes");
}

#[test]
fn the_recipe_repeats_backend_and_adapter() {
    let Some(adapter) = adapter() else { return };
    let dir = dir_of_blobs(120);
    let part = &adapter[..5];
    let base = ["embed", "in.parquet", "--iterations", "10", "--out", "first.parquet"];
    succeed(dir.path(), &[&base[..], &["--adapter", part]].concat());
    let recipe = recipe_of(&dir, "first.parquet");
    assert_eq!((&recipe["backend"], &recipe["adapter"]), (&"gpu".into(), &part.into()));
    succeed(dir.path(), &["embed", "--from-recipe", "first.parquet", "--out", "again.parquet"]);
    let bytes = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert!(bytes("first.parquet") == bytes("again.parquet"));
    succeed(dir.path(), &["embed", "--from-recipe", "first.parquet", "--backend", "cpu", "--out", "cpu.parquet"]);
    let recipe = recipe_of(&dir, "cpu.parquet");
    assert_eq!((&recipe["backend"], recipe.get("adapter")), (&"cpu".into(), None));
}

#[test]
fn neighbours_are_found_on_the_adapter() {
    let Some(adapter) = adapter() else { return };
    let dir = dir_of_blobs(500);
    let base = ["neighbours", "in.parquet", "--k", "10", "--out", "graph.parquet", "--backend", "gpu"];
    let report = json(dir.path(), &[&base[..], &["--recall"]].concat());
    assert_eq!((&report["backend"], &report["adapter"]), (&"gpu".into(), &adapter.as_str().into()));
    assert!(report["settled"].as_bool().unwrap() && report["iterations"].as_u64().unwrap() < 400, "{report}");
    assert!(report["recall"].as_f64().unwrap() >= MIN_RECALL, "{report}");
    assert_eq!(column_names(&dir.path().join("graph.parquet")), ["neighbours", "distances"]);
    let text = succeed(dir.path(), &[&base[..], &["--iterations", "3"]].concat());
    assert!(text.contains(&format!("3 iterations on {adapter}, not settled")), "{text}");
}

#[test]
fn an_unknown_adapter_is_refused_with_what_there_is() {
    let Some(adapter) = adapter() else { return };
    let dir = dir_of_blobs(60);
    for command in ["embed", "neighbours"] {
        let text = fail(dir.path(), &[command, "in.parquet", "--out", "out.parquet", "--adapter", "Voodoo 2"], 1);
        assert!(text.contains("no graphics adapter is called \"Voodoo 2\"; there is "), "{text}");
        assert!(text.contains(&adapter), "{text}");
    }
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}

#[test]
fn data_that_the_adapter_does_not_hold_is_refused_before_the_work() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(60);
    let wide = ["embed", "in.parquet", "--out", "out.parquet", "--dims", "300", "--backend", "gpu"];
    let text = fail(dir.path(), &wide, 1);
    assert!(text.contains("the gpu backend embeds in at most 256 dimensions, not 300; use --backend cpu"), "{text}");
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
}

#[test]
fn an_adapter_on_the_cpu_is_a_contradiction() {
    let dir = dir_of_blobs(60);
    for command in ["embed", "neighbours"] {
        let flags = ["--out", "out.parquet", "--backend", "cpu", "--adapter", "llvm"];
        let text = fail(dir.path(), &[&[command, "in.parquet"], &flags[..]].concat(), 2);
        assert!(text.contains("--adapter \"llvm\" names a graphics adapter, but --backend cpu uses none"), "{text}");
    }
}

#[test]
fn adapters_are_listed_with_their_limits() {
    let dir = dir();
    let report = json(dir.path(), &["info", "--adapters"]);
    let auto = &report["auto"];
    let adapters = report["adapters"].as_array().unwrap();
    let text = succeed(dir.path(), &["info", "--adapters"]);
    for adapter in adapters {
        has_keys(adapter, &["name", "interface", "kind", "driver", "hardware", "timestamps"]);
        assert!(adapter["binding_bytes"].as_u64().unwrap() >= 128 << 20, "{adapter}");
        assert!(adapter["buffer_bytes"].as_u64().unwrap() >= 128 << 20, "{adapter}");
        assert!(adapter["storage_buffers"].as_u64().unwrap() >= 8, "{adapter}");
        assert!(adapter["workgroups"].as_u64().unwrap() >= 65_535, "{adapter}");
        assert!(text.contains(adapter["name"].as_str().unwrap()), "{text}");
    }
    // Hardware comes first, and is what `auto` takes.
    match adapters.first().filter(|adapter| adapter["hardware"] == true) {
        Some(adapter) => {
            assert_eq!((&auto["backend"], &auto["adapter"]), (&"gpu".into(), &adapter["name"]));
            assert!(text.contains("--backend auto takes "), "{text}");
        }
        None => {
            assert_eq!((&auto["backend"], &auto["adapter"]), (&"cpu".into(), &Value::Null));
            assert!(text.contains("--backend auto takes the cpu: there is no adapter in hardware"), "{text}");
        }
    }
    if !adapters.is_empty() {
        for part in ["interface", "largest binding", "storage buffers", "a dimension", "timestamps"] {
            assert!(text.contains(part), "no {part:?} in:\n{text}");
        }
    }
    fail(dir.path(), &["info", "--adapters", "demo:"], 2);
    fail(dir.path(), &["info"], 2);
}

#[test]
fn auto_is_what_the_list_says() {
    let dir = dir_of_blobs(200);
    let auto = json(dir.path(), &["info", "--adapters"])["auto"].clone();
    let embed = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "3"];
    let report = json(dir.path(), &embed);
    assert_eq!((&report["backend"], &report["adapter"]), (&auto["backend"], &auto["adapter"]), "{report}");
    // What no adapter can hold goes to the cpu, with a word about it where there was a choice.
    let report = json(dir.path(), &[&embed[..], &["--dims", "300"]].concat());
    assert_eq!((&report["backend"], report["adapter"].is_null()), (&"cpu".into(), true));
    assert_eq!(report["notes"].as_array().unwrap().len(), usize::from(auto["backend"] == "gpu"), "{report}");
}

#[test]
fn info_forecasts_the_memory_on_the_adapter() {
    let Some(adapter) = adapter() else { return };
    let dir = dir_of_blobs(1200);
    let report = json(dir.path(), &["info", "in.parquet"]);
    let memory = &report["memory"];
    assert_eq!((&memory["gpu_available"], &memory["gpu_fit"]["adapter"]), (&true.into(), &adapter.as_str().into()));
    assert_eq!((&memory["gpu_fit"]["fits"], &memory["gpu_fit"]["refusal"]), (&true.into(), &Value::Null));
    let buffers = memory["gpu_fit"]["buffers"].as_array().unwrap();
    assert!(buffers.iter().all(|buffer| buffer["fits"] == true), "{memory}");
    let total: u64 = buffers.iter().map(|buffer| buffer["bytes"].as_u64().unwrap()).sum();
    assert_eq!((&memory["gpu"]["total"], &memory["gpu"]["vectors"]), (&total.into(), &(1200 * 16 * 4).into()));
    let text = succeed(dir.path(), &["info", "in.parquet"]);
    assert!(text.contains(&format!("every buffer fits {adapter}")), "{text}");
}

/// Vulkan's loader looks for drivers nowhere but in these files.
#[cfg(target_os = "linux")]
fn without_drivers(directory: &TempDir, args: &[&str]) -> std::process::Output {
    let mut command = nevis(directory.path(), args);
    command.env("VK_DRIVER_FILES", "/nowhere.json").env("VK_ICD_FILENAMES", "/nowhere.json");
    command.output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_machine_without_drivers_says_so_where_they_are_asked_for() {
    let dir = dir_of_blobs(60);
    let embed = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "3"];
    let output = without_drivers(&dir, &[&embed[..], &["--backend", "gpu"]].concat());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error: no graphics adapter was found; install a driver"), "{text}");
    assert_eq!(files_in(dir.path()), ["in.parquet"]);
    let output = without_drivers(&dir, &embed);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(String::from_utf8(output.stdout).unwrap().contains("3 iterations on the cpu"));
    let output = without_drivers(&dir, &["info", "in.parquet", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["memory"]["gpu_available"], false);
    assert!(report["memory"]["gpu"]["total"].as_u64().unwrap() > 0 && report["memory"]["gpu_fit"].is_null());
    let output = without_drivers(&dir, &["info", "--adapters"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no graphics adapter was found") && text.contains("auto takes the cpu"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_cpu_backend_touches_no_driver() {
    let dir = dir_of_blobs(60);
    // The loader tells of all it does as soon as it is loaded.
    let said = |backend: &str| {
        let args = ["embed", "in.parquet", "--out", "out.parquet", "--iterations", "3", "--backend", backend];
        stderr(&nevis(dir.path(), &args).env("VK_LOADER_DEBUG", "all").output().unwrap())
    };
    assert_eq!(said("cpu"), "");
    if adapter().is_some() {
        assert_ne!(said("gpu"), "", "the loader is silent: this test cannot tell");
    }
}
