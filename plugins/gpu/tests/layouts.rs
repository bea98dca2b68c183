//! What Rust and WGSL both write down is the same: structs that cross over, and numbers.

use crate::support::composed::{Composed, Shaders, alone, plain_name, variants};
use bytemuck::Zeroable;
use embedding::cpu::{arrive, calibrate, decide, follow, forces, forget, integrate, project, propose};
use embedding::{change, descent, lists, search, start};
use gpu::params::{Control, Dispatches, FARTHEST, Groups, Params, Step, marks};
use gpu::stage::{Stage, Variant};
use gpu::{shape, tree};
use naga::{Expression, Literal, Module, TypeInner};
use std::any::type_name_of_val;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// A field: its name, its offset and its type.
type Field = (String, usize, String);

/// The fields of a Rust struct.
macro_rules! fields {
    ($struct:ident: $($field:ident)*) => {{
        let value = $struct::zeroed();
        let short = |name: &str| name.rsplit("::").next().expect("a last part").to_owned();
        let fields: Vec<Field> = vec![
            $((stringify!($field).to_owned(), offset_of!($struct, $field), short(type_name_of_val(&value.$field)))),*
        ];
        (size_of::<$struct>(), fields)
    }};
}

/// Size and fields of a struct in WGSL.
fn layout(module: &Module, name: &str) -> (usize, Vec<Field>) {
    let named = |ty: &naga::Type| ty.name.as_deref().is_some_and(|known| plain_name(known).0 == name);
    let (_, ty) = module.types.iter().find(|(_, ty)| named(ty)).unwrap_or_else(|| panic!("there is no struct {name}"));
    let TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    let kind = |ty: naga::Handle<naga::Type>| match &module.types[ty].inner {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => match scalar.kind {
            naga::ScalarKind::Uint => "u32".to_owned(),
            naga::ScalarKind::Float => "f32".to_owned(),
            other => format!("{other:?}"),
        },
        _ => module.types[ty].name.clone().expect("a named struct"),
    };
    let fields = members.iter().map(|m| (m.name.clone().expect("a name"), m.offset as usize, kind(m.ty)));
    (*span as usize, fields.collect())
}

fn stage(stage: Stage) -> Composed {
    Shaders::new().compose(stage, variants(stage)[0])
}

#[test]
fn params_and_control_lie_in_memory_as_the_shaders_expect() {
    let params = fields!(Params: points vector_chunks hd_length ld_length seed slice followed_near followed_far
        start_projections far_stride generation perplexity alpha attraction repulsion step momentum early_exaggeration
        early_iterations anneal_from anneal_over thread_groups_x thread_groups_y row_groups_x row_groups_y old_length
        old_ld_length old_dims dims factor kept_dims squeezed_from living witness changed stiffness patient_until anneal_share
        recentred governed perplexity_range spring spare spare_too);
    let control = fields!(Control: iteration present trees tree_seed pass_number next_slice slice_start slice_length
        refining found changed changes rate refreshed_at generation born_at exaggeration annealed momentum z quarantined
        size spare spare_too);
    for module in [alone("shared/params.wgsl").module, stage(Stage::Repel).module, stage(Stage::Look).module] {
        assert_eq!(layout(&module, "Params"), params);
        assert_eq!(layout(&module, "Control"), control);
    }
    let mut moved = params.clone();
    moved.1.swap(3, 4);
    assert_ne!(layout(&alone("shared/params.wgsl").module, "Params"), moved, "swapped fields go unnoticed");
    assert_eq!(params.0 % 16, 0, "a uniform is whole vec4s");
}

#[test]
fn dispatches_and_steps_lie_in_memory_as_the_shaders_expect() {
    let look = stage(Stage::Look).module;
    let dispatches = fields!(Dispatches: slice refined pass_end affine affine_rows affine_blocks affine_once moved
        moved_once);
    assert_eq!(layout(&look, "Dispatches"), dispatches);
    let (size, fields) = layout(&look, "Groups");
    let offsets: Vec<usize> = fields.iter().map(|field| field.1).collect();
    assert_eq!((size, offsets), (size_of::<Groups>(), vec![0, 4, 8]));
    assert_eq!(layout(&stage(Stage::Keys).module, "Step"), fields!(Step: level height per_node padding));
    assert!(size_of::<Step>() as u64 <= tree::TreePlan::STEP_BYTES);
}

/// The numbers that a module itself gives a name.
fn constants(module: &Module) -> BTreeMap<String, f64> {
    named_numbers(module, false)
}

/// The numbers with a name of a module, or those that it imports.
fn named_numbers(module: &Module, wanted: bool) -> BTreeMap<String, f64> {
    let named = module.constants.iter().filter_map(|(_, constant)| {
        let (name, imported) = plain_name(constant.name.as_deref()?);
        let value = match module.global_expressions[constant.init] {
            Expression::Literal(Literal::U32(value)) => f64::from(value),
            Expression::Literal(Literal::F32(value)) => f64::from(value),
            Expression::Literal(other) => panic!("{name} is {other:?}"),
            _ => return None,
        };
        (imported == wanted).then(|| (name.to_owned(), value))
    });
    named.collect()
}

