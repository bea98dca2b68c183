//! Small points painted by native code, for software adapters: there, shaders are several times slower than the same
//! work done here, and the cores are wanted for other things. The twin of `splat.wgsl`, pixel for pixel up to rounding.
//!
//! ```text
//! positions, styles, order ──project──► splats ──cover──► keys ──tone──► pixels ──upload──► texture ──copy──► target
//! ```
//!
//! Bands of rows belong to one thread each, so nothing is shared and every picture comes out the same.

use crate::centre::{Centre, ascending, is_perspective, style_of};
use crate::cloud::flags::{GREYED, HIDDEN};
use crate::srgb::{self, LINEAR};
use crate::view::{LightUniform, ViewUniform};
use bevy::ecs::prelude::{Component, Resource};
use bevy::math::Vec3;
use bevy::render::extract_resource::ExtractResource;
use bevy::render::render_resource::{
    CommandEncoder, Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, Texture, TextureAspect,
    TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// As in `tone.wgsl`.
const MOST: f32 = 0.12;
const DARKEST: f32 = 0.12;
const FOG_BEGINS: f32 = 0.45;
const FOG_MOST: f32 = 0.88;
/// Bands that a thread takes at a time: a few for each, because clouds are dense in the middle.
const BANDS_PER_THREAD: usize = 2;
/// Steps of the table of how dark a cover makes.
const COVERS: usize = 255;

/// A camera's canvas, and the texture it is uploaded to.
#[derive(Debug, Component)]
pub(crate) struct NativeTarget {
    texture: Texture,
    format: TextureFormat,
    canvas: Canvas,
    /// What was painted last, and when; the same need not be painted again.
    painted: Option<(Painted, Instant)>,
}

/// For how long a picture that native code painted is kept although points or camera have moved since (none by default).
/// Colours are painted at once. For an interface that shall stay quick while the cores are busy with moving the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Resource, ExtractResource)]
pub struct RepaintPace(pub Duration);

/// All that a picture depends on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Painted {
    pub view: ViewUniform,
    pub light: LightUniform,
    pub positions_generation: u64,
    pub styles_generation: u64,
}

/// What is painted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub positions: &'a [f32],
    pub styles: &'a [u32],
    pub order: &'a [u32],
    /// sRGB.
    pub background: [u8; 4],
}

impl NativeTarget {
    /// Formats that bytes can be written in.
    pub fn supports(format: TextureFormat) -> bool {
        matches!(format, TextureFormat::Rgba8UnormSrgb | TextureFormat::Bgra8UnormSrgb)
    }

    /// For a viewport of this size.
    pub fn new(device: &RenderDevice, width: u32, height: u32, format: TextureFormat) -> Self {
        let texture = device.create_texture(&TextureDescriptor {
            label: Some("points:texture:native"),
            size: Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format,
            usage: TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { texture, format, canvas: Canvas::new(width as usize, height as usize), painted: None }
    }

    /// Whether it is for a viewport of this size.
    pub fn fits(&self, width: u32, height: u32, format: TextureFormat) -> bool {
        let size = self.texture.size();
        (size.width, size.height, self.format) == (width, height, format)
    }

    /// Paints the scene and uploads it, unless it is there already.
    pub fn paint(&mut self, queue: &RenderQueue, scene: Scene<'_>, painted: Painted, pace: RepaintPace) {
        if let Some((before, at)) = &self.painted {
            let same_looks = before.styles_generation == painted.styles_generation
                && before.light.fog_colour == painted.light.fog_colour
                && before.view.flat_map == painted.view.flat_map;
            if *before == painted || (same_looks && at.elapsed() < pace.0) {
                return;
            }
        }
        let swapped = self.format == TextureFormat::Bgra8UnormSrgb;
        self.canvas.paint(&painted.view, &painted.light, scene, swapped);
        let (width, height) = (self.canvas.width as u32, self.canvas.height as u32);
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        let size = Extent3d { width, height, depth_or_array_layers: 1 };
        queue.write_texture(whole(&self.texture), bytemuck::cast_slice(&self.canvas.pixels), layout, size);
        self.painted = Some((painted, Instant::now()));
    }

    /// Puts it where the camera draws.
    pub fn record(&self, encoder: &mut CommandEncoder, target: &Texture) {
        encoder.copy_texture_to_texture(whole(&self.texture), whole(target), self.texture.size());
    }
}

fn whole(texture: &Texture) -> TexelCopyTextureInfo<'_> {
    TexelCopyTextureInfo { texture, mip_level: 0, origin: Origin3d::ZERO, aspect: TextureAspect::All }
}

/// A point on the screen.
#[derive(Debug, Clone, Copy, Default)]
struct Splat {
    x: f32,
    y: f32,
    /// Pixels; negative: not seen.
    radius: f32,
    /// Larger is nearer; of a map, its layer.
    nearness: u32,
    /// Linear, with the fog before it taken off …
    colour: Vec3,
    /// … and how much of the fog's colour is to be added.
    fog: f32,
}

/// Pixels in the making.
#[derive(Debug)]
struct Canvas {
    width: usize,
    height: usize,
    splats: Vec<Splat>,
    /// Nearness above the place in the draw order plus one; 0: nothing.
    keys: Vec<u64>,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        let pixels = width * height;
        Self { width, height, splats: Vec::new(), keys: vec![0; pixels], pixels: vec![[0; 4]; pixels] }
    }

