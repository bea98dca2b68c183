// Pick: which point is seen at a pixel. One thread per point that is drawn, and after them per highlighted one, which
// are drawn again, over the others. Run twice: first for how near the nearest is that covers the pixel, then for which
// of those as near is drawn last. On this side: pick/round.rs
#import nevis::points::{view, order, HIDDEN, style_of, view_position, radius_px, seen, layer_of}
#import nevis::points::{most_near, nearness, is_perspective}

struct Pick {
    centre: vec2<f32>, // of the pixel, from the top left of the viewport
    found: u32, // where in `found` the answer goes
    again: u32, // 0: how near is it; 1: which is it
    method: u32, // how points are drawn …
    highlight: u32, // … and highlighted ones after them
    highlighted: u32, // how many of those there are
    row: u32, // threads of a row of workgroups
}

@group(1) @binding(0) var<uniform> pick: Pick;
@group(1) @binding(1) var<storage, read> highlighted: array<u32>; // slots
@group(1) @binding(2) var<storage, read_write> found: array<atomic<u32>>; // nearness, and place in the order + 1; 0: none

// Methods.
const SPHERE = 0u;
const SPOT = 1u;
const DISC = 2u;
const SPLATS = 3u;
const NATIVE = 4u;
// What partly covered pixels of a map are worth beside covered ones: less than the lowest layer.
const PARTLY = 0.1;

// Numbers as whole numbers of the same order; never 0.
fn ascending(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return bits ^ (u32(bitcast<i32>(value) >> 31u) | 0x80000000u);
}

// The depth that is left of a splat, as `settle` has it.
fn splat_depth(style: u32, centre: vec4<f32>, z: f32) -> f32 {
    let near = f32(nearness(style, centre, z)) - 1.0;
    let far = view.nearness.x / view.nearness.y - near / (most_near() * view.nearness.y);
    let clip_z = view.clip_from_view[2].z;
    let clip_1 = view.clip_from_view[3].z;
    return select(clip_1 - clip_z * far, clip_1 / exp2(far) - clip_z, is_perspective());
}

// The depth of a sphere's surface; `lift`: of the surface before the centre, in view space.
fn sphere_depth(z: f32, lift: f32) -> f32 {
    let clip_z = view.clip_from_view[2].z * (z + lift) + view.clip_from_view[3].z;
    let clip_w = view.clip_from_view[2].w * (z + lift) + view.clip_from_view[3].w;
    return select(1.0, clip_z / clip_w, clip_w > clip_z);
}

// How near a slot is at the pixel; 0 if it does not cover it.
fn nearness_at_pixel(slot: u32, method: u32) -> u32 {
    let style = style_of(slot);
    let place = view_position(slot);
    let centre = view.clip_from_view * vec4(place, 1.0);
    if (style & HIDDEN) != 0u || !seen(centre) { return 0u; }
    let flat_map = view.flat_map != 0u;
    if method <= DISC && !flat_map && centre.z < 0.0 { return 0u; } // beyond the far plane
    var at_px = (vec2(centre.x, -centre.y) / centre.w * 0.5 + 0.5) * view.viewport_px.zw;
    let radius = radius_px(style, centre.w);
    let own_pixel = all(floor(at_px) == floor(pick.centre));
    if radius < 0.75 && method >= SPLATS {
        at_px = floor(at_px) + 0.5;
    } else if radius < 0.75 && !flat_map {
        at_px = vec2(floor(at_px.x) + 0.5, ceil(at_px.y) - 0.5); // triangles count from the bottom
    }
    let offset = pick.centre - at_px;
    let height2 = radius * radius - dot(offset, offset);
    let covers = height2 >= 0.0;
    if method == DISC {
        if covers { return ascending(layer_of(style)); }
        if radius < 0.75 && own_pixel { return ascending(layer_of(style) * PARTLY); }
        return 0u;
    }
    if !covers { return 0u; }
    if method == SPHERE {
        return ascending(sphere_depth(place.z, sqrt(height2) * centre.w * view.view_per_px));
    }
    if flat_map { return ascending(layer_of(style)); }
    if method == SPOT { return ascending(centre.z / centre.w); }
    if method == SPLATS { return ascending(splat_depth(style, centre, place.z)); }
    return ascending(select(place.z, -log(centre.w), is_perspective()));
}

@compute @workgroup_size(64)
fn seek(@builtin(global_invocation_id) id: vec3<u32>) {
    let sequence = id.y * pick.row + id.x;
    if sequence >= view.drawn + pick.highlighted { return; }
    var near = 0u;
    if sequence < view.drawn {
        near = nearness_at_pixel(order[sequence], pick.method);
    } else {
        near = nearness_at_pixel(highlighted[sequence - view.drawn], pick.highlight);
    }
    if near == 0u { return; }
    if pick.again == 0u {
        atomicMax(&found[pick.found], near);
    } else if near == atomicLoad(&found[pick.found]) {
        atomicMax(&found[pick.found + 1u], sequence + 1u);
    }
}
