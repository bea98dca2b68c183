// Tone: how dark it is beside nearer points, and how much fog stands before distant ones.
#define_import_path nevis::points::tone

struct Light {
    fog_colour: vec3<f32>, // linear
    fog: f32, // 0: none
    clip_z: vec2<f32>, // rows of the projection that make depth: of z, and of 1
    perspective: u32,
    strength: f32, // of the darkening; 0: none
    focus: f32, // distance of what is looked at
    extent: f32, // of a typical scene around it; both in view units
    reach_px: i32, // how far around a pixel is looked: along rows and columns
    diagonal_px: i32, // and along diagonals
    fades: u32, // there is no background to fade into
}

const MOST = 0.12; // a difference in depth beyond this share of the extent counts as this much
const DARKEST = 0.12;
const FOG_BEGINS = 0.45; // before the focus, in extents
const FOG_MOST = 0.88; // never gone

// What two of the eight pixels around add to the cover; `nearer`: by how much they are, in extents.
fn cover(nearer: vec2<f32>) -> f32 {
    return dot(clamp(nearer, vec2(0.0), vec2(MOST)), vec2(0.125));
}

// The next of four steps around a pixel: right, up, and the diagonals farther out.
fn next_step(step: vec2<i32>, pair: i32, diagonal_px: i32) -> vec2<i32> {
    return select(vec2(-step.y, step.x), vec2(diagonal_px), pair == 1);
}

// The share of the colour that remains under a cover.
fn remains(light: Light, cover: f32) -> f32 {
    return mix(DARKEST, 1.0, exp(-light.strength * cover));
}

// How much of the background stands before a point.
fn veil(light: Light, distance: f32) -> f32 {
    let beyond = max((distance - light.focus) / light.extent + FOG_BEGINS, 0.0);
    return FOG_MOST * (1.0 - exp(-light.fog * beyond));
}
