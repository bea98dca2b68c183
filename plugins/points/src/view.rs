//! What a camera's passes are told: where it stands, how large points are, how they are lit.

use crate::cloud::{MAX_DIMS, PointCloud};
use crate::eye::Eye;
use crate::settings::{Background, PointSettings, SizeUnits};
use bevy::ecs::resource::Resource;
use bevy::math::{Mat4, Vec2, Vec3, Vec4};
use bevy::render::extract_resource::ExtractResource;
use bevy::render::render_resource::ShaderType;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu::DeviceType;

/// As in `scene.wgsl`.
#[derive(Debug, Clone, PartialEq, ShaderType)]
pub(crate) struct ViewUniform {
    pub clip_from_view: Mat4,
    pub origin: Vec3,
    pub focus: f32,
    pub viewport_px: Vec4,
    pub view_per_px: f32,
    pub radius_px: f32,
    pub smallest_px: f32,
    pub largest_px: f32,
    pub attenuation: f32,
    pub shading: f32,
    pub greyed: Vec3,
    pub greyed_scale: f32,
    pub ring: Vec3,
    pub ring_px: f32,
    pub highlight_px: f32,
    pub dims: u32,
    pub stride: u32,
    pub styled: u32,
    pub flat_map: u32,
    pub drawn: u32,
    pub row: u32,
    pub rank_bits: u32,
    pub nearness: Vec2,
    pub axes: [Vec4; MAX_DIMS],
}

/// As in `tone.wgsl`.
#[derive(Debug, Clone, PartialEq, ShaderType)]
pub(crate) struct LightUniform {
    pub fog_colour: Vec3,
    pub fog: f32,
    pub clip_z: Vec2,
    pub perspective: u32,
    pub strength: f32,
    pub focus: f32,
    pub extent: f32,
    pub reach_px: i32,
    pub diagonal_px: i32,
    pub fades: u32,
}

/// How points are coloured, from the dearest to the plainest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Surface {
    /// Spheres that cut each other where they meet.
    Sphere,
    /// Shaded as spheres, of one depth.
    Spot,
    /// Discs of a map.
    Disc,
}

/// The radius from which spheres have their own depth: below, nobody sees where they cut each other.
const SPHERE_FROM_PX: f32 = 2.5;
/// The points from which a processor that is none of graphics is too slow for triangles.
const SPLATS_FROM_COUNT: usize = 15_000;
/// The radius up to which points are cheaper without triangles.
const SPLATS_UNTIL_PX: f32 = 8.0;
/// The least radius: every point is seen.
const SMALLEST_PX: f32 = 0.5;
/// How many times larger than at the focus a point may become, in pixels.
const LARGEST: f32 = 8.0;
/// The least radius of a highlighted point, in pixels.
const HIGHLIGHT_PX: f32 = 5.0;
/// The strength of the darkening at `lighting` = 1.
const STRENGTH: f32 = 24.0;
/// The distance from which a camera of Bevy's usual angle sees a height of 1.
const USUAL_DISTANCE: f32 = 1.2;

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Resource, ExtractResource)]
pub enum DrawPath {
    /// What is fastest on the adapter; for pictures, what is most beautiful.
    #[default]
    Auto,
    /// As triangles, around spheres and smooth discs: what graphics processors are made for.
    Triangles,
    /// Pixel by pixel, as plain discs: several times faster on software adapters, for small points.
    Splats,
    /// As splats, but by native code: several times faster again where there is no graphics processor.
    Native,
}

/// Whether an adapter is a processor that is none of graphics.
#[must_use]
pub fn is_software(adapter: &RenderAdapterInfo) -> bool {
    adapter.device_type == DeviceType::Cpu
}

/// How points come to be on the screen, in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// As triangles, coloured so.
    Triangles(Surface),
    /// As splats.
    Splats,
    /// Painted by native code.
    Native,
}

impl Method {
    /// As `pick.wgsl` numbers them.
    pub fn number(self) -> u32 {
        match self {
            Self::Triangles(Surface::Sphere) => 0,
            Self::Triangles(Surface::Spot) => 1,
            Self::Triangles(Surface::Disc) => 2,
            Self::Splats => 3,
            Self::Native => 4,
        }
    }
}

