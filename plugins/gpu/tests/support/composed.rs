//! The shaders as the pipelines get them: composed of their parts, specialised, validated.

use bevy::shader::ShaderDefVal;
use gpu::shaders::{SHARED, STAGES};
use gpu::stage::{Stage, Variant};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga_oil::compose::{ComposableModuleDescriptor, Composer, NagaModuleDescriptor, ShaderDefValue};
use std::collections::HashMap;

/// What naga_oil puts behind the name of everything that was imported.
const IMPORTED: &str = "X_naga_oil_mod_X";

/// Composes stages out of the shipped files.
pub struct Shaders {
    composer: Composer,
}

/// A shader that passed validation.
pub struct Composed {
    pub module: naga::Module,
    pub info: ModuleInfo,
}

impl Shaders {
    /// Takes the parts that stages import; a part may import parts itself, so they go in as soon as theirs are there.
    pub fn new() -> Self {
        let mut composer = Composer::default();
        let mut waiting: Vec<_> = SHARED.to_vec();
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|&(file_path, source)| {
                let part = ComposableModuleDescriptor { source, file_path, ..Default::default() };
                composer.add_composable_module(part).is_err()
            });
            assert!(waiting.len() < before, "these parts cannot be added: {:?}", names(&waiting));
        }
        Self { composer }
    }

    /// The shader of a stage in one variant.
    pub fn compose(&mut self, stage: Stage, variant: Variant) -> Composed {
        let source = STAGES.iter().find(|(path, _)| *path == stage.path()).expect("the stage's file is shipped").1;
        let shader_defs = variant.defs(stage.varies()).into_iter().map(definition).collect::<HashMap<_, _>>();
        let main = NagaModuleDescriptor { source, file_path: stage.path(), shader_defs, ..Default::default() };
        let composed = self.composer.make_naga_module(main);
        validated(composed.unwrap_or_else(|e| panic!("{}: {}", stage.path(), e.emit_to_string(&self.composer))))
    }
}

/// A file that imports nothing, by itself.
pub fn alone(path: &str) -> Composed {
    let source = SHARED.iter().find(|(known, _)| *known == path).expect("the file is shipped").1;
    let plain: String = source.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    validated(naga::front::wgsl::parse_str(&plain).unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn validated(module: naga::Module) -> Composed {
    // What every adapter can do, and nothing beyond.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).unwrap_or_else(|error| panic!("{error:?}"));
    Composed { module, info }
}

fn definition(value: ShaderDefVal) -> (String, ShaderDefValue) {
    match value {
        ShaderDefVal::Bool(name, value) => (name, ShaderDefValue::Bool(value)),
        ShaderDefVal::Int(name, value) => (name, ShaderDefValue::Int(value)),
        ShaderDefVal::UInt(name, value) => (name, ShaderDefValue::UInt(value)),
    }
}

fn names(files: &[(&'static str, &str)]) -> Vec<&'static str> {
    files.iter().map(|file| file.0).collect()
}

/// A name as the file has it, and whether it was imported from another.
pub fn plain_name(name: &str) -> (&str, bool) {
    name.split_once(IMPORTED).map_or((name, false), |(plain, _)| (plain, true))
}

/// Every variant that makes a difference to a stage.
pub fn variants(stage: Stage) -> Vec<Variant> {
    let mut variants = Vec::new();
    for chunks in [0, 1, 2, 16, 64] {
        for metric in 0..=4 {
            for student in [true, false] {
                let variant = Variant { chunks, metric, student }.seen_by(stage.varies());
                if !variants.contains(&variant) {
                    variants.push(variant);
                }
            }
        }
    }
    variants
}
