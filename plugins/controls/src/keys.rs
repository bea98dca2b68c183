//! Keys. One table serves the keyboard, the menu and the help.

use crate::branches::HierarchyCard;
use crate::desk::{Conduct, Desk, Doing};
use crate::dialogs::Dialogs;
use crate::history::History;
use crate::model::{DataCard, Interface, Request, SelectionCard, ZOOM};
use crate::seeing::Seeing;
use bevy::ecs::prelude::{Local, MessageReader, MessageWriter, Res, ResMut, Result};
use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{KeyCode, KeyboardFocusLost, KeyboardInput};
use bevy::math::Vec3;
use bevy_egui::EguiContexts;
use bevy_egui::egui::FocusDirection;
use bevy_egui::input::EguiWantsInput;
use gpu::command::GpuEmbedding;
use inspect::{Inspected, Selection, Tool, ToolSettings};
use live::{Action, LiveEmbedding};
use orbit_camera::{CameraCommand, CameraSettings, StandardView};
use points::PointCloud;
use selection::Rows;
use std::sync::Arc;

/// Iterations over which "settle" lets the motion die away.
pub const SETTLE: u32 = 250;

/// Share of the selected points that are framed.
const FRAMED: f32 = 0.98;

/// Everything that a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Pause or go on.
    Pause,
    /// One iteration.
    Step,
    /// Let the motion die away.
    Settle,
    /// Draw everything together.
    Implode,
    /// Blow everything up.
    Explode,
    /// Start again.
    Reset,
    /// Start again elsewhere.
    NewSeed,
    /// See the whole cloud.
    FrameAll,
    /// Look from a side.
    View(StandardView),
    /// Turn by itself, or not.
    Turntable,
    /// Tour through more than three dimensions, or end that.
    GrandTour,
    /// Fly, or not.
    Fly,
    /// Hide or show the panels.
    Panels,
    /// Open or close the list of keys.
    Help,
    /// Full screen, or not.
    FullScreen,
    /// Save a picture under a free name.
    Screenshot,
    /// Save a picture somewhere.
    ScreenshotAs,
    /// Open a file.
    Open,
    /// Save the session.
    Save,
    /// Save the session somewhere.
    SaveAs,
    /// Export coordinates.
    Export,
    /// Undo a setting.
    Undo,
    /// Redo it.
    Redo,
    /// Larger text.
    Larger,
    /// Smaller text.
    Smaller,
    /// Text of the usual size.
    UsualSize,
    /// End the program.
    Quit,
    /// Take a tool, or put it away.
    Tool(Tool),
    /// Search rows.
    Search,
    /// Select all rows.
    SelectAll,
    /// Select the rows that are not selected.
    Invert,
    /// Look at the selection, or else at the whole cloud.
    FrameSelection,
    /// Look at the row that is inspected.
    LookAt,
    /// Back to the row that was inspected before.
    Back,
    /// Embed the selection alone.
    Dive,
    /// One level up.
    Rise,
    /// Find clusters.
    FindClusters,
    /// Open or close the hierarchy.
    Hierarchy,
    /// Write the selected rows.
    ExportSelection,
    /// Write the tables of the explanation.
    ExportTables,
    /// Write down what happens, or end that.
    Record,
    /// Open or close the timeline.
    Timeline,
    /// Present the score.
    Present,
    /// Take the chosen cue away.
    DeleteCue,
    /// Write the score where it came from.
    SaveScore,
    /// Write the score somewhere.
    SaveScoreAs,
    /// Make a movie of the score.
    Movie,
    /// Close what is open, stop what goes on.
    LetGo,
}

/// A key, what is held with it, what it does, and how that is told.
#[derive(Debug, Clone, Copy)]
pub struct Shortcut {
    /// The key.
    pub key: KeyCode,
    /// With Ctrl.
    pub ctrl: bool,
    /// With Shift.
    pub shift: bool,
    /// As printed in the help and the menu.
    pub shown: &'static str,
    /// What it does.
    pub deed: Deed,
    /// In words.
    pub words: &'static str,
}

const fn key(key: KeyCode, shown: &'static str, deed: Deed, words: &'static str) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false, shown, deed, words }
}

