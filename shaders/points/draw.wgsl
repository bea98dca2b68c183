// Draw: the points, straight from the position buffer. One triangle per point, around its disc.
// `point` places them, in the order of the draw list; `sphere`, `spot` and `disc` colour them: round with its own depth,
// round at the depth of the centre (small points), and flat with smooth edges (maps).
// `halo` places the marks of chosen points: `glow` lies behind them, `ring` around them.
#import nevis::points::{view, order, HIDDEN, style_of, view_position, radius_px, seen, colour_of, layer_of}

const TO_LIGHT = vec3<f32>(-0.36, 0.48, 0.8);
const LAYER_HALO = 0.4; // of a map: behind points, before greyed ones

struct Splat {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(linear) offset: vec2<f32>, // from the centre, in radii
    @location(1) @interpolate(flat) colour: vec3<f32>, // linear
    @location(2) @interpolate(flat) sphere: vec3<f32>, // z of the centre and radius in view space, radius in pixels
}

// A corner of the triangle around the unit disc.
fn corner(index: u32) -> vec2<f32> {
    if index == 0u { return vec2(0.0, 2.0); }
    return vec2(select(-1.7320509, 1.7320509, index == 2u), -1.0);
}

// Nothing is drawn of a triangle without area.
fn nothing() -> Splat {
    return Splat(vec4(0.0, 0.0, 2.0, 1.0), vec2(0.0), vec3(0.0), vec3(0.0));
}

// The triangle's corner around a centre; `reach` is the radius to cover, in radii.
fn splat(centre: vec4<f32>, vertex: u32, reach: f32, colour: vec3<f32>, sphere: vec3<f32>) -> Splat {
    let offset = corner(vertex % 3u) * reach;
    let shift = offset * sphere.z * 2.0 * centre.w / view.viewport_px.zw;
    return Splat(centre + vec4(shift, 0.0, 0.0), offset, colour, sphere);
}

@vertex
fn point(@builtin(vertex_index) vertex: u32) -> Splat {
    let slot = order[vertex / 3u];
    let style = style_of(slot);
    if (style & HIDDEN) != 0u { return nothing(); }
    let place = view_position(slot);
    var centre = view.clip_from_view * vec4(place, 1.0);
    if !seen(centre) { return nothing(); }
    let radius = radius_px(style, centre.w);
    let colour = colour_of(style);
    let sphere = vec3(place.z, radius * centre.w * view.view_per_px, radius);
    if view.flat_map != 0u {
        centre.z = centre.w * layer_of(style);
        return splat(centre, vertex, 1.0 + 0.5 / radius, colour, sphere); // half a pixel more: the smooth edge
    }
    if radius < 0.75 { // could fall between the centres of pixels
        let at_px = (centre.xy / centre.w * 0.5 + 0.5) * view.viewport_px.zw;
        centre = vec4(((floor(at_px) + 0.5) / view.viewport_px.zw * 2.0 - 1.0) * centre.w, centre.zw);
    }
    return splat(centre, vertex, 1.0, colour, sphere);
}

@vertex
fn halo(@builtin(vertex_index) vertex: u32) -> Splat {
    let slot = order[vertex / 3u];
    let style = style_of(slot);
    if (style & HIDDEN) != 0u { return nothing(); }
    let place = view_position(slot);
    var centre = view.clip_from_view * vec4(place, 1.0);
    if !seen(centre) { return nothing(); }
    let inner = radius_px(style, centre.w);
    let radius = inner + view.ring_px;
    if view.flat_map != 0u {
        centre.z = centre.w * LAYER_HALO;
    } else {
        let behind = place.z - inner * centre.w * view.view_per_px; // the points it belongs to cover it
        centre.z = (view.clip_from_view[2].z * behind + view.clip_from_view[3].z) * centre.w
            / (view.clip_from_view[2].w * behind + view.clip_from_view[3].w);
    }
    return splat(centre, vertex, 1.0 + 0.5 / radius, view.ring, vec3(place.z, inner / radius, radius));
}

// How much of the colour is seen where the surface lifts towards the eye by `height` (in radii).
fn shade(in: Splat, height: f32) -> f32 {
    let towards = max(dot(vec3(in.offset, height), TO_LIGHT), 0.0);
    let round = clamp(0.4 * in.sphere.z - 0.3, 0.0, 1.0); // a few pixels cannot show a sphere
    return 1.0 - view.shading * round * (1.0 - towards);
}

struct Pixel {
    @location(0) colour: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn sphere(in: Splat) -> Pixel {
    let distance2 = dot(in.offset, in.offset);
    if distance2 > 1.0 { discard; }
    let height = sqrt(1.0 - distance2);
    let z = in.sphere.x + in.sphere.y * height;
    let clip_z = view.clip_from_view[2].z * z + view.clip_from_view[3].z;
    let clip_w = view.clip_from_view[2].w * z + view.clip_from_view[3].w;
    let depth = select(1.0, clip_z / clip_w, clip_w > clip_z); // a sphere may reach through the near plane
    return Pixel(vec4(in.colour * shade(in, height), 1.0), depth);
}

@fragment
fn spot(in: Splat) -> @location(0) vec4<f32> {
    let distance2 = dot(in.offset, in.offset);
    if distance2 > 1.0 { discard; }
    return vec4(in.colour * shade(in, sqrt(1.0 - distance2)), 1.0);
}

@fragment
fn disc(in: Splat) -> @location(0) vec4<f32> {
    let cover = clamp((1.0 - length(in.offset)) * in.sphere.z + 0.5, 0.0, 1.0);
    if cover == 0.0 { discard; }
    return vec4(in.colour * cover, cover);
}

@fragment
fn glow(in: Splat) -> @location(0) vec4<f32> {
    if dot(in.offset, in.offset) > 1.0 { discard; }
    return vec4(in.colour, 1.0);
}

@fragment
fn ring(in: Splat) -> @location(0) vec4<f32> {
    let distance = length(in.offset);
    let outer = clamp((1.0 - distance) * in.sphere.z + 0.5, 0.0, 1.0);
    let inner = clamp((distance - in.sphere.y) * in.sphere.z + 0.5, 0.0, 1.0);
    let cover = outer * inner;
    if cover == 0.0 { discard; }
    return vec4(in.colour * cover, cover);
}
