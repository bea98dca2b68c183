//! The state of the view: a pose that is moved, and bounds that are followed. No Bevy systems here, only maths.

use crate::lens::{Lens, Screen, place};
use crate::pose::{DISTANCES, MAX_PITCH, wrap_angle};
use crate::{CameraCommand, CameraSettings, CloudBounds, Pose};
use bevy::prelude::*;
use std::f32::consts::TAU;

/// How long after its last movement the view counts as moving (seconds).
const MOVING_SECONDS: f32 = 0.25;

/// The smallest part of the cloud that can be framed (cloud radii): what a single point is framed with.
const LEAST_FRAME: f32 = 0.02;

/// The screen as long as there is no window: any will do.
const NO_WINDOW: Vec2 = Vec2::new(1280.0, 720.0);

/// A timed move from one pose to another.
#[derive(Clone, Copy, Debug)]
struct Ease {
    from: Pose,
    elapsed_secs: f32,
    duration_secs: f32,
}

/// The state of the view.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Rig {
    /// What is seen now.
    pub pose: Pose,
    /// What will be seen at rest: the end of an ease, or what the wheel asked for.
    goal: Pose,
    ease: Option<Ease>,
    /// The bounds that the pose is seen with: those of the cloud, followed smoothly.
    pub followed: CloudBounds,
    /// The last good bounds of the cloud; none yet at first.
    cloud: Option<CloudBounds>,
    /// How far the change to a flat map has gone (0 to 1, evenly in time).
    flatness: f32,
    pub screen: Screen,
    pub cursor: Option<Vec2>,
    pub field_of_view: f32,
    still_secs: f32,
}

impl Default for Rig {
    fn default() -> Self {
        Self {
            pose: Pose::default(),
            goal: Pose::default(),
            ease: None,
            followed: CloudBounds::UNIT,
            cloud: None,
            flatness: 0.0,
            screen: Screen::whole(NO_WINDOW),
            cursor: None,
            field_of_view: CameraSettings::default().field_of_view,
            still_secs: MOVING_SECONDS,
        }
    }
}

impl Rig {
    /// Takes in where the cloud is. The first good bounds hold at once, later ones are followed.
    pub fn see_cloud(&mut self, bounds: &CloudBounds) {
        if !bounds.is_valid() {
            return;
        }
        if self.cloud.is_none() {
            self.followed = *bounds;
            self.flatness = if bounds.flat { 1.0 } else { 0.0 };
        }
        self.cloud = Some(*bounds);
    }

    /// Whether no cloud was seen yet.
    pub fn is_empty(&self) -> bool {
        self.cloud.is_none()
    }

    /// Whether the cloud is, or is becoming, a flat map.
    pub fn is_flat(&self) -> bool {
        self.cloud.is_some_and(|cloud| cloud.flat)
    }

    /// Whether something moved the view just now.
    pub fn is_moving(&self) -> bool {
        self.still_secs < MOVING_SECONDS
    }

    /// The camera as it is to be now.
    pub fn placed(&self) -> (Transform, Projection) {
        place(&self.pose, &self.followed, self.eased_flatness(), self.field_of_view, &self.screen)
    }

    /// How far the eye is from the focus, in cloud radii.
    pub fn eye_distance(&self) -> f32 {
        self.lens().eye_distance(self.pose.distance)
    }

    fn lens(&self) -> Lens {
        Lens::new(self.field_of_view, self.eased_flatness())
    }

    fn eased_flatness(&self) -> f32 {
        smooth(self.flatness)
    }

    /// The user takes over: what was under way ends where it is.
    fn take_over(&mut self) {
        if self.ease.take().is_some() {
            self.goal = self.pose;
        }
        self.still_secs = 0.0;
    }

