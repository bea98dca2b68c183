// Scene: where points are, how large and in which colour. What every way of drawing them imports.
#define_import_path nevis::points

struct View {
    clip_from_view: mat4x4<f32>,
    origin: vec3<f32>, // of the cloud's centre, in view space
    focus: f32, // w at which a point has `radius_px`
    viewport_px: vec4<f32>, // x, y, width, height
    view_per_px: f32, // view units that a pixel spans at w = 1
    radius_px: f32,
    smallest_px: f32,
    largest_px: f32,
    attenuation: f32, // 0: one size on screen; 1: as perspective has it
    shading: f32, // 0: plain colour; 1: black where the light does not reach
    greyed: vec3<f32>, // linear
    greyed_scale: f32,
    ring: vec3<f32>, // linear
    ring_px: f32,
    highlight_px: f32, // least radius of a highlighted point
    dims: u32,
    stride: u32, // floats from one position to the next
    styled: u32, // slots that have a style
    flat_map: u32,
    drawn: u32, // points to draw
    row: u32, // threads of a row of workgroups
    rank_bits: u32, // of a key: the place in the draw order
    nearness: vec2<f32>, // 1 − 0 over the depths that keys tell apart: at 0, and per (logarithm of) distance
    axes: array<vec4<f32>, 64>, // of a dimension, in view space; w: the centre's coordinate
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> positions: array<f32>;
@group(0) @binding(2) var<storage, read> styles: array<u32>; // 0xFFBBGGRR: flags and sRGB
@group(0) @binding(3) var<storage, read> order: array<u32>; // slots, in the order in which they are drawn

const HIDDEN = 0x01000000u;
const GREYED = 0x02000000u;
const HIGHLIGHT = 0x04000000u;
const PLAIN = 0x00b8b0a8u; // of slots without a style
// Layers of a map, as depths (nearer is larger).
const LAYER_GREYED = 0.2;
const LAYER_POINT = 0.6;
const LAYER_HIGHLIGHT = 0.8;

fn style_of(slot: u32) -> u32 {
    if slot < view.styled { return styles[slot]; }
    return PLAIN;
}

fn linear_from_srgb(packed: u32) -> vec3<f32> {
    let c = vec3<f32>(vec3(packed, packed >> 8u, packed >> 16u) & vec3(0xffu)) / 255.0;
    return select(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, c <= vec3(0.04045));
}

fn view_position(slot: u32) -> vec3<f32> {
    var place = view.origin;
    let first = slot * view.stride;
    for (var k = 0u; k < view.dims; k += 1u) {
        let axis = view.axes[k];
        place += (positions[first + k] - axis.w) * axis.xyz;
    }
    return place;
}

fn radius_px(style: u32, w: f32) -> f32 {
    var radius = view.radius_px;
    if view.attenuation > 0.0 { radius *= exp2(view.attenuation * log2(view.focus / w)); }
    if (style & HIGHLIGHT) != 0u {
        radius = max(1.6 * radius, view.highlight_px);
    } else if (style & GREYED) != 0u {
        radius *= view.greyed_scale;
    }
    return clamp(radius, view.smallest_px, view.largest_px);
}

// Whether a point in clip space is before the camera; not if it is not a number.
fn seen(centre: vec4<f32>) -> bool {
    return centre.w > 0.0 && (centre.z <= centre.w || view.flat_map != 0u);
}

fn colour_of(style: u32) -> vec3<f32> {
    if (style & GREYED) != 0u { return view.greyed; }
    return linear_from_srgb(style);
}

// The depth of a point on a map.
fn layer_of(style: u32) -> f32 {
    if (style & HIGHLIGHT) != 0u { return LAYER_HIGHLIGHT; }
    return select(LAYER_POINT, LAYER_GREYED, (style & GREYED) != 0u);
}

fn is_perspective() -> bool {
    return view.clip_from_view[3].w == 0.0;
}

// The greatest nearness: keys are coarse, for the lower bits hold the place in the draw order.
fn most_near() -> f32 {
    return f32((0xffffffffu >> view.rank_bits) - 1u);
}

// The upper bits of a key, from 1.
fn nearness(style: u32, centre: vec4<f32>, z: f32) -> u32 {
    if view.flat_map != 0u { return u32(layer_of(style) * 5.0 + 0.5); }
    let distance = select(-z, log2(centre.w), is_perspective());
    return 1u + u32(clamp(view.nearness.x - view.nearness.y * distance, 0.0, 1.0) * most_near());
}
