//! What living data looks like: who arrives flies in and brightens, who departs fades where it was, who drifts leaves a
//! short trail. Only what is drawn is touched; positions that are picked, measured and saved stay the engine's.

use super::feed::Moment;
use bevy::color::Srgba;
use bevy::ecs::prelude::{Res, ResMut, Resource};
use bevy::time::{Real, Time};
use live::{LiveEmbedding, Snapshot};
use points::{PointCloud, PointSettings, Positions};
use std::collections::HashMap;
use std::sync::Arc;

/// Seconds that an arrival takes.
const ARRIVING: f32 = 0.8;
/// Seconds that a departure is still to be seen.
const DEPARTING: f32 = 0.9;
/// Seconds that a place of a trail is to be seen …
const TRAIL: f32 = 0.7;
/// … and for how long a row that changed leaves one.
const DRIFTING: f32 = 1.5;
/// Seconds between two places of a trail.
const TRAIL_STEP: f32 = 0.08;
/// How far outside its place an arrival begins, as a share of its distance from the middle.
const FROM_OUTSIDE: f32 = 0.35;
/// Most points that are drawn beside those that live.
const MOST_GHOSTS: usize = 20_000;
/// Most rows that leave trails at once.
const MOST_TRAILS: usize = 2_000;

/// A point that is drawn where nobody lives any more.
#[derive(Debug, Clone)]
struct Ghost {
    position: Vec<f32>,
    style: u32,
    born: f32,
    life: f32,
}

/// What is under way.
#[derive(Resource, Debug, Default)]
pub struct Effects {
    now: f32,
    /// When rows arrived.
    arrivals: HashMap<u32, f32>,
    /// Until when rows leave trails, and their last place.
    drifting: HashMap<u32, f32>,
    last_trail: f32,
    ghosts: Vec<Ghost>,
    /// Styles of the points as they were painted.
    styles: Arc<Vec<u32>>,
    adorned: bool,
}

impl Effects {
    /// The points were painted: what is laid over them begins with these styles.
    pub fn painted(&mut self, styles: &Arc<Vec<u32>>) {
        self.styles = Arc::clone(styles);
    }

    /// A change is about to be made: who departs leaves a ghost.
    pub fn before(&mut self, snapshot: &Snapshot, moment: &Moment) {
        for &row in moment.departed() {
            self.ghost(snapshot, row, DEPARTING);
        }
    }

    /// A change is seen: who came flies in, who changed leaves a trail.
    pub fn after(&mut self, snapshot: &Snapshot, moment: &Moment) {
        let few = moment.arrived().len() <= snapshot.data.points() / 2; // a new map does not fly in as a whole
        if few {
            self.arrivals.extend(moment.arrived().iter().map(|&row| (row, self.now)));
        }
        for &row in moment.departed().iter().chain(moment.arrived()) {
            self.drifting.remove(&row);
        }
        let room = MOST_TRAILS.saturating_sub(self.drifting.len());
        self.drifting.extend(moment.updated().iter().take(room).map(|&row| (row, self.now + DRIFTING)));
    }

    fn ghost(&mut self, snapshot: &Snapshot, row: u32, life: f32) {
        let Some(point) = snapshot.data.point(row) else { return };
        if self.ghosts.len() < MOST_GHOSTS {
            let style = self.styles.get(point as usize).copied().unwrap_or_default();
            let position = snapshot.position(point as usize).to_vec();
            self.ghosts.push(Ghost { position, style, born: self.now, life });
        }
    }

    fn is_busy(&self) -> bool {
        !(self.arrivals.is_empty() && self.drifting.is_empty() && self.ghosts.is_empty())
    }

    /// Moves on to a time: what is over is forgotten, trails grow.
    fn advance(&mut self, now: f32, snapshot: &Snapshot) {
        self.now = now;
        self.arrivals.retain(|_, born| now - *born < ARRIVING);
        self.drifting.retain(|_, until| *until > now);
        self.ghosts.retain(|ghost| now - ghost.born < ghost.life && ghost.position.len() == snapshot.dims);
        if now - self.last_trail > TRAIL_STEP && !self.drifting.is_empty() {
            self.last_trail = now;
            let rows: Vec<u32> = self.drifting.keys().copied().collect();
            rows.into_iter().for_each(|row| self.ghost(snapshot, row, TRAIL));
        }
    }

