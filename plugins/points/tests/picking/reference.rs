//! Which point is seen at a pixel, from what the documentation says of points: one after another, in double precision.

use super::Scene;
use crate::support::{HEIGHT, WIDTH};
use bevy::camera::Projection;
use bevy::math::{DMat4, DVec2, DVec3, Vec2};
use points::{DrawPath, SizeUnits, draw_order, flags};

/// Pixels within which single precision may take an edge for crossed.
const EDGE_PX: f64 = 1e-3;
/// Pixels by which single precision may misplace a point.
const MISPLACED_PX: f64 = 1e-4;
/// The difference of depths, as a share of them, within which single precision may mix them up.
const DEPTH: f64 = 1e-6;

/// What may be seen at a pixel.
#[derive(Debug)]
pub struct Seen {
    /// Slots; none stands for the background. More than one only if rounding decides.
    pub possible: Vec<Option<u32>>,
}

/// How a point covers a pixel.
struct Cover {
    slot: u32,
    /// Later ones are drawn over earlier ones.
    sequence: usize,
    /// Larger is nearer …
    depth: f64,
    /// … give or take.
    tolerance: f64,
    /// Not if its edge runs through the centre of the pixel.
    certain: bool,
    /// It reaches through the near plane there: all of those are as near.
    through: bool,
}

/// A scene in double precision.
pub struct Reference<'a> {
    scene: &'a Scene,
    view_from_world: DMat4,
    styles: Vec<u32>,
    /// Slots in the order in which they are drawn, and how many of them are drawn for the first time.
    drawn: Vec<u32>,
    again_from: usize,
    places: Vec<DVec3>,
    lens: Lens,
    /// Whether depths are told apart in steps.
    in_steps: bool,
    /// By place in the order; none of those that cannot be seen.
    projected: Vec<Option<Projected>>,
}

/// Where a point is.
#[derive(Debug, Clone, Copy)]
struct Projected {
    /// In view space.
    z: f64,
    w: f64,
    /// In pixels.
    at: DVec2,
    radius: f64,
}

impl<'a> Reference<'a> {
    pub fn new(scene: &'a Scene) -> Self {
        let cloud = &scene.cloud;
        let styles: Vec<u32> = (0..cloud.count()).map(|slot| cloud.styles().get(slot).copied().unwrap_or(0)).collect();
        let order = draw_order(cloud.count());
        let mut drawn = order[..cloud.drawn_count()].to_vec();
        let again_from = drawn.len();
        drawn.extend(order.iter().filter(|slot| styles[**slot as usize] & flags::HIGHLIGHT != 0));
        let axes = cloud.axes();
        let place = |position: &[f32]| -> DVec3 {
            (0..cloud.dims())
                .map(|k| (f64::from(position[k]) - f64::from(axes.centre[k])) * axes.axes[k].as_dvec3())
                .sum()
        };
        let places = cloud.positions().unwrap().chunks_exact(cloud.stride()).map(place).collect();
        let view_from_world = scene.transform.to_matrix().as_dmat4().inverse();
        let marked = styles.iter().any(|style| *style >= flags::HIGHLIGHT); // then native code does not paint
        let in_steps = scene.path == DrawPath::Splats || scene.path == DrawPath::Native && marked;
        let lens = Lens::of(&scene.projection);
        let projected = Vec::new();
        Self { scene, view_from_world, styles, drawn, again_from, places, lens, in_steps, projected }.projected()
    }

    fn projected(mut self) -> Self {
        self.projected = self.drawn.iter().map(|slot| self.project(*slot)).collect();
        self
    }

    /// The same with the camera moved a little: not what is drawn.
    pub fn moved(mut self, by: DVec3) -> Self {
        self.view_from_world = DMat4::from_translation(by) * self.view_from_world;
        self.projected()
    }

