// Splat: small points without triangles, for adapters on which triangles are dear. One thread per point.
// `splat` leaves in every pixel the key of the nearest point: how near it is (on a map: its layer) above its place in the
// draw order, so that of points as near, and on a map, the later one is on top. `settle` gives pixels their colours, lit.
#import nevis::points::{view, order, HIDDEN, style_of, view_position, radius_px, seen, colour_of, layer_of}
#import nevis::points::{most_near, nearness, is_perspective}
#import nevis::points::tone::{Light, cover, next_step, remains, veil}

@group(1) @binding(0) var<storage, read_write> keys: array<atomic<u32>>; // of each pixel of the viewport; 0: nothing
@group(1) @binding(0) var<storage, read> settled: array<u32>;
@group(1) @binding(1) var<uniform> light: Light;

// The pixels of a disc in a row, or its rows: first and last, none if first > last.
fn span(at: f32, reach: f32, limit: f32) -> vec2<i32> {
    let centre = clamp(at, -1e6, 1e6); // bounded, so that it can be counted
    return vec2(i32(max(ceil(centre - reach - 0.5), 0.0)), i32(min(floor(centre + reach - 0.5), limit - 1.0)));
}

@compute @workgroup_size(64)
fn splat(@builtin(global_invocation_id) id: vec3<u32>) {
    let rank = id.y * view.row + id.x;
    if rank >= view.drawn { return; }
    let slot = order[rank];
    let style = style_of(slot);
    let place = view_position(slot);
    let centre = view.clip_from_view * vec4(place, 1.0);
    if (style & HIDDEN) != 0u || !seen(centre) { return; }
    var at_px = (vec2(centre.x, -centre.y) / centre.w * 0.5 + 0.5) * view.viewport_px.zw;
    var radius = radius_px(style, centre.w);
    if radius < 0.75 { // could fall between the centres of pixels
        at_px = floor(at_px) + 0.5;
        radius = 0.25;
    }
    let key = (nearness(style, centre, place.z) << view.rank_bits) | rank;
    let rows = span(at_px.y, radius, view.viewport_px.w);
    for (var y = rows.x; y <= rows.y; y += 1) {
        let up = f32(y) + 0.5 - at_px.y;
        let columns = span(at_px.x, sqrt(max(radius * radius - up * up, 0.0)), view.viewport_px.z);
        let row = y * i32(view.viewport_px.z);
        for (var pixel = row + columns.x; pixel <= row + columns.y; pixel += 1) {
            if atomicLoad(&keys[pixel]) < key { // looking is cheaper than writing
                atomicMax(&keys[pixel], key);
            }
        }
    }
}

@vertex
fn screen(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(vec2(vertex & 1u, vertex >> 1u) * 4u);
    return vec4(corner - 1.0, 0.0, 1.0);
}

struct Pixel {
    @location(0) colour: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

// The nearness of a pixel of the viewport.
fn nearness_at(pixel: vec2<i32>) -> f32 {
    let size = vec2<i32>(view.viewport_px.zw);
    let inside = clamp(pixel, vec2(0), size - 1);
    return f32(settled[inside.y * size.x + inside.x] >> view.rank_bits);
}

@fragment
fn settle(@builtin(position) at: vec4<f32>) -> Pixel {
    let pixel = vec2<i32>(at.xy - view.viewport_px.xy);
    let key = settled[pixel.y * i32(view.viewport_px.z) + pixel.x];
    if key == 0u { discard; }
    var colour = vec4(0.0);
    var depth = 0.0;
    // A loop, because software adapters take both ways of an `if`, but leave loops.
    for (var once = select(0, 1, key != 0u); once > 0; once -= 1) {
        let style = style_of(order[key & ((1u << view.rank_bits) - 1u)]);
        colour = vec4(colour_of(style), 1.0);
        if view.flat_map != 0u {
            depth = layer_of(style);
            break;
        }
        let near = f32(key >> view.rank_bits);
        let scale = 1.0 / (most_near() * view.nearness.y); // (logarithm of) distance of a step of nearness
        let extents = scale * select(1.0 / light.extent, 0.6931472, is_perspective());
        var step = vec2(light.reach_px, 0);
        var sum = 0.0;
        for (var pair = select(4, 0, light.strength > 0.0); pair < 4; pair += 1) {
            sum += cover((vec2(nearness_at(pixel + step), nearness_at(pixel - step)) - near) * extents);
            step = next_step(step, pair, light.diagonal_px);
        }
        let far = view.nearness.x / view.nearness.y - (near - 1.0) * scale;
        let distance = select(far, exp2(far), is_perspective());
        let fog = veil(light, distance);
        colour = vec4(colour.rgb * remains(light, sum) * (1.0 - fog), 1.0);
        if light.fades != 0u { colour.a = 1.0 - fog; } else { colour += vec4(light.fog_colour * fog, 0.0); }
        depth = (light.clip_z.y - light.clip_z.x * distance) / select(1.0, distance, is_perspective());
    }
    return Pixel(colour, depth);
}