    /// The points with everything laid over them.
    fn laid_over(&self, snapshot: &Snapshot, background: [f32; 3]) -> (Positions, Vec<u32>) {
        let (points, dims, stride) = (snapshot.data.points(), snapshot.dims, snapshot.stride);
        let mut values = snapshot.positions.to_vec();
        let mut styles = self.styles.to_vec();
        styles.resize(points, 0x00cc_cccc);
        let centre: Vec<f32> = (0..dims)
            .map(|axis| snapshot.positions.iter().skip(axis).step_by(stride).sum::<f32>() / points.max(1) as f32)
            .collect();
        for (&row, born) in &self.arrivals {
            let Some(point) = snapshot.data.point(row) else { continue };
            let left = (1.0 - (self.now - born) / ARRIVING).clamp(0.0, 1.0).powi(3);
            let position = &mut values[point as usize * stride..][..dims];
            for (value, centre) in position.iter_mut().zip(&centre) {
                *value += FROM_OUTSIDE * left * (*value - centre);
            }
            styles[point as usize] = faded(styles[point as usize], left, background);
        }
        for ghost in &self.ghosts {
            let gone = ((self.now - ghost.born) / ghost.life).clamp(0.0, 1.0);
            let place = values.len();
            values.resize(place + stride, 0.0);
            values[place..][..dims].copy_from_slice(&ghost.position);
            styles.push(faded(ghost.style, 0.35 + 0.65 * gone, background));
        }
        let count = points + self.ghosts.len();
        (Positions { values: Arc::new(values), count, dims, stride }, styles)
    }
}

/// The colour behind the points, as shares of red, green and blue.
fn background_of(looks: &PointSettings) -> [f32; 3] {
    let colour = Srgba::from(looks.background.colour());
    [colour.red, colour.green, colour.blue]
}

/// A style whose colour has gone over to the background by a share.
fn faded(style: u32, share: f32, background: [f32; 3]) -> u32 {
    let mut faded = style & 0xff00_0000;
    for (at, background) in background.iter().enumerate() {
        let value = (style >> (8 * at) & 0xff) as f32;
        let mixed = value + share * (255.0 * background - value);
        faded |= (mixed.clamp(0.0, 255.0) as u32) << (8 * at);
    }
    faded
}

/// Lays arrivals, departures and trails over the points, and takes them off again.
pub fn adorn(
    mut effects: ResMut<Effects>,
    live: Res<LiveEmbedding>,
    looks: Res<PointSettings>,
    mut cloud: ResMut<PointCloud>,
    time: Res<Time<Real>>,
) {
    let Some(snapshot) = live.snapshot().filter(|_| !live.is_on_device()) else { return };
    effects.advance(time.elapsed_secs(), snapshot);
    if effects.is_busy() {
        let (positions, styles) = effects.laid_over(snapshot, background_of(&looks));
        cloud.set_positions(positions);
        cloud.set_styles(Arc::new(styles));
        effects.adorned = true;
    } else if effects.adorned {
        let (count, dims, stride) = (snapshot.data.points(), snapshot.dims, snapshot.stride);
        cloud.set_positions(Positions { values: Arc::clone(&snapshot.positions), count, dims, stride });
        cloud.set_styles(Arc::clone(&effects.styles));
        effects.adorned = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_fade_to_the_background_and_flags_stay() {
        let style = 0x0500_80ff;
        assert_eq!(faded(style, 0.0, [0.0; 3]), style);
        assert_eq!(faded(style, 1.0, [0.0; 3]), 0x0500_0000);
        assert_eq!(faded(style, 1.0, [1.0; 3]), 0x05ff_ffff);
        assert_eq!(faded(style, 0.5, [0.0; 3]), 0x0500_407f);
    }
}
