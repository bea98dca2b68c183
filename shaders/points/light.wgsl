// Light: eye-dome lighting and fog, from the depths of what was drawn. One triangle over the viewport.
// A point is darkened by what is nearer around it, so that depth edges show. `light` gives the fog to add and the share
// that remains of the colour, for a blend of one and source alpha; `fade` lets colour and alpha fade instead, where
// there is no background to fade into.
#import nevis::points::tone::{Light, cover, next_step, remains, veil}

@group(0) @binding(0) var<uniform> params: Light;
@group(0) @binding(1) var depths: texture_depth_2d;

@vertex
fn screen(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(vec2(vertex & 1u, vertex >> 1u) * 4u);
    return vec4(corner - 1.0, 0.0, 1.0);
}

// How far nearer points cover a pixel.
fn covered(pixel: vec2<i32>, depth: f32) -> f32 {
    // Differences in depth → differences in distance, as shares of the extent.
    let scale = select(1.0 / (params.clip_z.x * params.extent), 1.0 / (depth + params.clip_z.x),
        params.perspective != 0u);
    // A loop, because software adapters take both ways of an `if`, but leave loops.
    let pairs = select(0, 4, depth > 0.0 && params.strength > 0.0);
    var step = vec2(params.reach_px, 0);
    var sum = 0.0;
    for (var pair = 0; pair < pairs; pair += 1) {
        let beside = vec2(textureLoad(depths, pixel + step, 0), textureLoad(depths, pixel - step, 0));
        sum += cover((beside - depth) * scale);
        step = next_step(step, pair, params.diagonal_px);
    }
    return sum;
}

fn distance_at(depth: f32) -> f32 {
    return select((params.clip_z.y - depth) / params.clip_z.x, params.clip_z.y / (depth + params.clip_z.x),
        params.perspective != 0u);
}

@fragment
fn light(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let depth = textureLoad(depths, pixel, 0);
    if depth == 0.0 { discard; } // the background
    let fog = select(veil(params, distance_at(depth)), 0.0, params.fades != 0u);
    return vec4(params.fog_colour * fog, remains(params, covered(pixel, depth)) * (1.0 - fog));
}

@fragment
fn fade(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let depth = textureLoad(depths, vec2<i32>(at.xy), 0);
    if depth == 0.0 { discard; } // nothing there
    return vec4(0.0, 0.0, 0.0, 1.0 - veil(params, distance_at(depth)));
}
