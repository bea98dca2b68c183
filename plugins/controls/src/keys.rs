//! Keys: which there are (`shortcuts`), what they do (`hands`), and when they are heard.

mod hands;
mod shortcuts;

pub use hands::{Hands, SETTLE};
pub use shortcuts::{Deed, MOUSE, SHORTCUTS, Shortcut, shown};

use crate::desk::{Conduct, Doing};
use bevy::ecs::prelude::{Local, MessageReader, Res, Result};
use bevy::input::keyboard::{KeyCode, KeyboardFocusLost, KeyboardInput};
use bevy_egui::EguiContexts;
use bevy_egui::egui::FocusDirection;
use bevy_egui::input::EguiWantsInput;

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
