//! Other compilers take the shaders too: `tint`, the compiler of Chrome, which is strict about barriers, and naga's
//! translations for Metal and Direct3D. Each check is skipped, with a message, where the tool is not installed.

use crate::support::composed::{Shaders, variants};
use gpu::stage::Stage;
use naga::back::wgsl::{WriterFlags, write_string};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Every shader in every variant, as plain WGSL.
fn plain_shaders() -> Vec<(String, String)> {
    let mut shaders = Shaders::new();
    let mut seen = BTreeSet::new();
    let mut plain = Vec::new();
    for &stage in Stage::ALL {
        for variant in variants(stage) {
            let name = format!("{} {variant:?}", stage.path());
            if seen.insert(name.clone()) {
                let composed = shaders.compose(stage, variant);
                let text = write_string(&composed.module, &composed.info, WriterFlags::empty());
                plain.push((name, text.expect("what was read can be written")));
            }
        }
    }
    plain
}

/// Runs a tool over every shader; what it says where it refuses one.
fn refused(tool: &str, shaders: &[(String, String)], arguments: impl Fn(&Path) -> Vec<String>) -> Option<Vec<String>> {
    let folder = std::env::temp_dir().join(format!("nevis-{tool}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the shaders");
    let mut refused = Vec::new();
    for (name, text) in shaders {
        let input = folder.join("shader.wgsl");
        std::fs::write(&input, text).expect("a file for the shader");
        let Ok(output) = Command::new(tool).args(arguments(&input)).output() else {
            println!("skipped: {tool} is not installed");
            return None;
        };
        if !output.status.success() {
            refused.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    Some(refused)
}

/// Checks, and writes it out again.
fn check(input: &Path) -> Vec<String> {
    vec!["--format".to_owned(), "wgsl".to_owned(), input.display().to_string()]
}

#[test]
fn tint_takes_every_shader() {
    if let Some(refused) = refused("tint", &plain_shaders(), check) {
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }
}

#[test]
fn tint_refuses_a_barrier_that_not_all_threads_reach() {
    let shader = "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) local: u32) {
        if local < 3u { workgroupBarrier(); }
    }";
    if let Some(refused) = refused("tint", &[("barrier".to_owned(), shader.to_owned())], check) {
        assert_eq!(refused.len(), 1);
    }
}

#[test]
fn every_shader_translates_to_metal_and_direct3d() {
    let shaders = plain_shaders();
    for language in ["metal", "hlsl"] {
        let translate =
            |input: &Path| vec![input.display().to_string(), input.with_extension(language).display().to_string()];
        if let Some(refused) = refused("naga", &shaders, translate) {
            assert!(refused.is_empty(), "{language}: {}", refused.join("\n"));
        }
    }
}
