//! What the mouse does: clicks, double clicks and strokes, in the order they happened. On a slow machine all of them may
//! fall into one frame, so places are taken from the events and not from where the cursor is at the end of it.

use crate::tools::{Tool, ToolSettings};
use bevy::ecs::prelude::{Message, MessageReader, MessageWriter, Query, Res, ResMut, Resource, With};
use bevy::input::ButtonInput;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::input::mouse::MouseButton;
use bevy::math::Vec2;
use bevy::window::{PrimaryWindow, Window, WindowEvent};
use orbit_camera::{CameraState, LeftDrag, ViewInsets};
use selection::Combine;
use std::time::{Duration, Instant};

/// Two clicks within this time and distance are one double click.
const TOGETHER: Duration = Duration::from_millis(450);
const NEARBY_PX: f32 = 6.0;
/// A press that moves no farther than this is a click.
const STILL_PX: f32 = 4.0;

/// What was done, in logical pixels of the window.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub enum Gesture {
    /// A click.
    Click(Vec2),
    /// The second click of two.
    DoubleClick {
        /// Where.
        at: Vec2,
        /// What becomes of the selection.
        how: Combine,
    },
    /// A stroke has ended; it is in [`Stroke`].
    Drawn {
        /// What becomes of the selection.
        how: Combine,
    },
    /// The brush is at a place of its stroke.
    Brushed {
        /// Where.
        at: Vec2,
        /// True at the beginning of the stroke.
        first: bool,
        /// What becomes of the selection.
        how: Combine,
    },
}

/// The stroke that is being drawn, or was drawn last, in logical pixels.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct Stroke {
    /// Where it went.
    pub path: Vec<Vec2>,
    /// The button is still down.
    pub under_way: bool,
    /// What it was drawn with.
    pub tool: Tool,
    /// Points within it that were not taken because others cover them.
    pub covered: usize,
}

/// What the hand is doing.
#[derive(Resource, Debug, Default)]
pub struct Hand {
    cursor: Vec2,
    pressed: Option<Press>,
    last_click: Option<(Instant, Vec2)>,
}

#[derive(Debug, Clone, Copy)]
struct Press {
    at: Vec2,
    moved: bool,
}

impl Hand {
    /// Takes in a click; true if it is the second of a double click.
    fn is_second(&mut self, now: Instant, at: Vec2) -> bool {
        let near =
            |(then, there): (Instant, Vec2)| now.duration_since(then) < TOGETHER && there.distance(at) < NEARBY_PX;
        let second = self.last_click.is_some_and(near);
        self.last_click = (!second).then_some((now, at)); // a third click begins anew
        second
    }

    /// Whether the left button is down.
    pub(crate) fn is_down(&self) -> bool {
        self.pressed.is_some()
    }
}

/// A drag with the left button is the tool's, or turns the view.
pub(crate) fn take_left_button(tools: Res<ToolSettings>, mut left: ResMut<LeftDrag>) {
    let wanted = if tools.tool.draws() { LeftDrag::Taken } else { LeftDrag::Camera };
    if *left != wanted {
        *left = wanted;
    }
}

/// What events mean.
pub(crate) fn watch_hand(
    mut events: MessageReader<WindowEvent>,
    mut hand: ResMut<Hand>,
    mut stroke: ResMut<Stroke>,
    mut gestures: MessageWriter<Gesture>,
    (tools, keys): (Res<ToolSettings>, Res<ButtonInput<KeyCode>>),
    (state, insets): (Res<CameraState>, Res<ViewInsets>),
    windows: Query<&Window, With<PrimaryWindow>>,
) {
    let size = windows.single().map_or(Vec2::ZERO, Window::size);
    let seen_at = hand.cursor;
    let held = |pair: [KeyCode; 2]| keys.any_pressed(pair);
    let how = tools.combine_with(
        held([KeyCode::ShiftLeft, KeyCode::ShiftRight]),
        held([KeyCode::ControlLeft, KeyCode::ControlRight]),
    );
    let mut pointer = Pointer { hand: &mut hand, stroke: &mut stroke, tool: tools.tool, how };
    let mut done = Vec::new();
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => done.extend(pointer.moved(moved.position)),
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Left => {
                if input.state == ButtonState::Pressed {
                    if pointer.hand.cursor == Vec2::ZERO
                        && let Some(at) = windows.single().ok().and_then(Window::cursor_position)
                    {
                        pointer.hand.cursor = at; // it was there before anybody looked
                    }
                    // Whose the pointer is, is known of the place where it was; if it has jumped since, only panels are.
                    let at = pointer.hand.cursor;
                    let jumped = at.distance(seen_at) > STILL_PX;
                    let in_view = if jumped { !insets.cover(at, size) } else { state.pointer_in_view };
                    done.extend(pointer.pressed(in_view));
                } else {
                    done.extend(pointer.released(Instant::now()));
                }
            }
            WindowEvent::WindowFocused(focused) if !focused.focused => pointer.let_go(),
            _ => {}
        }
    }
    gestures.write_batch(done);
}

