//! Deeds, done: as if a key had been pressed, whoever asks.

use super::Deed;
use crate::branches::HierarchyCard;
use crate::desk::{Conduct, Desk};
use crate::dialogs::Dialogs;
use crate::history::History;
use crate::model::{DataCard, Interface, Request, SelectionCard, ZOOM};
use crate::seeing::Seeing;
use bevy::ecs::prelude::{MessageWriter, Res, ResMut};
use bevy::ecs::system::SystemParam;
use bevy::math::Vec3;
use gpu::command::GpuEmbedding;
use inspect::{Inspected, Selection, Tool, ToolSettings};
use live::{Action, LiveEmbedding};
use orbit_camera::{CameraCommand, CameraSettings};
use points::PointCloud;
use selection::Rows;
use std::sync::Arc;

/// Iterations over which "settle" lets the motion die away.
pub const SETTLE: u32 = 250;

/// Share of the selected points that are framed.
const FRAMED: f32 = 0.98;

/// Everything that deeds act on.
#[derive(SystemParam)]
pub struct Hands<'w> {
    live: ResMut<'w, LiveEmbedding>,
    gpu: Option<Res<'w, GpuEmbedding>>,
    history: ResMut<'w, History>,
    interface: ResMut<'w, Interface>,
    pub(super) dialogs: ResMut<'w, Dialogs>,
    pub(super) camera: Res<'w, CameraSettings>,
    card: Res<'w, DataCard>,
    cloud: Res<'w, PointCloud>,
    selection: ResMut<'w, Selection>,
    inspected: ResMut<'w, Inspected>,
    tools: ResMut<'w, ToolSettings>,
    pub(super) selected: ResMut<'w, SelectionCard>,
    pub(super) desk: ResMut<'w, Desk>,
    seeing: ResMut<'w, Seeing>,
    hierarchy: ResMut<'w, HierarchyCard>,
    conduct: MessageWriter<'w, Conduct>,
    views: MessageWriter<'w, CameraCommand>,
    requests: MessageWriter<'w, Request>,
}

