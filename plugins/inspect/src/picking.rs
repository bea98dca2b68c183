//! Which point is seen at a place of the window: at once where the positions are in main memory, some frames later where
//! they are the graphics device's.

use crate::hand::Gesture;
use bevy::camera::Camera;
use bevy::ecs::prelude::{Entity, Message, MessageReader, MessageWriter, Query, Res, ResMut, Resource, With};
use bevy::ecs::system::SystemParam;
use bevy::math::{Vec2, Vec3};
use bevy::transform::components::GlobalTransform;
use bevy::window::{PrimaryWindow, Window};
use live::{LiveEmbedding, Snapshot};
use orbit_camera::OrbitCamera;
use points::{
    DrawPath, Eye, Looker, PickPoint, Picked, PointCloud, PointFocus, PointPicked, PointScale, PointSettings,
};
use rayon::prelude::*;
use selection::Combine;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far beside a point a click may be, in pixels.
pub(crate) const REACH_PX: f32 = 5.0;

/// Whether the adapter that draws is a software renderer: it draws small points as plain discs, and they are picked so.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct SoftwareAdapter(pub bool);

/// What a point is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Purpose {
    /// To name it beside the cursor.
    Hover,
    /// To inspect it.
    Inspect,
    /// To select its cluster.
    Cluster(Combine),
    /// To paint around it.
    Brush {
        /// The stroke begins here.
        first: bool,
        /// What becomes of the selection.
        how: Combine,
    },
}

/// The row that was asked for, if there is one, and where its point is in the world.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// What for.
    pub purpose: Purpose,
    /// Where it was asked, in logical pixels.
    pub at: Vec2,
    /// The row and its place.
    pub found: Option<(u32, Vec3)>,
}

/// What the graphics device has been asked, and how long answers took.
#[derive(Resource, Debug, Default)]
pub struct Questions {
    next: u64,
    open: Vec<Question>,
    took: Vec<Duration>,
    last: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Question {
    id: u64,
    purpose: Purpose,
    at: Vec2,
    asked: Instant,
}

impl Questions {
    /// How long answers took, from question to answer, since this was asked last.
    pub fn take_times(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.took)
    }

    fn answered(&mut self, asked: Instant) {
        if self.took.len() == MOST_TIMES {
            self.took.clear(); // nobody asks
        }
        self.last = asked.elapsed();
        self.took.push(self.last);
    }
}

/// Times that are remembered for whoever measures.
const MOST_TIMES: usize = 1024;

/// Where questions go: to the native search at once, or to the graphics device.
#[derive(SystemParam)]
pub struct Desk<'w> {
    questions: ResMut<'w, Questions>,
    answers: MessageWriter<'w, Answer>,
    device: MessageWriter<'w, PickPoint>,
}

impl Desk<'_> {
    /// How long the last answer took.
    pub fn last_time(&self) -> Duration {
        self.questions.last
    }
}

/// The camera, and how it sees points.
type Seeing =
    (Entity, &'static Camera, &'static GlobalTransform, Option<&'static PointScale>, Option<&'static PointFocus>);

/// All that is needed to see what the user sees.
#[derive(SystemParam)]
pub struct Eyes<'w, 's> {
    live: Res<'w, LiveEmbedding>,
    cloud: Res<'w, PointCloud>,
    settings: Res<'w, PointSettings>,
    path: Res<'w, DrawPath>,
    software: Res<'w, SoftwareAdapter>,
    cameras: Query<'w, 's, Seeing, With<OrbitCamera>>,
    windows: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl Eyes<'_, '_> {
    /// The snapshot whose positions are seen.
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        self.live.snapshot().filter(|snapshot| snapshot.data.points() <= self.cloud.count())
    }

    /// Pixels of the screen in a logical pixel of the window.
    pub fn scale_factor(&self) -> f32 {
        self.windows.single().map_or(1.0, Window::scale_factor)
    }