    fn paint(&mut self, view: &ViewUniform, light: &LightUniform, scene: Scene<'_>, swapped: bool) {
        let drawn = (view.drawn as usize).min(scene.order.len());
        self.splats.clear();
        scene.order[..drawn]
            .par_iter()
            .map(|&slot| project(view, light, scene, slot))
            .collect_into_vec(&mut self.splats);
        let bands = rayon::current_num_threads() * BANDS_PER_THREAD;
        let rows = self.height.div_ceil(bands).max(1);
        let (width, splats) = (self.width, &self.splats);
        self.keys.par_chunks_mut(rows * width).enumerate().for_each(|(band, keys)| {
            keys.fill(0);
            for (rank, splat) in splats.iter().enumerate() {
                cover(splat, rank, keys, width, band * rows);
            }
        });
        let tone = Tone { light, keys: &self.keys, splats, width, height: self.height, remains: remains(light) };
        let flat = view.flat_map != 0;
        self.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let keys = &self.keys[y * width..][..width];
            for (x, (pixel, &key)) in row.iter_mut().zip(keys).enumerate() {
                let [red, green, blue, alpha] = if key == 0 { scene.background } else { tone.pixel(x, y, key, flat) };
                *pixel = if swapped { [blue, green, red, alpha] } else { [red, green, blue, alpha] };
            }
        });
    }
}

/// The share of the colour that remains under a cover, by its step.
fn remains(light: &LightUniform) -> [f32; COVERS + 1] {
    std::array::from_fn(|step| {
        let cover = MOST * step as f32 / COVERS as f32;
        if light.strength > 0.0 { DARKEST + (1.0 - DARKEST) * (-light.strength * cover).exp() } else { 1.0 }
    })
}

/// Where a point is on the screen, as `splat` in `splat.wgsl` has it.
fn project(view: &ViewUniform, light: &LightUniform, scene: Scene<'_>, slot: u32) -> Splat {
    let unseen = Splat { radius: -1.0, ..Splat::default() };
    let style = style_of(scene.styles, slot);
    if style & HIDDEN != 0 {
        return unseen;
    }
    let position = &scene.positions[slot as usize * view.stride as usize..][..view.dims as usize];
    let Some(centre) = Centre::of(view, position) else { return unseen };
    let colour = if style & GREYED != 0 { view.greyed } else { linear(style) };
    let fog = if light.fog > 0.0 && view.flat_map == 0 {
        let distance = if is_perspective(view) { centre.clip.w } else { -centre.place.z };
        let beyond = ((distance - light.focus) / light.extent + FOG_BEGINS).max(0.0);
        FOG_MOST * (1.0 - (-light.fog * beyond).exp())
    } else {
        0.0
    };
    let Disc { x, y, radius, nearness } = disc(&centre, view, style, light.extent);
    Splat { x, y, radius, nearness, colour: colour * (1.0 - fog), fog }
}

/// What is painted around the centre of a point. `extent`: of a typical scene.
#[inline]
pub(crate) fn disc(centre: &Centre, view: &ViewUniform, style: u32, extent: f32) -> Disc {
    let Centre { place, clip, mut x, mut y } = *centre;
    let mut radius = view.radius_px;
    if view.attenuation > 0.0 {
        radius *= (view.attenuation * (view.focus.ln() - clip.w.ln())).exp();
    }
    let greyed = style & GREYED != 0;
    if greyed {
        radius *= view.greyed_scale;
    }
    radius = radius.clamp(view.smallest_px, view.largest_px.max(view.smallest_px));
    if radius < 0.75 {
        (x, y, radius) = (x.floor() + 0.5, y.floor() + 0.5, 0.25); // could fall between the centres of pixels
    }
    if view.flat_map != 0 {
        return Disc { x, y, radius, nearness: 1 + u32::from(!greyed) };
    }
    // In units in which differences are shares of the extent: what darkens and what fades is told by it.
    let depth = if is_perspective(view) { clip.w.ln() } else { -place.z / extent };
    Disc { x, y, radius, nearness: nearness_of(depth) }
}

/// What is painted of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disc {
    pub x: f32,
    pub y: f32,
    pub radius: f32,
    /// Larger is nearer; of a map, its layer.
    pub nearness: u32,
}

/// Numbers in order: the smaller the depth, the larger.
fn nearness_of(depth: f32) -> u32 {
    !ascending(depth)
}

fn depth_of(nearness: u32) -> f32 {
    let bits = !nearness;
    f32::from_bits(if bits & 0x8000_0000 != 0 { bits ^ 0x8000_0000 } else { !bits })
}

