//! What keys do, as one table: it serves the keyboard, the menu and the help.

use bevy::input::keyboard::KeyCode;
use inspect::Tool;
use orbit_camera::StandardView;

/// Everything that a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Pause or go on.
    Pause,
    /// Take in nothing more from the stream, or go on.
    PauseStream,
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
pub const SHORTCUTS: [Shortcut; 53] = [
    key(KeyCode::Space, "Space", Deed::Pause, "pause or go on"),
    shift(KeyCode::Space, "Shift Space", Deed::PauseStream, "pause the stream of living data, or go on"),
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