const fn ctrl(key: KeyCode, shown: &'static str, deed: Deed, words: &'static str) -> Shortcut {
    Shortcut { key, ctrl: true, shift: false, shown, deed, words }
}

const fn ctrl_shift(key: KeyCode, shown: &'static str, deed: Deed, words: &'static str) -> Shortcut {
    Shortcut { key, ctrl: true, shift: true, shown, deed, words }
}

const fn shift(key: KeyCode, shown: &'static str, deed: Deed, words: &'static str) -> Shortcut {
    Shortcut { key, ctrl: false, shift: true, shown, deed, words }
}

/// All of them, in the order of the help.
pub const SHORTCUTS: [Shortcut; 52] = [
    key(KeyCode::Space, "Space", Deed::Pause, "pause or go on"),
    key(KeyCode::Period, ".", Deed::Step, "one iteration (while paused)"),
    key(KeyCode::KeyS, "S", Deed::Settle, "settle: let the motion die away"),
    key(KeyCode::KeyI, "I", Deed::Implode, "implode: draw everything together"),
    shift(KeyCode::KeyI, "Shift I", Deed::Explode, "explode: blow everything up"),
    key(KeyCode::KeyR, "R", Deed::Reset, "reset: start again, neighbours kept"),
    shift(KeyCode::KeyR, "Shift R", Deed::NewSeed, "reset with a new seed"),
    key(KeyCode::KeyF, "F", Deed::FrameSelection, "frame the selection, or the whole cloud"),
    shift(KeyCode::KeyF, "Shift F", Deed::FrameAll, "frame the whole cloud"),
    key(KeyCode::Digit1, "1", Deed::View(StandardView::Front), "front view"),
    key(KeyCode::Digit2, "2", Deed::View(StandardView::Back), "back view"),
    key(KeyCode::Digit3, "3", Deed::View(StandardView::Left), "left view"),
    key(KeyCode::Digit4, "4", Deed::View(StandardView::Right), "right view"),
    key(KeyCode::Digit5, "5", Deed::View(StandardView::Top), "top view"),
    key(KeyCode::Digit6, "6", Deed::View(StandardView::Bottom), "bottom view"),
    key(KeyCode::Digit7, "7", Deed::View(StandardView::ThreeQuarter), "three-quarter view"),
    key(KeyCode::KeyT, "T", Deed::Turntable, "turntable on or off"),
    key(KeyCode::KeyO, "O", Deed::GrandTour, "grand tour through more than three dimensions"),
    key(KeyCode::KeyV, "V", Deed::Fly, "fly on or off (W A S D, Q E, mouse)"),
    key(KeyCode::KeyL, "L", Deed::Tool(Tool::Lasso), "lasso (Shift adds, Ctrl takes away)"),
    key(KeyCode::KeyB, "B", Deed::Tool(Tool::Box), "box"),
    key(KeyCode::KeyG, "G", Deed::Tool(Tool::Brush), "brush"),
    key(KeyCode::Slash, "/", Deed::Search, "search rows"),
    ctrl(KeyCode::KeyA, "Ctrl A", Deed::SelectAll, "select all"),
    ctrl(KeyCode::KeyI, "Ctrl I", Deed::Invert, "invert the selection"),
    key(KeyCode::KeyN, "N", Deed::LookAt, "look at the inspected point"),
    key(KeyCode::Backspace, "Backspace", Deed::Back, "inspect the one before"),
    key(KeyCode::KeyD, "D", Deed::Dive, "dive: embed the selection alone"),
    key(KeyCode::KeyU, "U", Deed::Rise, "up, out of a dive"),
    key(KeyCode::KeyK, "K", Deed::FindClusters, "find clusters, as a column"),
    key(KeyCode::KeyH, "H", Deed::Hierarchy, "hierarchy: how clusters part"),
    key(KeyCode::Tab, "Tab", Deed::Panels, "hide or show the panels"),
    key(KeyCode::F11, "F11", Deed::FullScreen, "full screen"),
    key(KeyCode::KeyP, "P", Deed::Screenshot, "save a picture of the cloud"),
    key(KeyCode::KeyC, "C", Deed::Record, "record what happens, or stop"),
    shift(KeyCode::KeyC, "Shift C", Deed::Timeline, "timeline"),
    key(KeyCode::F5, "F5", Deed::Present, "present the score (Space, arrows; F freezes)"),
    key(KeyCode::Delete, "Delete", Deed::DeleteCue, "delete the chosen cue"),
    ctrl(KeyCode::KeyO, "Ctrl O", Deed::Open, "open a file"),
    ctrl(KeyCode::KeyS, "Ctrl S", Deed::Save, "save the session"),
    ctrl_shift(KeyCode::KeyS, "Ctrl Shift S", Deed::SaveAs, "save the session elsewhere"),
    ctrl(KeyCode::KeyE, "Ctrl E", Deed::Export, "export coordinates"),
    ctrl(KeyCode::KeyP, "Ctrl P", Deed::ScreenshotAs, "save a picture elsewhere"),
    ctrl(KeyCode::KeyZ, "Ctrl Z", Deed::Undo, "undo a setting"),
    ctrl(KeyCode::KeyY, "Ctrl Y", Deed::Redo, "redo it"),
    ctrl(KeyCode::Equal, "Ctrl +", Deed::Larger, "larger text and panels"),
    ctrl(KeyCode::NumpadAdd, "", Deed::Larger, ""),
    ctrl(KeyCode::Minus, "Ctrl -", Deed::Smaller, "smaller text and panels"),
    ctrl(KeyCode::Digit0, "Ctrl 0", Deed::UsualSize, "usual size"),
    ctrl(KeyCode::KeyQ, "Ctrl Q", Deed::Quit, "quit"),
    shift(KeyCode::Slash, "?", Deed::Help, "this list"),
    key(KeyCode::Escape, "Esc", Deed::LetGo, "let go: tool, point, selection"),
];