/// The pixels whose centres lie within a reach of a place: first and one past the last. (Casts round down and stop at
/// nothing; rounding by name is a call where the processor is not known.)
pub(crate) fn span(at: f32, reach: f32, limit: usize) -> (usize, usize) {
    let first = (at - reach + 0.5) as usize;
    let end = ((at + reach + 0.5) as usize).min(limit);
    (first.min(end), end)
}

/// Leaves its key in every pixel of a band where it is the nearest so far.
fn cover(splat: &Splat, rank: usize, keys: &mut [u64], width: usize, first_row: usize) {
    let rows = keys.len() / width;
    let y_in_band = splat.y - first_row as f32;
    if splat.radius < 0.0 || y_in_band + splat.radius < 0.0 || y_in_band - splat.radius > rows as f32 {
        return;
    }
    let key = u64::from(splat.nearness) << 32 | (rank as u64 + 1);
    let (top, bottom) = span(y_in_band, splat.radius, rows);
    for row in top..bottom {
        let up = row as f32 + 0.5 - y_in_band;
        let reach = (splat.radius * splat.radius - up * up).max(0.0).sqrt();
        let (left, right) = span(splat.x, reach, width);
        for place in &mut keys[row * width..][left..right] {
            *place = (*place).max(key);
        }
    }
}

/// How pixels are coloured, as `settle` in `splat.wgsl` has it.
struct Tone<'a> {
    light: &'a LightUniform,
    keys: &'a [u64],
    splats: &'a [Splat],
    width: usize,
    height: usize,
    remains: [f32; COVERS + 1],
}

impl Tone<'_> {
    #[inline]
    fn pixel(&self, x: usize, y: usize, key: u64, flat: bool) -> [u8; 4] {
        let splat = &self.splats[(key as u32 - 1) as usize];
        if flat || self.light.strength <= 0.0 {
            return encoded(splat.colour + self.light.fog_colour * splat.fog);
        }
        let covered = self.covered(x as i32, y as i32, depth_of((key >> 32) as u32));
        let remains = self.remains[(covered * (COVERS as f32 / MOST) + 0.5) as usize];
        encoded(splat.colour * remains + self.light.fog_colour * splat.fog)
    }

    /// How far nearer points cover a pixel.
    #[inline]
    fn covered(&self, x: i32, y: i32, depth: f32) -> f32 {
        let (reach, diagonal) = (self.light.reach_px, self.light.diagonal_px);
        let around = [(reach, 0), (0, reach), (diagonal, diagonal), (-diagonal, diagonal)];
        let nearer = |(across, up): (i32, i32)| {
            let x = (x + across).clamp(0, self.width as i32 - 1) as usize;
            let y = (y + up).clamp(0, self.height as i32 - 1) as usize;
            match self.keys[y * self.width + x] {
                0 => 0.0, // the background is behind everything
                key => (depth - depth_of((key >> 32) as u32)).clamp(0.0, MOST),
            }
        };
        let sum: f32 = around.into_iter().map(|step| nearer(step) + nearer((-step.0, -step.1))).sum();
        (sum * 0.125).min(MOST)
    }
}

fn linear(style: u32) -> Vec3 {
    let channel = |shift: u32| LINEAR[(style >> shift & 0xff) as usize];
    Vec3::new(channel(0), channel(8), channel(16))
}

fn encoded(colour: Vec3) -> [u8; 4] {
    [srgb::encoded(colour.x), srgb::encoded(colour.y), srgb::encoded(colour.z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_is_in_order_and_comes_back() {
        let depths = [-3.5_f32, -0.25, 0.0, 0.125, 1.0, 7.5];
        assert!(depths.map(nearness_of).is_sorted_by(|a, b| a > b), "nearer is larger");
        assert_eq!(depths.map(|depth| depth_of(nearness_of(depth))), depths);
    }

    #[test]
    fn colours_come_back_as_they_were() {
        for byte in 0..=255_u32 {
            let style = byte | (255 - byte) << 8 | 7 << 16;
            assert_eq!(encoded(linear(style)), [byte as u8, 255 - byte as u8, 7, 255]);
        }
    }

    #[test]
    fn a_disc_covers_what_lies_within_its_radius_across_bands() {
        let splat = Splat { x: 8.0, y: 8.0, radius: 3.1, nearness: 1, ..Splat::default() };
        let mut keys = vec![0; 16 * 16];
        keys.chunks_mut(16 * 5).enumerate().for_each(|(band, keys)| cover(&splat, 0, keys, 16, 5 * band));
        for y in 0..16 {
            for x in 0..16 {
                let (across, up) = (x as f32 + 0.5 - 8.0, y as f32 + 0.5 - 8.0);
                let inside = across * across + up * up <= 3.1 * 3.1;
                assert_eq!(keys[y * 16 + x] != 0, inside, "{x}, {y}");
            }
        }
    }
}
