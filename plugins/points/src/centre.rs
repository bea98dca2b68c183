//! Where points are on the screen, and how large, on this side: the twin of `scene.wgsl`.

use crate::cloud::flags::{GREYED, HIGHLIGHT};
use crate::view::ViewUniform;
use bevy::math::{Vec3, Vec4};

/// The look of slots without a style.
const PLAIN: u32 = 0x00b8_b0a8;
/// Layers of a map, as depths (nearer is larger).
const LAYER_GREYED: f32 = 0.2;
const LAYER_POINT: f32 = 0.6;
const LAYER_HIGHLIGHT: f32 = 0.8;

/// The look of a slot.
pub(crate) fn style_of(styles: &[u32], slot: u32) -> u32 {
    styles.get(slot as usize).copied().unwrap_or(PLAIN)
}

/// The centre of a point that is before the camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Centre {
    /// In view space.
    pub place: Vec3,
    /// In clip space.
    pub clip: Vec4,
    /// In pixels of the viewport, from its left …
    pub x: f32,
    /// … and from its top.
    pub y: f32,
}

impl Centre {
    /// Of a point at a position; none if it is not before the camera, or nowhere.
    #[inline]
    pub fn of(view: &ViewUniform, position: &[f32]) -> Option<Self> {
        let mut place = view.origin;
        for (value, axis) in position.iter().zip(&view.axes) {
            place += (value - axis.w) * Vec3::new(axis.x, axis.y, axis.z);
        }
        let clip: Vec4 = view.clip_from_view * place.extend(1.0);
        if !(clip.w > 0.0 && (clip.z <= clip.w || view.flat_map != 0)) {
            return None;
        }
        let x = (clip.x / clip.w * 0.5 + 0.5) * view.viewport_px.z;
        let y = (-clip.y / clip.w * 0.5 + 0.5) * view.viewport_px.w;
        (x.is_finite() && y.is_finite()).then_some(Self { place, clip, x, y })
    }

    /// The radius it is drawn with, in pixels.
    pub fn radius_px(&self, view: &ViewUniform, style: u32) -> f32 {
        let mut radius = view.radius_px;
        if view.attenuation > 0.0 {
            radius *= (view.attenuation * (view.focus / self.clip.w).log2()).exp2();
        }
        if style & HIGHLIGHT != 0 {
            radius = (1.6 * radius).max(view.highlight_px);
        } else if style & GREYED != 0 {
            radius *= view.greyed_scale;
        }
        radius.clamp(view.smallest_px, view.largest_px.max(view.smallest_px))
    }

    /// The depth that is left of it where it is splatted, as `settle` in `splat.wgsl` has it: keys are coarse.
    pub fn splat_depth(&self, view: &ViewUniform) -> f32 {
        let most_near = ((u32::MAX >> view.rank_bits) - 1) as f32;
        let distance = if is_perspective(view) { self.clip.w.log2() } else { -self.place.z };
        let near = ((view.nearness.x - view.nearness.y * distance).clamp(0.0, 1.0) * most_near).floor();
        let far = view.nearness.x / view.nearness.y - near / (most_near * view.nearness.y);
        let (clip_z, clip_1) = (view.clip_from_view.z_axis.z, view.clip_from_view.w_axis.z);
        if is_perspective(view) { clip_1 / far.exp2() - clip_z } else { clip_1 - clip_z * far }
    }
}

/// Whether distant points look smaller.
pub(crate) fn is_perspective(view: &ViewUniform) -> bool {
    view.clip_from_view.w_axis.w != 1.0
}

/// The depth of a point on a map.
pub(crate) fn layer_of(style: u32) -> f32 {
    match style {
        style if style & HIGHLIGHT != 0 => LAYER_HIGHLIGHT,
        style if style & GREYED != 0 => LAYER_GREYED,
        _ => LAYER_POINT,
    }
}

/// Numbers as whole numbers of the same order; never 0.
pub(crate) fn ascending(value: f32) -> u32 {
    let bits = value.to_bits();
    bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000)
}