fn compare(path: &str, module: &Module, twins: &[(&str, f64)], own: &[&str]) -> Result<(), String> {
    let mut found = constants(module);
    for &(name, value) in twins {
        match found.remove(name) {
            Some(known) if known == value => {}
            other => return Err(format!("{path}: {name} is {other:?} instead of {value}")),
        }
    }
    found.retain(|name, _| !own.contains(&name.as_str()));
    if found.is_empty() { Ok(()) } else { Err(format!("{path}: {found:?} are compared with nothing")) }
}

#[test]
fn numbers_of_the_search_are_the_native_ones() {
    let inbox =
        [("FINDS", propose::FINDS as f64), ("OFFERED", propose::OFFERED as f64), ("OFFERS", propose::OFFERS as f64)];
    let embedding = [("FROM_EMBEDDING", propose::FROM_EMBEDDING as f64), ("ANYWHERE", f64::from(propose::ANYWHERE))];
    let proposed = [&inbox[..], &embedding].concat();
    let merged = [&inbox[..], &[("FREE", f64::from(u32::MAX)), ("REACH", f64::from(arrive::REACH))]].concat();
    // The filter of members only saves time.
    assert_eq!(compare("propose", &stage(Stage::Propose).module, &proposed, &["FILTER"]), Ok(()));
    assert_eq!(propose::FINDS, propose::OFFERED, "both are kept in the same loop");
    assert_eq!(compare("merge", &stage(Stage::Merge).module, &merged, &[]), Ok(()));
    let tree = [("LEAF", project::LEAF as f64), ("FOUND", project::FOUND as f64), ("PIECE", tree::PIECE as f64)];
    assert_eq!(compare("project", &stage(Stage::Join).module, &tree, &[]), Ok(()));
    assert!(project::LEAF as u64 <= shape::WORKGROUP, "one thread a row of a leaf");
    let wrong = [("LEAF", 47.0), tree[1], tree[2]];
    assert!(compare("project", &stage(Stage::Join).module, &wrong, &[]).is_err(), "a wrong number goes unnoticed");
    assert!(compare("project", &stage(Stage::Join).module, &tree[1..], &[]).is_err(), "a number is forgotten");
}

#[test]
fn numbers_of_lists_and_decisions_are_the_native_ones() {
    let names = [
        ("NEW", f64::from(lists::NEW)),
        ("NEXT", f64::from(lists::NEXT)),
        ("POINT", f64::from(lists::POINT)),
        ("EMPTY", f64::from(lists::EMPTY)),
        ("FARTHEST", f64::from(FARTHEST)),
        ("DEAD", f64::from(marks::DEAD)),
        ("PINNED", f64::from(marks::PINNED)),
        ("CHANGED", f64::from(marks::CHANGED)),
        ("COMING", f64::from(marks::COMING)),
        ("LOST_MUCH", forget::LOST_MUCH as f64),
    ];
    assert_eq!(compare("lists", &alone("shared/lists.wgsl").module, &names, &["DIRTY", "FRESH", "HUNGRY"]), Ok(()));
    let threads = [("WORKGROUP", shape::WORKGROUP as f64)];
    assert_eq!(compare("params", &alone("shared/params.wgsl").module, &threads, &[]), Ok(()));
    let decisions = [
        ("IDLE_PROBABILITY", f64::from(decide::IDLE_PROBABILITY)),
        ("SMOOTHING", f64::from(decide::SMOOTHING)),
        ("WARM_UP_PASSES", f64::from(decide::WARM_UP_PASSES)),
        ("YOUNG_MOMENTUM", f64::from(decide::YOUNG_MOMENTUM)),
        ("CHANGES_WORTH_A_REFRESH", f64::from(decide::CHANGES_WORTH_A_REFRESH)),
        ("LONGEST_WAIT", f64::from(decide::LONGEST_WAIT)),
        ("DRAW", f64::from(decide::DRAW)),
        ("DRAW_TREE", f64::from(search::DRAW_TREE)),
        ("SCAN_BLOCK", shape::SCAN_BLOCK as f64),
    ];
    assert_eq!(compare("decide", &stage(Stage::Look).module, &decisions, &[]), Ok(()));
}