    /// The user turns the view about its focus.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        if self.is_flat() || !(yaw.is_finite() && pitch.is_finite()) {
            return;
        }
        self.take_over();
        for pose in [&mut self.pose, &mut self.goal] {
            pose.yaw = wrap_angle(pose.yaw + yaw);
            pose.pitch = (pose.pitch + pitch).clamp(-MAX_PITCH, MAX_PITCH);
        }
    }

    /// The user turns the view about the eye.
    pub fn look(&mut self, yaw: f32, pitch: f32) {
        let eye_from_focus = |rig: &Self| rig.pose.rotation() * Vec3::Z * rig.eye_distance();
        let before = eye_from_focus(self);
        self.turn(yaw, pitch);
        let shift = before - eye_from_focus(self);
        self.shift(shift);
    }

    /// The user drags the view along, by cloud radii.
    pub fn pan(&mut self, by: Vec3) {
        if by.is_finite() {
            self.take_over();
            self.shift(by);
        }
    }

    fn shift(&mut self, by: Vec3) {
        for pose in [&mut self.pose, &mut self.goal] {
            pose.focus = (pose.focus() + by).to_array();
        }
    }

    /// The user flies, by cloud radii; the view glides after.
    pub fn fly(&mut self, by: Vec3) {
        if by.is_finite() {
            self.take_over();
            self.goal.focus = (self.goal.focus() + by).to_array();
        }
    }

    /// The user zooms: distances shrink or grow by a factor about a place (an offset in cloud radii), which keeps its
    /// place on the screen.
    pub fn zoom(&mut self, about: Vec3, factor: f32) {
        if !(about.is_finite() && factor > 0.0 && factor.is_finite()) {
            return;
        }
        self.take_over();
        let distance = (self.goal.distance * factor).clamp(*DISTANCES.start(), *DISTANCES.end());
        let factor = distance / self.goal.distance;
        self.goal.focus = (about + (self.goal.focus() - about) * factor).to_array();
        self.goal.distance = distance;
    }

    /// The place under the cursor that is as deep as the focus, as an offset in cloud radii; the focus if there is no
    /// cursor.
    pub fn under_cursor(&self) -> Vec3 {
        let focus = self.pose.focus();
        let Some(cursor) = self.cursor else { return focus }; // headless, or outside
        let offset = self.screen.offset_of(cursor) * self.lens().half_extent(self.pose.distance);
        let rotation = if self.is_flat() { Quat::IDENTITY } else { self.pose.rotation() };
        focus + rotation * offset.extend(0.0)
    }

    /// Does what a command asks, but for the switches in the settings.
    pub fn obey(&mut self, command: &CameraCommand, ease_seconds: f32) {
        let cloud = self.cloud.unwrap_or(CloudBounds::UNIT); // places are told of the cloud as it is, not as followed
        let mut goal = self.goal;
        let mut seconds = ease_seconds;
        match *command {
            CameraCommand::FrameAll => goal = Pose { yaw: goal.yaw, pitch: goal.pitch, ..Pose::default() },
            CameraCommand::Frame { centre, radius } => {
                goal.focus = cloud.relative_from_world(centre).to_array();
                goal.distance = Pose::frame_distance() * (radius / cloud.radius).max(LEAST_FRAME);
            }
            CameraCommand::FocusOn(place) => goal.focus = cloud.relative_from_world(place).to_array(),
            CameraCommand::View(_) if cloud.flat => {
                goal = Pose { yaw: goal.yaw, pitch: goal.pitch, ..Pose::default() };
            }
            CameraCommand::View(view) => goal = Pose::view(view),
            CameraCommand::SetPose { pose, seconds: asked } => (goal, seconds) = (pose, asked),
            CameraCommand::Zoom(closer) => goal.distance /= closer,
            CameraCommand::ToggleTurntable | CameraCommand::ToggleFly => return,
        }
        let Some(goal) = goal.in_range() else { return }; // not a number
        self.goal = goal;
        self.ease = Some(Ease { from: self.pose, elapsed_secs: 0.0, duration_secs: seconds.max(0.0) });
    }

    /// Lets time pass. `held`: the user has the view in hand, so it does not turn by itself.
    pub fn advance(&mut self, dt: f32, settings: &CameraSettings, held: bool) {
        self.follow(dt, settings);
        let before = (self.pose, self.flatness);
        self.flatten(dt, settings.ease_seconds);
        if let Some(ease) = &mut self.ease {
            ease.elapsed_secs += dt;
            let t = if ease.duration_secs > 0.0 { ease.elapsed_secs / ease.duration_secs } else { 1.0 };
            self.pose = Pose::tween(&ease.from, &self.goal, smooth(t));
            if t >= 1.0 {
                self.ease = None;
            }
        } else if self.pose.looks_like(&self.goal) {
            self.pose = self.goal;
        } else {
            self.pose = Pose::tween(&self.pose, &self.goal, share(dt, settings.glide_seconds));
        }
        if before != (self.pose, self.flatness) {
            self.still_secs = 0.0;
        } else {
            self.still_secs = (self.still_secs + dt).min(MOVING_SECONDS);
        }
        let turns = settings.turntable && settings.turntable_seconds > 0.0 && !settings.fly;
        if turns && !held && self.ease.is_none() && !self.is_flat() {
            for pose in [&mut self.pose, &mut self.goal] {
                pose.yaw = wrap_angle(pose.yaw + TAU * dt / settings.turntable_seconds);
            }
        }
    }

    /// Goes after the cloud. Nothing interrupts this.
    fn follow(&mut self, dt: f32, settings: &CameraSettings) {
        let Some(cloud) = self.cloud else { return }; // nothing to follow yet
        self.followed = self.followed.glide(&cloud, share(dt, settings.follow_seconds));
    }

    fn flatten(&mut self, dt: f32, ease_seconds: f32) {
        let step = if ease_seconds > 0.0 { dt / ease_seconds } else { 1.0 };
        let step = if self.is_flat() { step } else { -step };
        self.flatness = (self.flatness + step).clamp(0.0, 1.0);
    }
}

/// The share of a difference that is made up in `dt`, if it shrinks to a third in `seconds`; the same at any frame rate.
pub(crate) fn share(dt: f32, seconds: f32) -> f32 {
    if seconds > 0.0 { -(-dt / seconds).exp_m1() } else { 1.0 }
}

/// From 0 to 1, starting and ending gently.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
