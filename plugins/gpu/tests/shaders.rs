//! Every shader composes and validates in every variant, and binds what the table of stages says.

use crate::support::composed::{Composed, Shaders, plain_name, variants};
use gpu::adapter::STORAGE_BUFFERS;
use gpu::shaders::{SHARED, STAGES};
use gpu::shape::WORKGROUP;
use gpu::stage::{Access, Slot, Stage};
use naga::{AddressSpace, StorageAccess};
use std::collections::BTreeMap;
use std::path::Path;

/// Bytes that every adapter has for a workgroup to share.
const SHARED_BYTES: u32 = 16_384;
/// Threads that every adapter has for a workgroup.
const MOST_THREADS: u32 = 256;

#[test]
fn every_file_is_shipped() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shaders");
    let mut files = BTreeMap::new();
    for folder in std::fs::read_dir(&root).expect("the shaders").map(|entry| entry.expect("an entry").path()) {
        if !folder.is_dir() || folder.ends_with("points") {
            continue; // those that draw are plugins/points', and tested there
        }
        for file in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = file.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            files.insert(name, std::fs::read_to_string(&file).expect("a text"));
        }
    }
    let shipped: BTreeMap<String, String> =
        SHARED.iter().chain(STAGES).map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    assert!(shipped == files, "files: {:?}, shipped: {:?}", files.keys(), shipped.keys());
    for (path, _) in STAGES {
        assert!(Stage::ALL.iter().any(|stage| stage.path() == *path), "nothing runs {path}");
    }
}

/// The buffers that a module declares, by their binding: name, how they are used, whether the entry point uses them.
fn declared(composed: &Composed, entry: &str) -> BTreeMap<u32, (String, Access, bool)> {
    let index = composed.module.entry_points.iter().position(|point| point.name == entry);
    let info = composed.info.get_entry_point(index.unwrap_or_else(|| panic!("there is no entry point {entry}")));
    let bound = composed.module.global_variables.iter().filter_map(|(handle, variable)| {
        let binding = variable.binding?;
        assert_eq!(binding.group, 0, "{entry} uses another group");
        let access = match variable.space {
            AddressSpace::Uniform => Access::Uniform,
            AddressSpace::Storage { access } if access == StorageAccess::LOAD => Access::Read,
            AddressSpace::Storage { .. } => Access::Write,
            other => panic!("{entry} binds {:?} in {other:?}", variable.name),
        };
        let name = plain_name(variable.name.as_deref().expect("a name")).0.to_owned();
        Some((binding.binding, (name, access, !info[handle].is_empty())))
    });
    bound.collect()
}

/// Compares the buffers of an entry point with a table of bindings.
fn binds(composed: &Composed, entry: &str, table: &[(Slot, Access)]) -> Result<(), String> {
    let declared = declared(composed, entry);
    for &(slot, access) in table {
        let access = if access == Access::UniformAt { Access::Uniform } else { access };
        let number = slot as u32;
        let (name, there, _) = declared.get(&number).ok_or(format!("{entry}: nothing is bound at {number}"))?;
        let named = matches!(slot, Slot::Old | Slot::OldToo | Slot::Steps) || name == slot.name();
        if !named || *there != access {
            return Err(format!("{entry}: {number} is {name}, {there:?}, instead of {}, {access:?}", slot.name()));
        }
    }
    let listed = |number: u32| table.iter().any(|&(slot, _)| slot as u32 == number);
    match declared.iter().find(|&(&number, (_, _, used))| *used && !listed(number)) {
        Some((number, (name, ..))) => Err(format!("{entry}: {name} at {number} is used, but not in the table")),
        None => Ok(()),
    }
}

/// Threads of a stage's workgroup, as the host counts them.
fn threads(stage: Stage, chunks: u32) -> u32 {
    match stage {
        Stage::Look | Stage::Plant | Stage::Refresh => 1,
        Stage::ScanBlocks | Stage::ScanSums | Stage::ScanRows | Stage::Normalise => MOST_THREADS,
        // As many as fit with a position and a number each, a power of two.
        Stage::Measure => 1 << (SHARED_BYTES / (16 * chunks.max(1) + 4)).min(MOST_THREADS).ilog2(),
        _ => WORKGROUP as u32,
    }
}

/// Bytes that the workgroup of an entry point shares.
fn shared_bytes(composed: &Composed, index: usize) -> u32 {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(composed.module.to_ctx()).expect("a layout");
    let info = composed.info.get_entry_point(index);
    let variables = composed.module.global_variables.iter();
    let used = variables.filter(|(handle, v)| v.space == AddressSpace::WorkGroup && !info[*handle].is_empty());
    used.map(|(_, variable)| layouter[variable.ty].size).sum()
}

#[test]
fn every_stage_composes_in_every_variant_and_binds_what_the_table_says() {
    let mut shaders = Shaders::new();
    for &stage in Stage::ALL {
        let (entry, table) = (stage.entry(), stage.bindings());
        let storage = table.iter().filter(|(_, access)| matches!(access, Access::Read | Access::Write)).count();
        assert!(storage <= STORAGE_BUFFERS as usize, "{entry} binds {storage} storage buffers");
        for variant in variants(stage) {
            let composed = shaders.compose(stage, variant);
            assert_eq!(binds(&composed, entry, table), Ok(()), "{variant:?}");
            let index = composed.module.entry_points.iter().position(|point| point.name == entry).expect("checked");
            let size = composed.module.entry_points[index].workgroup_size;
            assert_eq!(size, [threads(stage, variant.chunks), 1, 1], "{entry}, {variant:?}");
            let bytes = shared_bytes(&composed, index);
            assert!(bytes <= SHARED_BYTES, "a workgroup of {entry} shares {bytes} bytes, {variant:?}");

            let fewer = &table[..table.len() - 1];
            let used = declared(&composed, entry)[&(table[table.len() - 1].0 as u32)].2;
            assert_eq!(binds(&composed, entry, fewer).is_err(), used, "{entry}: a missing buffer goes unnoticed");
            let mut other = table.to_vec();
            other[0].1 = Access::Read;
            assert!(binds(&composed, entry, &other).is_err(), "{entry}: another access goes unnoticed");
        }
    }
}

#[test]
fn every_entry_point_is_a_stage() {
    let mut shaders = Shaders::new();
    for &stage in Stage::ALL {
        for point in shaders.compose(stage, variants(stage)[0]).module.entry_points {
            let known = Stage::ALL.iter().any(|s| s.path() == stage.path() && s.entry() == point.name);
            assert!(known, "{} has an entry point {} that no stage runs", stage.path(), point.name);
        }
    }
}
