//! Frames: how often, and how many points each may draw, so that the window stays fluid on a slow adapter.
//!
//! With hardware nothing is thinned and the display sets the pace. A software renderer shares the cores with the
//! engine: it draws at most [`SLOW_FPS`] frames a second, and of a large cloud only a fair share while somebody moves
//! the camera or the pointer; at rest it draws all of it.

use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut, Resource};
use bevy::input::mouse::{MouseMotion, MouseWheel};
use controls::DataCard;
use live::{Activity, LiveEmbedding};
use orbit_camera::CameraState;
use points::{PointCloud, RepaintPace};
use std::time::{Duration, Instant};

/// Frames a second that a software renderer draws at most.
const SLOW_FPS: f64 = 17.0;
/// A frame that takes longer than this feels slow.
const FLUID: Duration = Duration::from_millis(50);
/// What a frame takes without any points: interface, clearing, copying to the display.
const EMPTY: Duration = Duration::from_millis(25);
/// A frame at rest may take this long, if the embedding moves and so it happens again and again.
const PATIENCE: Duration = Duration::from_millis(250);
/// After this long without a move everything is drawn.
const REST: Duration = Duration::from_millis(350);
/// At rest the moving points are painted anew this often, while the interface goes on at its own rate.
const REPAINT: Duration = Duration::from_millis(90);
/// Fewer points than this are never thinned.
const FEW: usize = 20_000;

/// Whether the adapter is slow: a software renderer.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct SlowAdapter(pub bool);

/// Waits until the next frame is due on a slow adapter, so that the engine gets on with the cores. (Bevy's own reactive
/// updates were measured at half the rate they were asked for.)
pub fn hold_frame_rate(slow: Res<SlowAdapter>, mut held: ResMut<Held>, mut due: Local<Option<Instant>>) {
    if !slow.0 {
        return; // the display sets the pace
    }
    let now = Instant::now();
    let length = Duration::from_secs_f64(1.0 / SLOW_FPS);
    let next = due.map_or(now, |due| due.max(now - length) + length);
    held.0 = next.saturating_duration_since(now);
    std::thread::sleep(held.0);
    *due = Some(next);
}

/// How long the last frame was held: no work.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct Held(Duration);

/// What a point costs to draw, by what frames took.
#[derive(Debug)]
pub struct Cost {
    last: Option<Instant>,
    /// Seconds a point, smoothed.
    a_point: f64,
    moved: Instant,
}

impl Default for Cost {
    fn default() -> Self {
        Self { last: None, a_point: 0.0, moved: Instant::now() }
    }
}

impl Cost {
    /// Takes in how long a frame took that drew so many points.
    fn learn(&mut self, seconds: f64, drawn: usize) {
        if drawn >= FEW {
            let cost = (seconds - EMPTY.as_secs_f64()).max(0.0) / drawn as f64;
            // Quick to believe that it is slow, slow to believe that it is quick: a frame may have waited for nothing.
            let weight = if cost > self.a_point { 0.5 } else { 0.1 };
            self.a_point += weight * (cost - self.a_point);
        }
    }

    /// The share of the points that a frame of this length can draw.
    fn share(&self, count: usize, length: Duration) -> f32 {
        if count <= FEW || self.a_point <= 0.0 {
            return 1.0;
        }
        let fits = ((length - EMPTY).as_secs_f64() / self.a_point).max(FEW as f64);
        (fits / count as f64).min(1.0) as f32
    }
}

/// Chooses the share of the points that this frame draws.
#[expect(clippy::too_many_arguments, reason = "a system's arguments are what it reads")]
pub fn choose_share(
    slow: Res<SlowAdapter>,
    live: Res<LiveEmbedding>,
    camera: Res<CameraState>,
    mut motion: MessageReader<MouseMotion>,
    mut wheel: MessageReader<MouseWheel>,
    held: Res<Held>,
    mut cloud: ResMut<PointCloud>,
    (mut card, mut repaint): (ResMut<DataCard>, ResMut<RepaintPace>),
    mut cost: Local<Cost>,
) {
    let touched = motion.read().count() + wheel.read().count() > 0;
    if !slow.0 {
        return; // hardware draws all of it
    }
    let now = Instant::now();
    let drawn = (cloud.count() as f32 * cloud.share()) as usize;
    if let Some(last) = cost.last.replace(now) {
        cost.learn((now - last).saturating_sub(held.0).as_secs_f64(), drawn);
    }
    if camera.moving || touched {
        cost.moved = now;
    }
    let resting = now - cost.moved > REST;
    repaint.0 = if resting { REPAINT } else { Duration::ZERO };
    let length = match (resting, live.activity()) {
        (true, Activity::Paused | Activity::Settled) => None, // once, and then nothing changes
        (true, _) => Some(PATIENCE),
        (false, _) => Some(FLUID),
    };
    let share = length.map_or(1.0, |length| cost.share(cloud.count(), length));
    // A changed share is seen: it changes in large steps only.
    let before = cloud.share();
    if share == 1.0 && before < 1.0 || share < before * 0.8 || share > before * 1.5 {
        cloud.set_share(share);
    }
    if card.drawn_share != cloud.share() {
        card.drawn_share = cloud.share();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_adapter_draws_a_share_and_a_fast_one_everything() {
        let mut cost = Cost::default();
        assert_eq!(cost.share(1_000_000, FLUID), 1.0); // nothing known yet
        (0..50).for_each(|_| cost.learn(1.0, 1_000_000));
        let share = cost.share(1_000_000, FLUID);
        assert!((0.02..0.04).contains(&share), "{share}");
        assert_eq!(cost.share(10_000, FLUID), 1.0);
        (0..200).for_each(|_| cost.learn(0.01, 1_000_000));
        assert_eq!(cost.share(1_000_000, FLUID), 1.0);
    }
}