/// What the mouse does, for the help.
pub const MOUSE: [(&str, &str); 7] = [
    ("drag", "turn the cloud"),
    ("right drag, Shift drag", "move it"),
    ("wheel", "zoom to the cursor"),
    ("click a point", "inspect it"),
    ("double click a point", "select its cluster"),
    ("click a legend row", "isolate it; Shift greys, Ctrl selects"),
    ("double click a slider", "back to its default"),
];

/// The key of a deed, as printed in menus.
#[must_use]
pub fn shown(deed: Deed) -> &'static str {
    SHORTCUTS.iter().find(|shortcut| shortcut.deed == deed).map_or("", |shortcut| shortcut.shown)
}

/// Everything that deeds act on.
#[derive(SystemParam)]
pub struct Hands<'w> {
    live: ResMut<'w, LiveEmbedding>,
    gpu: Option<Res<'w, GpuEmbedding>>,
    history: ResMut<'w, History>,
    interface: ResMut<'w, Interface>,
    dialogs: ResMut<'w, Dialogs>,
    camera: Res<'w, CameraSettings>,
    card: Res<'w, DataCard>,
    cloud: Res<'w, PointCloud>,
    selection: ResMut<'w, Selection>,
    inspected: ResMut<'w, Inspected>,
    tools: ResMut<'w, ToolSettings>,
    selected: ResMut<'w, SelectionCard>,
    desk: ResMut<'w, Desk>,
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

    fn conduct(&mut self, what: Conduct) {
        self.conduct.write(what);
    }

    fn look(&mut self, command: CameraCommand) {
        self.views.write(command);
    }

    fn ask(&mut self, request: Request) {
        self.requests.write(request);
    }
}

/// Tab hides the panels: egui goes to the next field with it only from a field that has the keys already. Otherwise
/// the first menu would take them, and Space would open it.
pub fn keep_tab(mut contexts: EguiContexts) -> Result {
    contexts.ctx_mut()?.memory_mut(|memory| {
        if memory.focused().is_none() {
            memory.move_focus(FocusDirection::None);
        }
    });
    Ok(())
}

/// Which of the keys that change others are held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    ctrl: bool,
    shift: bool,
}