    /// Does something with a look through the camera, at what is drawn; the positions of the snapshot stand in for the
    /// device's.
    fn look<T>(&self, with: impl FnOnce(&Looker<'_>) -> T) -> Option<T> {
        self.look_at(&self.cloud, with)
    }

    /// The same at all points: while the camera or the mouse moves, a slow adapter draws a share of them only.
    pub fn look_at_all<T>(&self, with: impl FnOnce(&Looker<'_>) -> T) -> Option<T> {
        let mut all = PointCloud::clone(&self.cloud); // positions and styles are shared
        all.set_share(1.0);
        self.look_at(&all, with)
    }

    fn look_at<T>(&self, cloud: &PointCloud, with: impl FnOnce(&Looker<'_>) -> T) -> Option<T> {
        let (_, camera, transform, scale, focus) = self.cameras.single().ok()?;
        let snapshot = self.snapshot()?;
        let eye = Eye::of(camera, transform, scale, focus)?;
        let order = cloud.order();
        Some(with(&Looker {
            cloud,
            positions: Some(&snapshot.positions),
            settings: &self.settings,
            eye,
            path: *self.path,
            software: self.software.0,
            order: &order,
        }))
    }

    /// Asks for the point at a place; the answer comes as an [`Answer`].
    pub fn ask(&self, purpose: Purpose, at: Vec2, desk: &mut Desk) {
        let Desk { questions, answers, device } = desk;
        if self.live.is_on_device() {
            let Ok((camera, ..)) = self.cameras.single() else { return };
            questions.next += 1;
            let id = questions.next;
            questions.open.push(Question { id, purpose, at, asked: Instant::now() });
            device.write(PickPoint { id, camera, pixel: at * self.scale_factor() });
            return;
        }
        let asked = Instant::now();
        let found = self.pick_near(at).and_then(|picked| Some((self.row(picked.slot)?, picked.place)));
        questions.answered(asked);
        answers.write(Answer { purpose, at, found });
    }

    /// The point at a place of the window, or a little beside it.
    fn pick_near(&self, at: Vec2) -> Option<Picked> {
        let scale = self.scale_factor();
        self.look(|looker| looker.pick_near(at * scale, REACH_PX * scale)).flatten()
    }

    fn row(&self, point: u32) -> Option<u32> {
        self.snapshot()?.data.row_of_point.get(point as usize).copied()
    }

    /// Where a point of the snapshot is in the world.
    fn place(&self, point: u32) -> Option<Vec3> {
        let snapshot = self.snapshot()?;
        Some(self.cloud.axes().place(snapshot.position(point as usize)))
    }

    /// The points within a sphere in the world.
    pub fn within(&self, centre: Vec3, radius: f32) -> Vec<u32> {
        let Some(snapshot) = self.snapshot() else { return Vec::new() };
        let axes = self.cloud.axes();
        let near =
            |point: &u32| axes.place(snapshot.position(*point as usize)).distance_squared(centre) <= radius * radius;
        (0..snapshot.data.points() as u32).into_par_iter().filter(near).collect()
    }
}

/// Asks for the points that clicks are about.
pub(crate) fn ask_for_gestures(mut gestures: MessageReader<Gesture>, eyes: Eyes, mut desk: Desk) {
    let gestures: Vec<Gesture> = gestures.read().copied().collect();
    let last_dab = gestures.iter().rposition(|gesture| matches!(gesture, Gesture::Brushed { .. }));
    for (index, gesture) in gestures.iter().enumerate() {
        let (purpose, at) = match *gesture {
            // A quick mouse says more in a frame than can be searched: where a stroke begins and where it is now.
            Gesture::Brushed { first: false, .. } if Some(index) != last_dab => continue,
            Gesture::Click(at) => (Purpose::Inspect, at),
            Gesture::DoubleClick { at, how } => (Purpose::Cluster(how), at),
            Gesture::Brushed { at, first, how } => (Purpose::Brush { first, how }, at),
            Gesture::Drawn { .. } => continue,
        };
        eyes.ask(purpose, at, &mut desk);
    }
}

/// Passes on what the graphics device answered.
pub(crate) fn hear_device(
    mut picked: MessageReader<PointPicked>,
    mut questions: ResMut<Questions>,
    eyes: Eyes,
    mut answers: MessageWriter<Answer>,
) {
    for answer in picked.read() {
        let Some(at) = questions.open.iter().position(|question| question.id == answer.id) else { continue };
        let Question { purpose, at, asked, .. } = questions.open.remove(at);
        // Beside a point, but meant for it: near enough in the positions that came back last.
        let near = || eyes.pick_near(at).map(|picked| picked.slot);
        let found = answer.slot.or_else(near).and_then(|slot| Some((eyes.row(slot)?, eyes.place(slot)?)));
        questions.answered(asked);
        answers.write(Answer { purpose, at, found });
    }
}