    /// What may be seen at a pixel.
    pub fn seen(&self, click: Vec2) -> Seen {
        let pixel = click.as_dvec2().floor() + 0.5;
        let inside = pixel.cmpgt(DVec2::ZERO).all() && pixel.x < f64::from(WIDTH) && pixel.y < f64::from(HEIGHT);
        if !inside {
            return Seen { possible: vec![None] };
        }
        let covers: Vec<Cover> = (0..self.drawn.len()).filter_map(|sequence| self.cover(sequence, pixel)).collect();
        // Of those that surely cover it, the nearest, and of them the last.
        let top = covers
            .iter()
            .filter(|cover| cover.certain)
            .max_by(|a, b| a.depth.total_cmp(&b.depth).then(a.sequence.cmp(&b.sequence)));
        let mut possible: Vec<Option<u32>> = match top {
            None => vec![None],
            Some(top) => vec![Some(top.slot)],
        };
        for cover in &covers {
            let above = top.is_none_or(|top| {
                // Points at exactly the same place are as near by any precision: the last of them is seen.
                let same_place = self.places[cover.slot as usize] == self.places[top.slot as usize];
                let flat = self.scene.settings.flat;
                let as_near = cover.depth == top.depth && (flat || same_place || cover.through && top.through);
                match as_near {
                    true => cover.sequence > top.sequence,
                    false => cover.depth >= top.depth - top.tolerance - cover.tolerance,
                }
            });
            if above && !possible.contains(&Some(cover.slot)) {
                possible.push(Some(cover.slot));
            }
        }
        Seen { possible }
    }

    fn project(&self, slot: u32) -> Option<Projected> {
        let (style, lens) = (self.styles[slot as usize], &self.lens);
        if style & flags::HIDDEN != 0 {
            return None;
        }
        let place = self.view_from_world.transform_point3(self.places[slot as usize]);
        let w = lens.w(place.z);
        if w <= 0.0 || lens.depth(place.z) > 1.0 && !self.scene.settings.flat {
            return None;
        }
        let focus = f64::from(self.scene.transform.translation.length());
        let radius = self.radius(style, w, if lens.perspective { focus } else { 1.0 }, lens);
        Some(Projected { z: place.z, w, at: lens.at(place), radius })
    }

    /// How the point that is drawn at a place of the order covers a pixel; none if it does not.
    fn cover(&self, sequence: usize, pixel: DVec2) -> Option<Cover> {
        let slot = self.drawn[sequence];
        let (style, settings, lens) = (self.styles[slot as usize], &self.scene.settings, &self.lens);
        let Projected { z, w, at, radius } = self.projected[sequence]?;
        let off = (pixel - at).abs();
        if off.x.max(off.y) > radius + 1.0 {
            return None;
        }
        let plainly = self.scene.path != DrawPath::Triangles && sequence < self.again_from;
        if !settings.flat || plainly {
            let (snaps, nearly) = (radius < 0.75, (radius - 0.75).abs() < 1e-4);
            if snaps || nearly {
                // The one pixel that it lies in.
                let out = off.x.max(off.y) - 0.5;
                let certain = out < -EDGE_PX && !nearly;
                let depth = self.depth(style, z, plainly, lens, (radius * w * lens.view_per_px(), 1.0));
                let tolerance = self.steps(depth);
                return (out < EDGE_PX).then_some(Cover { slot, sequence, depth, tolerance, certain, through: false });
            }
        }
        let distance = pixel.distance(at);
        if distance > radius + EDGE_PX {
            // Of a map, a tiny point is seen in the pixel that it lies in, unless another really covers that.
            let tiny = settings.flat && radius < 0.75 && off.x.max(off.y) < 0.5 + EDGE_PX;
            let depth = 0.1 * layer(style);
            let certain = off.x.max(off.y) < 0.5 - EDGE_PX;
            return tiny.then_some(Cover { slot, sequence, depth, tolerance: 0.0, certain, through: false });
        }
        let depth_at = |distance: f64| {
            let height = (1.0 - (distance / radius).powi(2)).max(0.0).sqrt();
            self.depth(style, z, plainly, lens, (radius * w * lens.view_per_px(), height))
        };
        let depth = if settings.flat { layer(style) } else { depth_at(distance).min(1.0) };
        let through = !settings.flat && depth_at(distance) > 1.0 + 1e-4;
        let shaky = (depth_at((distance - MISPLACED_PX).max(0.0)) - depth_at(distance + MISPLACED_PX)).abs();
        let tolerance = if settings.flat { 0.0 } else { shaky + self.steps(depth) };
        Some(Cover { slot, sequence, depth, tolerance, certain: distance < radius - EDGE_PX, through })
    }

