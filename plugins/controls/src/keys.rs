//! Keys. One table serves the keyboard, the menu and the help.

use crate::dialogs::Dialogs;
use crate::history::History;
use crate::model::{DataCard, Interface, Request, ZOOM};
use bevy::ecs::prelude::{Local, MessageReader, MessageWriter, Res, ResMut, Result};
use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{KeyCode, KeyboardFocusLost, KeyboardInput};
use bevy_egui::EguiContexts;
use bevy_egui::egui::FocusDirection;
use bevy_egui::input::EguiWantsInput;
use gpu::command::GpuEmbedding;
use live::{Action, LiveEmbedding};
use orbit_camera::{CameraCommand, CameraSettings, StandardView};

/// Iterations over which "settle" lets the motion die away.
pub const SETTLE: u32 = 250;

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
pub const SHORTCUTS: [Shortcut; 35] = [
    key(KeyCode::Space, "Space", Deed::Pause, "pause or go on"),
    key(KeyCode::Period, ".", Deed::Step, "one iteration (while paused)"),
    key(KeyCode::KeyS, "S", Deed::Settle, "settle: let the motion die away"),
    key(KeyCode::KeyI, "I", Deed::Implode, "implode: draw everything together"),
    shift(KeyCode::KeyI, "Shift I", Deed::Explode, "explode: blow everything up"),
    key(KeyCode::KeyR, "R", Deed::Reset, "reset: start again, neighbours kept"),
    shift(KeyCode::KeyR, "Shift R", Deed::NewSeed, "reset with a new seed"),
    key(KeyCode::KeyF, "F", Deed::FrameAll, "frame the whole cloud"),
    key(KeyCode::Digit1, "1", Deed::View(StandardView::Front), "front view"),
    key(KeyCode::Digit2, "2", Deed::View(StandardView::Back), "back view"),
    key(KeyCode::Digit3, "3", Deed::View(StandardView::Left), "left view"),
    key(KeyCode::Digit4, "4", Deed::View(StandardView::Right), "right view"),
    key(KeyCode::Digit5, "5", Deed::View(StandardView::Top), "top view"),
    key(KeyCode::Digit6, "6", Deed::View(StandardView::Bottom), "bottom view"),
    key(KeyCode::Digit7, "7", Deed::View(StandardView::ThreeQuarter), "three-quarter view"),
    key(KeyCode::KeyT, "T", Deed::Turntable, "turntable on or off"),
    key(KeyCode::KeyV, "V", Deed::Fly, "fly on or off (W A S D, Q E, mouse)"),
    key(KeyCode::Tab, "Tab", Deed::Panels, "hide or show the panels"),
    key(KeyCode::F11, "F11", Deed::FullScreen, "full screen"),
    key(KeyCode::KeyP, "P", Deed::Screenshot, "save a picture of the cloud"),
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
    key(KeyCode::Slash, "?", Deed::Help, "this list"),
    shift(KeyCode::Slash, "", Deed::Help, ""),
    key(KeyCode::Escape, "Esc", Deed::LetGo, "let go: close, stop flying"),
];

/// What the mouse does, for the help.
pub const MOUSE: [(&str, &str); 6] = [
    ("drag", "turn the cloud"),
    ("right drag, Shift drag", "move it"),
    ("wheel", "zoom to the cursor"),
    ("double click a point", "look at it"),
    ("click a legend row", "isolate it; Shift click greys it"),
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
            Deed::LetGo => self.let_go(),
        }
    }

    /// A seed that follows from the last one, so that a session can be repeated.
    fn reseed(&mut self) {
        let mut settings = self.live.settings().clone();
        settings.seed = settings.seed.wrapping_add(1);
        if self.live.set_settings(settings).is_ok() {
            self.live.act(Action::Reset);
        }
    }

    fn let_go(&mut self) {
        self.interface.help = false;
        if self.card.loading.is_some() {
            self.ask(Request::CancelOpening);
        }
        if self.camera.fly {
            self.look(CameraCommand::ToggleFly);
        }
    }

    fn zoom(&mut self, factor: f32) {
        self.interface.zoom = (self.interface.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
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
        if held.hear(key.key_code, down) || !down || key.repeat || elsewhere {
            continue;
        }
        let Some(deed) = held.deed(key.key_code) else { continue };
        let steers = hands.camera.fly && !held.ctrl && matches!(deed, Deed::Settle | Deed::Explode);
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