#[test]
fn numbers_of_affinities_and_changes_are_the_native_ones() {
    let widths = [
        ("TOLERANCE", f64::from(calibrate::TOLERANCE)),
        ("MAX_STEPS", calibrate::MAX_STEPS as f64),
        ("EPSILON", f64::from(f32::EPSILON)),
        ("MIN_POSITIVE", f64::from(f32::MIN_POSITIVE)),
    ];
    let scales = [("SCALES", calibrate::SCALES as f64)];
    assert_eq!(compare("gaussian", &alone("shared/gaussian.wgsl").module, &scales, &[]), Ok(()));
    // WGSL has no infinity.
    assert_eq!(compare("calibrate", &stage(Stage::Calibrate).module, &widths, &["HUGE"]), Ok(()));
    let scan = [("SCAN_BLOCK", shape::SCAN_BLOCK as f64), ("SCAN_THREADS", 256.0), ("EACH", 4.0)];
    assert_eq!(scan[0].1, scan[1].1 * scan[2].1);
    assert_eq!(compare("symmetrise", &stage(Stage::Count).module, &scan, &["FITS"]), Ok(()));
    let draws = [("BEFORE", f64::from(start::BEFORE)), ("RANDOM_DRAWS", f64::from(start::RANDOM_DRAWS))];
    assert_eq!(compare("relist", &stage(Stage::Relist).module, &draws, &[]), Ok(()));
    let axes = [("NOISE", f64::from(descent::NOISE)), ("OPENING", f64::from(descent::OPENING))];
    assert_eq!(compare("reshape", &stage(Stage::Reshape).module, &axes, &[]), Ok(()));
    let sizes =
        [("SMALLEST_SIZE", f64::from(descent::SMALLEST_SIZE)), ("LARGEST_SIZE", f64::from(descent::LARGEST_SIZE))];
    assert_eq!(compare("scale", &stage(Stage::Scale).module, &sizes, &[]), Ok(()));
    let squeezed = [("SQUEEZE", f64::from(embedding::SQUEEZE))];
    assert_eq!(compare("squeeze", &stage(Stage::Squeeze).module, &squeezed, &[]), Ok(()));
    for without in [Stage::Resize, Stage::Remeasure, Stage::Mark] {
        assert_eq!(compare(without.entry(), &stage(without).module, &[], &[]), Ok(()));
    }
}

#[test]
fn numbers_of_living_data_are_the_native_ones() {
    let many = [("MANY", f64::from(change::MANY))];
    assert_eq!(compare("forget", &stage(Stage::Forget).module, &many, &[]), Ok(()));
    // The filter of rows already met only saves time.
    let sample = [("SAMPLE", f64::from(arrive::SAMPLE))];
    assert_eq!(compare("arrive", &stage(Stage::Arrive).module, &sample, &["FILTER"]), Ok(()));
    let inbox = [("OFFERS", propose::OFFERS as f64)];
    assert_eq!(compare("introduce", &stage(Stage::Introduce).module, &inbox, &[]), Ok(()));
    let seats = [
        ("GUIDES", arrive::GUIDES as f64),
        ("NOISE", f64::from(change::NOISE)),
        ("DRAW_NOISE", f64::from(change::DRAW_NOISE)),
        ("FRIENDS", descent::FRIENDS as f64),
        ("DRAW_FILL", f64::from(change::DRAW_FILL)),
        ("RANDOM_DRAWS", f64::from(start::RANDOM_DRAWS)),
    ];
    assert_eq!(compare("seat", &stage(Stage::Seat).module, &seats, &[]), Ok(()));
}

#[test]
fn numbers_of_the_descent_are_the_native_ones() {
    let sample = [("BLOCK", forces::BLOCK as f64), ("DRAW", f64::from(forces::DRAW))];
    for shared in [Stage::Repel, Stage::Attract] {
        let found = named_numbers(&stage(shared).module, true);
        sample.iter().for_each(|&(name, value)| assert_eq!(found.get(name), Some(&value), "{shared:?}: {name}"));
    }
    assert_eq!(compare("attract", &stage(Stage::Attract).module, &[], &[]), Ok(()));
    assert_eq!(compare("repel", &stage(Stage::Repel).module, &[], &["TILE"]), Ok(()));
    assert_eq!(forces::BLOCK as u64 % shape::WORKGROUP, 0, "a workgroup shares one sample");
    // Beside the places of a companion's list, the companion, an affine one and anybody are candidates.
    let tried = [("FROM_COMPANION", (follow::CANDIDATES - 3) as f64), ("DRAW", f64::from(follow::DRAW))];
    assert_eq!(compare("follow", &stage(Stage::Follow).module, &tried, &[]), Ok(()));
    let moves = [
        ("MAX_MOVE", f64::from(integrate::MAX_MOVE)),
        ("STEP_LIMIT", f64::from(integrate::STEP_LIMIT)),
        ("LEAST_WEIGHT", f64::from(integrate::LEAST_WEIGHT)),
        ("THINNEST", f64::from(integrate::THINNEST)),
        ("NOT_FINITE", f64::from(f32::INFINITY.to_bits())),
    ];
    assert_eq!(compare("integrate", &stage(Stage::Integrate).module, &moves, &[]), Ok(()));
    let bounds = [("LARGEST", f64::from(integrate::LARGEST))];
    assert_eq!(compare("recentre", &stage(Stage::Recentre).module, &bounds, &[]), Ok(()));
    assert_eq!(compare("normalise", &stage(Stage::Normalise).module, &[("THREADS", 256.0)], &[]), Ok(()));
    for (chunks, threads) in [(0, 256.0), (1, 256.0), (4, 128.0)] {
        let variant = Variant { chunks, metric: 0, student: false };
        let measure = Shaders::new().compose(Stage::Measure, variant).module;
        assert_eq!(compare("measure", &measure, &[("THREADS", threads)], &[]), Ok(()));
    }
}