impl Held {
    /// Takes in a key that went down or up; false if it is none of them.
    fn hear(&mut self, key: KeyCode, down: bool) -> bool {
        match key {
            KeyCode::ControlLeft | KeyCode::ControlRight => self.ctrl = down,
            KeyCode::ShiftLeft | KeyCode::ShiftRight => self.shift = down,
            _ => return false,
        }
        true
    }

    /// What a key asks for.
    fn deed(self, key: KeyCode) -> Option<Deed> {
        let found = SHORTCUTS.iter().find(|shortcut| {
            let larger = shortcut.deed == Deed::Larger; // "+" takes Shift on many keyboards
            shortcut.key == key && shortcut.ctrl == self.ctrl && (shortcut.shift == self.shift || larger)
        });
        found.map(|shortcut| shortcut.deed)
    }
}

/// What a key means while a score is played or presented; clickers send the keys of pages.
fn presenting(key: KeyCode, doing: Doing) -> Option<Conduct> {
    match (doing, key) {
        (Doing::Presenting, KeyCode::Space | KeyCode::ArrowRight | KeyCode::PageDown | KeyCode::Enter) => {
            Some(Conduct::Next)
        }
        (Doing::Presenting, KeyCode::ArrowLeft | KeyCode::PageUp | KeyCode::Backspace) => Some(Conduct::Previous),
        (Doing::Presenting, KeyCode::Home) => Some(Conduct::Seek(0.0)),
        (Doing::Presenting, KeyCode::KeyF) => Some(Conduct::Freeze),
        (Doing::Presenting, KeyCode::F5 | KeyCode::Escape) => Some(Conduct::Leave),
        (Doing::Playing, KeyCode::Space) => Some(Conduct::Play),
        _ => None,
    }
}

/// Does what keys ask for, unless they are for a field of text or a dialog; while flying, letters steer. Keys are taken
/// in the order they were pressed: on a slow machine a whole chord may fall into one frame.
pub fn press_keys(
    mut keys: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Held>,
    wants: Res<EguiWantsInput>,
    mut hands: Hands,
) {
    if lost.read().count() > 0 {
        *held = Held::default(); // they are let go of in another window
    }
    let elsewhere = wants.wants_any_keyboard_input() || hands.dialogs.is_open();
    for key in keys.read() {
        let down = key.state.is_pressed();
        // What follows the key of the search is meant for its field, which gets the keys in the next frame.
        let elsewhere = elsewhere || hands.selected.focus_search;
        if held.hear(key.key_code, down) || !down || key.repeat || elsewhere {
            continue;
        }
        if let Some(what) = presenting(key.key_code, hands.desk.doing) {
            hands.conduct(what);
            continue;
        }
        let Some(deed) = held.deed(key.key_code) else { continue };
        let steers = hands.camera.fly && !held.ctrl && matches!(deed, Deed::Settle | Deed::Explode | Deed::Dive);
        if !steers {
            hands.perform(deed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_within_one_frame_is_heard() {
        let mut held = Held::default();
        assert!(held.hear(KeyCode::ControlLeft, true));
        assert_eq!(held.deed(KeyCode::KeyS), Some(Deed::Save));
        assert!(held.hear(KeyCode::ShiftRight, true));
        assert_eq!(held.deed(KeyCode::KeyS), Some(Deed::SaveAs));
        held.hear(KeyCode::ControlLeft, false);
        assert_eq!((held.deed(KeyCode::KeyS), held.deed(KeyCode::KeyR)), (None, Some(Deed::NewSeed)));
        held.hear(KeyCode::ShiftRight, false);
        assert_eq!(held.deed(KeyCode::KeyS), Some(Deed::Settle));
    }

    #[test]
    fn no_two_deeds_share_a_key_and_every_key_is_explained() {
        for (at, one) in SHORTCUTS.iter().enumerate() {
            assert_eq!(one.shown.is_empty(), one.words.is_empty(), "{:?}", one.deed);
            for other in &SHORTCUTS[at + 1..] {
                assert!((one.key, one.ctrl, one.shift) != (other.key, other.ctrl, other.shift), "{:?}", one.key);
            }
            assert!(!shown(one.deed).is_empty(), "{:?} has no printed key", one.deed);
        }
    }
}