impl Hands<'_> {
    /// Does it.
    pub fn perform(&mut self, deed: Deed) {
        match deed {
            Deed::Pause => {
                let paused = self.live.is_paused();
                self.live.set_paused(!paused);
            }
            Deed::Step => {
                self.live.set_paused(true);
                self.live.step_once(self.gpu.as_deref());
            }
            Deed::Settle => self.live.act(Action::Settle(SETTLE)),
            Deed::Implode => self.live.act(Action::Implode),
            Deed::Explode => self.live.act(Action::Explode),
            Deed::Reset => self.live.act(Action::Reset),
            Deed::NewSeed => self.reseed(),
            Deed::FrameAll => self.look(CameraCommand::FrameAll),
            Deed::View(view) => self.look(CameraCommand::View(view)),
            Deed::Turntable => self.look(CameraCommand::ToggleTurntable),
            Deed::GrandTour => {
                if self.live.snapshot().is_some_and(|snapshot| snapshot.dims > 3) {
                    self.seeing.toggle_grand();
                }
            }
            Deed::Fly => self.look(CameraCommand::ToggleFly),
            Deed::Panels => self.interface.panels = !self.interface.panels,
            Deed::Help => self.interface.help = !self.interface.help,
            Deed::FullScreen => self.interface.full_screen = !self.interface.full_screen,
            Deed::Screenshot => {
                let (scale, transparent) = (self.interface.screenshot_scale, self.interface.screenshot_transparent);
                self.ask(Request::Screenshot { path: None, scale, transparent });
            }
            Deed::ScreenshotAs => self.dialogs.screenshot(&self.card.name),
            Deed::SaveAs => self.dialogs.save(&self.card.name),
            Deed::Export => self.dialogs.export(&self.card.name),
            Deed::Open => self.dialogs.open(),
            Deed::Save => self.ask(Request::Save(None)),
            Deed::Undo => self.history.undo(),
            Deed::Redo => self.history.redo(),
            Deed::Larger => self.zoom(1.1),
            Deed::Smaller => self.zoom(1.0 / 1.1),
            Deed::UsualSize => self.interface.zoom = 1.0,
            Deed::Quit => self.ask(Request::Quit),
            Deed::Tool(tool) => {
                self.tools.tool = if self.tools.tool == tool { Tool::Point } else { tool };
            }
            Deed::Search => {
                self.interface.panels = true;
                self.selected.focus_search = true;
            }
            Deed::SelectAll => self.select_others_than(None),
            Deed::Invert => {
                let rows = Arc::clone(self.selection.rows());
                self.select_others_than(Some(&rows));
            }
            Deed::FrameSelection => self.frame_selection(),
            Deed::LookAt if self.inspected.row().is_some() => self.look(CameraCommand::FocusOn(self.inspected.place())),
            Deed::LookAt => {}
            Deed::Back => self.inspected.go_back(),
            Deed::Dive => self.ask(Request::Dive),
            Deed::Rise => {
                if let Some(level) = self.selected.levels.len().checked_sub(1) {
                    self.ask(Request::Rise(level));
                }
            }
            Deed::PauseStream => self.ask(Request::PauseStream),
            Deed::FindClusters => self.ask(Request::FindClusters),
            Deed::Hierarchy => {
                self.hierarchy.open = !self.hierarchy.open;
                if self.hierarchy.open && self.hierarchy.is_blank() {
                    self.ask(Request::GrowHierarchy);
                }
            }
            Deed::ExportSelection => self.dialogs.export_selection(&self.card.name),
            Deed::ExportTables => self.dialogs.export_tables(&self.card.name),
            Deed::Record => self.conduct(Conduct::Record),
            Deed::Timeline => self.desk.open = !self.desk.open,
            Deed::Present => self.conduct(Conduct::Present),
            Deed::DeleteCue => self.desk.delete_chosen(),
            Deed::SaveScore if self.desk.path.is_some() => self.conduct(Conduct::Save(None)),
            Deed::SaveScore | Deed::SaveScoreAs => self.dialogs.score(&self.card.name),
            Deed::Movie => self.dialogs.movie(&self.card.name),
            Deed::LetGo => self.let_go(),
        }
    }

    /// Selects all rows that are embedded, but for some.
    fn select_others_than(&mut self, rows: Option<&Rows>) {
        let Some(snapshot) = self.live.snapshot() else { return };
        let data = &snapshot.data;
        let others = data.rows().filter(|row| rows.is_none_or(|rows| !rows.contains(*row)));
        let others = Rows::from_rows(data.table_rows(), others);
        self.selection.set(Arc::new(others));
    }

    /// Looks at the middle of the selection, from as far as it needs; without one, at the whole cloud.
    fn frame_selection(&mut self) {
        let rows = Arc::clone(self.selection.rows());
        let (Some(snapshot), false) = (self.live.snapshot(), rows.is_empty()) else {
            return self.look(CameraCommand::FrameAll);
        };
        let axes = self.cloud.axes();
        let places: Vec<Vec3> = rows
            .iter()
            .filter_map(|row| snapshot.data.point(row))
            .map(|point| axes.place(snapshot.position(point as usize)))
            .filter(|place| place.is_finite())
            .collect();
        if places.is_empty() {
            return self.look(CameraCommand::FrameAll);
        }
        let centre = places.iter().sum::<Vec3>() / places.len() as f32;
        let mut distances: Vec<f32> = places.iter().map(|place| place.distance(centre)).collect();
        let most = ((distances.len() - 1) as f32 * FRAMED) as usize; // a stray point must not make the rest small
        let (_, radius, _) = distances.select_nth_unstable_by(most, f32::total_cmp);
        let radius = *radius;
        self.look(CameraCommand::Frame { centre, radius });
    }

    /// A seed that follows from the last one, so that a session can be repeated.
    fn reseed(&mut self) {
        let mut settings = self.live.settings().clone();
        settings.seed = settings.seed.wrapping_add(1);
        if self.live.set_settings(settings).is_ok() {
            self.live.act(Action::Reset);
        }
    }

    /// One thing at a time, from the most passing to the most lasting.
    fn let_go(&mut self) {
        if self.interface.help {
            self.interface.help = false;
        } else if self.card.loading.is_some() {
            self.ask(Request::CancelOpening);
        } else if self.desk.is_played() {
            self.conduct(Conduct::Leave);
        } else if self.camera.fly {
            self.look(CameraCommand::ToggleFly);
        } else if self.tools.tool != Tool::Point {
            self.tools.tool = Tool::Point;
        } else if self.inspected.row().is_some() {
            self.inspected.look_at(None);
        } else if !self.selection.is_empty() {
            self.selection.clear();
        }
    }

    fn zoom(&mut self, factor: f32) {
        self.interface.zoom = (self.interface.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
    }

    pub(super) fn conduct(&mut self, what: Conduct) {
        self.conduct.write(what);
    }

    fn look(&mut self, command: CameraCommand) {
        self.views.write(command);
    }

    fn ask(&mut self, request: Request) {
        self.requests.write(request);
    }
}