/// Workgroups for one thread per point: in rows, for one dimension ends at 65 535.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Workgroups {
    pub columns: u32,
    pub rows: u32,
}

impl Workgroups {
    /// Threads of a workgroup, as in `splat.wgsl`.
    const THREADS: u32 = 64;
    const MOST_COLUMNS: u32 = 65_535;

    /// Enough for this many points.
    pub fn of(points: u32) -> Self {
        let groups = points.div_ceil(Self::THREADS).max(1);
        let columns = groups.min(Self::MOST_COLUMNS);
        Self { columns, rows: groups.div_ceil(columns) }
    }

    /// Threads of a row.
    pub fn row(self) -> u32 {
        self.columns * Self::THREADS
    }
}

/// How a camera looks at the scene.
pub(crate) struct Sight<'a> {
    pub cloud: &'a PointCloud,
    pub settings: &'a PointSettings,
    pub eye: &'a Eye,
}

/// A number, if it is one and not below another.
fn at_least(value: f32, least: f32) -> f32 {
    if value.is_finite() { value.max(least) } else { least }
}

impl Sight<'_> {
    fn orthographic(&self) -> bool {
        self.eye.clip_from_view.w_axis.w == 1.0
    }

    fn scale(&self) -> f32 {
        at_least(self.eye.scale, 1e-3)
    }

    /// The distance of what is looked at.
    fn focus(&self) -> f32 {
        at_least(self.eye.focus.unwrap_or_else(|| self.eye.world_from_view.translation().length()), 1e-6)
    }

    /// `w` of clip space at the focus.
    fn focus_w(&self) -> f32 {
        if self.orthographic() { 1.0 } else { self.focus() }
    }

    /// View units that a pixel spans where `w` is 1.
    fn view_per_px(&self) -> f32 {
        2.0 / (self.eye.clip_from_view.y_axis.y * self.eye.viewport.w as f32)
    }

    /// The radius of a point at the focus.
    fn radius_px(&self) -> f32 {
        let radius = 0.5 * at_least(self.settings.size, 0.0);
        match self.settings.units {
            SizeUnits::Pixels => radius * self.scale() * self.settings.crowding(self.cloud.drawn_count()),
            SizeUnits::World => radius / (self.view_per_px() * self.focus_w()),
        }
    }

    /// Whether there is nothing behind the points.
    fn transparent(&self) -> bool {
        self.eye.transparent || self.settings.background == Background::Transparent
    }

    /// How points are coloured.
    pub fn surface(&self) -> Surface {
        match self.settings.flat {
            true => Surface::Disc,
            false if self.radius_px() >= SPHERE_FROM_PX => Surface::Sphere,
            false => Surface::Spot,
        }
    }

    /// Whether points are drawn without triangles: small ones, by processors that are none of graphics. Pictures are
    /// worth the wait.
    pub fn splats(&self, path: DrawPath, software: bool) -> bool {
        match path {
            DrawPath::Auto => {
                let many = self.cloud.drawn_count() >= SPLATS_FROM_COUNT;
                software && many && !self.eye.picture && self.radius_px() < SPLATS_UNTIL_PX
            }
            DrawPath::Triangles => false,
            DrawPath::Splats | DrawPath::Native => true,
        }
    }

    /// Whether points that are splatted are painted by native code: nothing may lie behind or over them that it does not
    /// know of.
    pub fn native(&self, path: DrawPath, software: bool) -> bool {
        let wanted = matches!(path, DrawPath::Native) || (matches!(path, DrawPath::Auto) && software);
        let whole = self.eye.viewport.x == 0 && self.eye.viewport.y == 0;
        wanted && self.splats(path, software) && whole && !self.transparent() && self.cloud.positions().is_some()
    }

    /// Whether points are lit at all.
    pub fn lit(&self) -> bool {
        !self.settings.flat && (self.settings.lighting > 0.0 || self.settings.fog > 0.0)
    }

    /// Whether colour and alpha fade, for want of a background to fade into.
    pub fn fades(&self) -> bool {
        self.lit() && self.settings.fog > 0.0 && self.transparent()
    }

    /// What `scene.wgsl` is told.
    pub fn view_uniform(&self, styled: u32, drawn: u32) -> ViewUniform {
        let (settings, cloud, scale) = (self.settings, self.cloud, self.scale());
        let view_from_world = self.eye.world_from_view.affine().inverse();
        let axes = cloud.axes();
        let mut view_axes = [Vec4::ZERO; MAX_DIMS];
        for (k, view_axis) in view_axes.iter_mut().enumerate().take(cloud.dims()) {
            *view_axis = view_from_world.transform_vector3(axes.axes[k]).extend(axes.centre[k]);
        }
        let radius_px = self.radius_px();
        let pixels = settings.units == SizeUnits::Pixels;
        let attenuation = if pixels { settings.attenuation.clamp(0.0, 1.0) } else { 1.0 };
        ViewUniform {
            clip_from_view: self.eye.clip_from_view,
            origin: view_from_world.translation.into(),
            focus: self.focus_w(),
            viewport_px: self.eye.viewport.as_vec4(),
            view_per_px: self.view_per_px(),
            radius_px,
            smallest_px: SMALLEST_PX,
            largest_px: at_least(if pixels { LARGEST * radius_px } else { self.eye.viewport.w as f32 }, 1.0),
            attenuation: if self.orthographic() { 0.0 } else { attenuation },
            shading: settings.shading.clamp(0.0, 1.0) * settings.lighting.clamp(0.0, 1.0),
            greyed: Background::linear(settings.background.greyed()),
            greyed_scale: settings.greyed_size.clamp(0.05, 1.0),
            ring: Background::linear(settings.background.mark()),
            ring_px: at_least(settings.ring, 0.5) * scale,
            highlight_px: HIGHLIGHT_PX * scale,
            dims: cloud.dims() as u32,
            stride: cloud.stride() as u32,
            styled,
            flat_map: settings.flat.into(),
            drawn,
            row: Workgroups::of(drawn).row(),
            rank_bits: if settings.flat { 29 } else { u32::BITS - drawn.leading_zeros() },
            nearness: self.nearness(),
            axes: view_axes,
        }
    }

    /// The depths that splatted points tell apart, as `scene.wgsl` has it: a few times nearer and farther than the focus.
    fn nearness(&self) -> Vec2 {
        const OCTAVES: f32 = 3.0;
        let (middle, reach) =
            if self.orthographic() { (self.focus(), 2.0 * self.extent()) } else { (self.focus().log2(), OCTAVES) };
        Vec2::new(0.5 + 0.5 * middle / reach, 0.5 / reach)
    }

    /// The extent of a typical scene around what is looked at.
    pub fn extent(&self) -> f32 {
        if self.orthographic() { USUAL_DISTANCE * 2.0 / self.eye.clip_from_view.y_axis.y } else { self.focus() }
    }

    /// What `tone.wgsl` is told.
    pub fn light_uniform(&self) -> LightUniform {
        let clip_from_view = self.eye.clip_from_view;
        // Light mixes by amount, and a little white is seen more than a little black.
        let thickness = if self.settings.background.is_light() { 0.4 } else { 1.0 };
        let reach_px = at_least(self.settings.reach, 1.0).min(64.0) * self.scale();
        LightUniform {
            fog_colour: Background::linear(self.settings.background.colour()),
            fog: if self.lit() { thickness * at_least(self.settings.fog, 0.0) } else { 0.0 },
            clip_z: Vec2::new(clip_from_view.z_axis.z, clip_from_view.w_axis.z),
            perspective: (!self.orthographic()).into(),
            strength: if self.lit() { STRENGTH * at_least(self.settings.lighting, 0.0) } else { 0.0 },
            focus: self.focus(),
            extent: self.extent(),
            reach_px: reach_px.round() as i32,
            diagonal_px: (1.5 * reach_px).round() as i32,
            fades: self.fades().into(),
        }
    }
}