    /// By how much depths may differ that are taken for one.
    fn steps(&self, depth: f64) -> f64 {
        if self.scene.settings.flat {
            return 0.0;
        }
        if !self.in_steps {
            return DEPTH * depth.abs();
        }
        // Splats tell six octaves apart, in as many steps as are left beside the place in the order.
        let ranks = (self.again_from + 1).next_power_of_two() as f64;
        DEPTH * depth.abs() + 1.5 * 6.0 * std::f64::consts::LN_2 * ranks / f64::from(u32::MAX) * depth.abs()
    }

    /// Larger is nearer. `lift`: how far a sphere's surface is before its centre: its radius, and the share of that.
    fn depth(&self, style: u32, z: f64, plainly: bool, lens: &Lens, lift: (f64, f64)) -> f64 {
        if self.scene.settings.flat {
            return layer(style);
        }
        let spheres = self.radius_at_focus(lens) >= 2.5;
        let nearest = if spheres && !plainly { z + lift.0 * lift.1 } else { z };
        if lens.perspective && nearest > -lens.near { 2.0 } else { lens.depth(nearest) } // through the near plane
    }

    fn radius_at_focus(&self, lens: &Lens) -> f64 {
        let (settings, cloud) = (&self.scene.settings, &self.scene.cloud);
        let radius = 0.5 * f64::from(settings.size);
        let focus = f64::from(self.scene.transform.translation.length());
        match settings.units {
            SizeUnits::Pixels => radius * f64::from(settings.crowding(cloud.drawn_count())),
            SizeUnits::World => radius / (lens.view_per_px() * if lens.perspective { focus } else { 1.0 }),
        }
    }

    fn radius(&self, style: u32, w: f64, focus: f64, lens: &Lens) -> f64 {
        let settings = &self.scene.settings;
        let at_focus = self.radius_at_focus(lens);
        let (attenuation, largest) = match settings.units {
            SizeUnits::Pixels => (f64::from(settings.attenuation), (8.0 * at_focus).max(1.0)),
            SizeUnits::World => (1.0, f64::from(HEIGHT)),
        };
        let mut radius = at_focus;
        if lens.perspective {
            radius *= (focus / w).powf(attenuation);
        }
        if style & flags::HIGHLIGHT != 0 {
            radius = (1.6 * radius).max(5.0);
        } else if style & flags::GREYED != 0 {
            radius *= f64::from(settings.greyed_size);
        }
        radius.clamp(0.5, largest)
    }
}

/// Greyed points are behind the others on a map, highlighted ones before them.
fn layer(style: u32) -> f64 {
    if style & flags::HIGHLIGHT != 0 {
        3.0
    } else if style & flags::GREYED != 0 {
        1.0
    } else {
        2.0
    }
}

/// A projection.
struct Lens {
    perspective: bool,
    /// Half of what is seen from top to bottom, at a distance of 1.
    half_height: f64,
    near: f64,
    far: f64,
}

impl Lens {
    fn of(projection: &Projection) -> Self {
        match projection {
            Projection::Perspective(lens) => {
                let half_height = (0.5 * f64::from(lens.fov)).tan();
                Self { perspective: true, half_height, near: f64::from(lens.near), far: f64::INFINITY }
            }
            Projection::Orthographic(lens) => {
                let (near, far) = (f64::from(lens.near), f64::from(lens.far));
                Self { perspective: false, half_height: 6.0, near, far } // as in support
            }
            Projection::Custom(_) => panic!("no such camera here"),
        }
    }

    fn w(&self, z: f64) -> f64 {
        if self.perspective { -z } else { 1.0 }
    }

    /// 1 at the near plane, 0 at the far one.
    fn depth(&self, z: f64) -> f64 {
        if self.perspective { self.near / -z } else { (self.far + z) / (self.far - self.near) }
    }

    fn view_per_px(&self) -> f64 {
        2.0 * self.half_height / f64::from(HEIGHT)
    }

    /// In pixels, from the top left.
    fn at(&self, place: DVec3) -> DVec2 {
        let per_px = self.view_per_px() * self.w(place.z);
        DVec2::new(0.5 * f64::from(WIDTH) + place.x / per_px, 0.5 * f64::from(HEIGHT) - place.y / per_px)
    }
}
