//! The shaders are valid, and agree with the program on constants.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga_oil::compose::{ComposableModuleDescriptor, Composer, NagaModuleDescriptor};
use points::shaders::{DRAW, LIGHT, PICK, SCENE, SPLAT, TONE};

/// A shader as pipelines get it: with what it imports.
fn compose((file_path, source): (&str, &str)) -> Result<naga::Module, String> {
    let mut composer = Composer::default();
    for (file_path, source) in [SCENE, TONE] {
        let part = ComposableModuleDescriptor { source, file_path, ..Default::default() };
        composer.add_composable_module(part).unwrap_or_else(|error| panic!("{file_path}: {error:?}"));
    }
    let main = NagaModuleDescriptor { source, file_path, ..Default::default() };
    composer.make_naga_module(main).map_err(|error| error.emit_to_string(&composer))
}

#[test]
fn every_shader_is_valid() {
    for (file, entry_points) in [(DRAW, 7), (SPLAT, 3), (LIGHT, 3), (PICK, 1)] {
        let module = compose(file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(module.entry_points.len(), entry_points, "{}", file.0);
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|error| panic!("{}: {error:?}", file.0));
    }
    assert!(compose((DRAW.0, &DRAW.1.replace("fn point(", "fn point"))).is_err());
}

#[test]
fn every_file_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders/points");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| format!("points/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    files.sort();
    assert_eq!(files, [DRAW.0, LIGHT.0, PICK.0, SCENE.0, SPLAT.0, TONE.0]);
}

#[test]
fn flags_and_dimensions_agree() {
    for (name, value) in
        [("HIDDEN", points::flags::HIDDEN), ("GREYED", points::flags::GREYED), ("HIGHLIGHT", points::flags::HIGHLIGHT)]
    {
        assert!(SCENE.1.contains(&format!("const {name} = 0x{value:08x}u;")), "{name}");
    }
    assert!(SCENE.1.contains(&format!("array<vec4<f32>, {}>", points::MAX_DIMS)));
}
