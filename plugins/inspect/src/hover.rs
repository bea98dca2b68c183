//! The point under a cursor that rests.

use crate::hand::Hand;
use crate::picking::{Answer, Desk, Eyes, Purpose};
use bevy::ecs::prelude::{Local, MessageReader, Query, Res, ResMut, Resource, With};
use bevy::math::{Vec2, Vec3};
use bevy::window::{PrimaryWindow, Window};
use orbit_camera::CameraState;
use std::time::{Duration, Instant};

/// A cursor that has not moved for this long asks what it is over …
const RESTS: Duration = Duration::from_millis(90);
/// … and again this often, while points move beneath it.
const AGAIN: Duration = Duration::from_millis(300);

/// A search is followed by so many times its own length of rest: a large cloud shall not be searched all the time.
const PAUSE: u32 = 40;

/// The row under the cursor, and where its point is.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq)]
pub struct Hovered(pub Option<(u32, Vec3)>);

/// Where the cursor is and since when, and when it last asked.
#[derive(Debug, Default)]
pub struct Resting {
    at: Option<(Vec2, Instant)>,
    asked: Option<Instant>,
}

/// Asks what a resting cursor is over.
pub(crate) fn ask(
    windows: Query<&Window, With<PrimaryWindow>>,
    (state, hand): (Res<CameraState>, Res<Hand>),
    eyes: Eyes,
    mut resting: Local<Resting>,
    mut hovered: ResMut<Hovered>,
    mut desk: Desk,
) {
    let cursor = windows.single().ok().and_then(Window::cursor_position);
    let Some(cursor) = cursor.filter(|_| state.pointer_in_view && !state.moving && !hand.is_down()) else {
        resting.at = None;
        if hovered.0.is_some() {
            hovered.0 = None;
        }
        return;
    };
    let now = Instant::now();
    match resting.at {
        Some((at, since)) if at == cursor => {
            let pause = AGAIN.max(desk.last_time() * PAUSE);
            let due = resting.asked.is_none_or(|asked| asked < since || asked + pause < now);
            if now - since >= RESTS && due {
                resting.asked = Some(now);
                eyes.ask(Purpose::Hover, cursor, &mut desk);
            }
        }
        _ => {
            resting.at = Some((cursor, now));
            if hovered.0.is_some() {
                hovered.0 = None; // what it was over, it is not over any more
            }
        }
    }
}

/// Takes in what it is over.
pub(crate) fn hear(mut answers: MessageReader<Answer>, mut hovered: ResMut<Hovered>) {
    for answer in answers.read().filter(|answer| answer.purpose == Purpose::Hover) {
        if hovered.0 != answer.found {
            hovered.0 = answer.found;
        }
    }
}
