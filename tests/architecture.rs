//! The drawing of crates and layers in docs/architecture.md against what the manifests and the sources say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A crate as it is drawn: its layer, and the crates of the workspace that it depends on.
type Drawn = BTreeMap<String, (usize, BTreeSet<String>)>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads lines such as `2  gpu*  [embedding vectors]  colours  [dataset]`.
fn drawn() -> Drawn {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let drawing = text.split("```text").find(|block| block.contains("───\n")).expect("there is a drawing of layers");
    let mut layer = 0;
    let mut all = Drawn::new();
    let (mut name, mut inside) = (String::new(), false);
    for word in drawing.split("```").next().unwrap_or_default().split_whitespace().filter(|word| !word.contains('─'))
    {
        if let Ok(number) = word.parse() {
            layer = number;
            continue;
        }
        inside |= word.starts_with('[');
        let plain = word.trim_matches(['[', ']', '*']).to_owned();
        if inside {
            all.get_mut(&name).expect("a crate comes before what it depends on").1.insert(plain);
        } else {
            name = plain;
            all.insert(name.clone(), (layer, BTreeSet::new()));
        }
        inside &= !word.ends_with(']');
    }
    all
}

/// The folder of every crate, by name.
fn crates() -> BTreeMap<String, PathBuf> {
    let plugins = fs::read_dir(root().join("plugins")).unwrap().map(|entry| entry.unwrap().path());
    plugins.filter(|path| path.join("Cargo.toml").exists()).map(|path| (file_name(&path), path)).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// What a manifest says that the library or program depends on.
fn dependencies(folder: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let section =
        text.lines().skip_while(|line| *line != "[dependencies]").skip(1).take_while(|line| !line.starts_with('['));
    let names = section.filter(|line| !line.starts_with('#')).filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// All sources of a crate as one text.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            text += &sources(&entry);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(entry).unwrap();
        }
    }
    text
}

#[test]
fn crates_depend_downwards_and_as_drawn() {
    let (drawn, crates) = (drawn(), crates());
    let mut names: Vec<&String> = crates.keys().collect();
    let program = "nevis".to_owned();
    names.push(&program);
    names.sort();
    assert_eq!(names, drawn.keys().collect::<Vec<_>>(), "crates and those that are drawn");
    for (name, folder) in &crates {
        let (layer, expected) = &drawn[name];
        let found: BTreeSet<String> =
            dependencies(folder).into_iter().filter(|name| crates.contains_key(name)).collect();
        assert_eq!(found, *expected, "what {name} depends on, and what is drawn");
        for below in &found {
            assert!(drawn[below].0 < *layer, "{name} in layer {layer} depends on {below} in layer {}", drawn[below].0);
        }
    }
    let top = drawn["nevis"].0;
    assert!(drawn.iter().all(|(name, (layer, _))| *layer < top || name == "nevis"), "the program is on top");
}

#[test]
fn what_a_manifest_names_is_used() {
    let mut crates = crates();
    crates.insert("nevis".to_owned(), root().to_path_buf());
    for (name, folder) in crates {
        let text = sources(&folder.join("src"));
        for dependency in dependencies(&folder) {
            let used = dependency.replace('-', "_");
            let used = text.contains(&format!("{used}::")) || text.contains(&format!("use {used};"));
            assert!(used, "{name} names {dependency} in its manifest and uses it nowhere");
        }
    }
}

#[test]
fn a_server_build_holds_no_window_graphics_or_encoder() {
    let tree = |flags: &[&str]| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = std::process::Command::new(cargo);
        command.current_dir(root()).args(["tree", "--offline", "--edges", "normal", "--prefix", "none"]).args(flags);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| line.split(' ').next())
            .map(str::to_owned)
            .collect()
    };
    let (server, whole): (BTreeSet<String>, BTreeSet<String>) = (tree(&["--no-default-features"]), tree(&[]));
    for heavy in ["bevy", "wgpu", "winit", "egui", "openh264", "plotters"] {
        assert!(whole.contains(heavy), "{heavy} is what the default build stands on");
        assert!(!server.contains(heavy), "{heavy} is in a build without default features");
    }
    assert!(server.contains("arrow") && server.contains("parquet"));
}
