//! A double click moves the focus of the camera to the point under the cursor.

use bevy::camera::Camera;
use bevy::ecs::prelude::{Local, MessageReader, MessageWriter, Query, Res, With};
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButton, MouseButtonInput};
use bevy::math::{Mat4, Vec2, Vec3};
use bevy::transform::components::GlobalTransform;
use bevy::window::{PrimaryWindow, Window};
use live::LiveEmbedding;
use orbit_camera::{CameraCommand, CameraState, OrbitCamera};
use points::PointCloud;
use std::time::{Duration, Instant};

/// Two clicks within this time and distance are one double click.
const TOGETHER: Duration = Duration::from_millis(400);
const NEARBY_PX: f32 = 5.0;
/// How far from the cursor a point may be, in pixels.
const REACH_PX: f32 = 10.0;

/// Where and when the button was last pressed.
#[derive(Debug, Default)]
pub struct LastPress(Option<(Instant, Vec2)>);

impl LastPress {
    /// Takes in a press; true if it is the second of a double click.
    fn is_second(&mut self, now: Instant, at: Vec2) -> bool {
        let second =
            self.0.is_some_and(|(then, there)| now.duration_since(then) < TOGETHER && there.distance(at) < NEARBY_PX);
        self.0 = (!second).then_some((now, at)); // a third click begins anew
        second
    }
}

/// Focuses on the point under the cursor at a double click.
pub fn focus_on_double_click(
    mut buttons: MessageReader<MouseButtonInput>,
    mut last: Local<LastPress>,
    windows: Query<&Window, With<PrimaryWindow>>,
    cameras: Query<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    (state, live, cloud): (Res<CameraState>, Res<LiveEmbedding>, Res<PointCloud>),
    mut views: MessageWriter<CameraCommand>,
) {
    let pressed =
        buttons.read().filter(|input| input.button == MouseButton::Left && input.state == ButtonState::Pressed);
    let presses = pressed.count();
    let (Ok(window), Ok((camera, transform)), Some(snapshot)) = (windows.single(), cameras.single(), live.snapshot())
    else {
        return;
    };
    let Some(cursor) = window.cursor_position().filter(|_| presses > 0 && state.pointer_in_view) else { return };
    let now = Instant::now();
    // On a slow machine both clicks may fall into one frame.
    let second = (0..presses).any(|_| last.is_second(now, cursor));
    let Some(size) = camera.logical_target_size().filter(|_| second) else { return };
    let axes = cloud.axes();
    let places = (0..snapshot.data.points()).map(|point| axes.place(snapshot.position(point)));
    let clip_from_world = camera.clip_from_view() * transform.to_matrix().inverse();
    if let Some(place) = under_cursor(places, clip_from_world, size, cursor) {
        views.write(CameraCommand::FocusOn(place));
    }
}

/// Of the points within reach of the cursor, the nearest to the eye.
fn under_cursor(places: impl Iterator<Item = Vec3>, clip_from_world: Mat4, size: Vec2, cursor: Vec2) -> Option<Vec3> {
    let seen = places.filter_map(|place| {
        let clip = clip_from_world * place.extend(1.0);
        if clip.w.is_nan() || clip.w <= 0.0 {
            return None; // behind the eye, or not a place
        }
        let at = (Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5) * size;
        (at.distance(cursor) <= REACH_PX).then_some((clip.z / clip.w, place))
    });
    // Bevy's depth is larger the nearer.
    seen.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clicks_soon_after_each_other_are_a_double_click() {
        let (mut last, now) = (LastPress::default(), Instant::now());
        let after = |millis| now + Duration::from_millis(millis);
        assert!(!last.is_second(after(0), Vec2::ZERO));
        assert!(last.is_second(after(200), Vec2::ONE));
        assert!(!last.is_second(after(300), Vec2::ONE), "a third begins anew");
        assert!(!last.is_second(after(900), Vec2::ONE), "too late");
        assert!(!last.is_second(after(1000), Vec2::splat(50.0)), "too far");
    }

    #[test]
    fn the_nearest_point_under_the_cursor_is_taken() {
        let clip_from_world = Mat4::perspective_infinite_reverse_rh(1.0, 2.0, 0.1);
        let size = Vec2::new(200.0, 100.0);
        let places = [Vec3::new(0.0, 0.0, -9.0), Vec3::new(0.0, 0.0, -4.0), Vec3::new(3.0, 0.0, -4.0), Vec3::NAN];
        let found = |cursor| under_cursor(places.into_iter(), clip_from_world, size, cursor);
        assert_eq!(found(Vec2::new(100.0, 50.0)), Some(places[1]));
        assert_eq!(found(Vec2::new(20.0, 20.0)), None);
        let behind = [Vec3::new(0.0, 0.0, 4.0)];
        assert_eq!(under_cursor(behind.into_iter(), clip_from_world, size, Vec2::new(100.0, 50.0)), None);
    }
}