struct Pointer<'a> {
    hand: &'a mut Hand,
    stroke: &'a mut Stroke,
    tool: Tool,
    how: Combine,
}

impl Pointer<'_> {
    fn moved(&mut self, at: Vec2) -> Option<Gesture> {
        self.hand.cursor = at;
        let press = self.hand.pressed.as_mut()?;
        press.moved |= press.at.distance(at) > STILL_PX;
        if !self.stroke.under_way {
            return None;
        }
        self.stroke.path.push(at);
        (self.tool == Tool::Brush).then_some(Gesture::Brushed { at, first: false, how: self.how })
    }

    fn pressed(&mut self, in_view: bool) -> Option<Gesture> {
        if !in_view {
            return None;
        }
        let at = self.hand.cursor;
        self.hand.pressed = Some(Press { at, moved: false });
        if !self.tool.draws() {
            return None;
        }
        *self.stroke = Stroke { path: vec![at], under_way: true, tool: self.tool, covered: 0 };
        (self.tool == Tool::Brush).then_some(Gesture::Brushed { at, first: true, how: self.how })
    }

    fn released(&mut self, now: Instant) -> Option<Gesture> {
        let press = self.hand.pressed.take()?;
        let drew = std::mem::take(&mut self.stroke.under_way);
        let at = self.hand.cursor;
        match (press.moved, drew) {
            (true, true) => Some(Gesture::Drawn { how: self.how }),
            (true, false) => None, // the view was turned
            (false, true) if self.tool == Tool::Brush => Some(Gesture::Drawn { how: self.how }), // a dab
            (false, _) if self.hand.is_second(now, at) => Some(Gesture::DoubleClick { at, how: self.how }),
            (false, _) => Some(Gesture::Click(at)),
        }
    }

    /// The release will not be heard.
    fn let_go(&mut self) {
        self.hand.pressed = None;
        self.stroke.under_way = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(hand: &mut Hand, stroke: &mut Stroke, tool: Tool, act: impl FnOnce(&mut Pointer<'_>) -> T) -> T {
        act(&mut Pointer { hand, stroke, tool, how: Combine::Add })
    }

    #[test]
    fn a_click_is_told_from_a_drag_and_two_clicks_from_three() {
        let (mut hand, mut stroke, now) = (Hand::default(), Stroke::default(), Instant::now());
        let mut click = |after: u64, drag: f32, in_view: bool| {
            with(&mut hand, &mut stroke, Tool::Point, |pointer| {
                pointer.moved(Vec2::new(50.0, 50.0));
                pointer.pressed(in_view);
                pointer.moved(Vec2::new(50.0 + drag, 50.0));
                pointer.released(now + Duration::from_millis(after))
            })
        };
        let at = Vec2::new(50.0, 50.0);
        assert_eq!(click(0, 0.0, true), Some(Gesture::Click(at)));
        assert_eq!(click(200, 0.0, true), Some(Gesture::DoubleClick { at, how: Combine::Add }));
        assert_eq!(click(300, 0.0, true), Some(Gesture::Click(at)), "a third begins anew");
        assert_eq!(click(2000, 0.0, true), Some(Gesture::Click(at)), "too late for a double click");
        assert_eq!(click(2100, 30.0, true), None, "the view was turned");
        assert_eq!(click(5000, 0.0, false), None, "on a panel");
    }

    #[test]
    fn a_stroke_keeps_every_place_it_went_through() {
        let (mut hand, mut stroke) = (Hand::default(), Stroke::default());
        let gesture = with(&mut hand, &mut stroke, Tool::Lasso, |pointer| {
            pointer.moved(Vec2::ZERO);
            pointer.pressed(true);
            for step in 1..=20u8 {
                pointer.moved(Vec2::splat(f32::from(step)));
            }
            pointer.released(Instant::now())
        });
        assert_eq!(gesture, Some(Gesture::Drawn { how: Combine::Add }));
        assert_eq!((stroke.path.len(), stroke.under_way), (21, false));
    }
}
