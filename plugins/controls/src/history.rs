//! Undo and redo of everything that is set: the embedding, its colours, its looks, and what is selected.

use crate::desk::Desk;
use crate::model::{ColourPanel, Notices};
use bevy::ecs::prelude::{Res, ResMut, Resource, Result};
use bevy_egui::EguiContexts;
use colours::ColourSettings;
use embedding::Settings;
use inspect::Selection;
use live::LiveEmbedding;
use points::PointSettings;
use score::Score;
use selection::Rows;
use std::sync::Arc;

/// What can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct Steered {
    /// Of the embedding.
    pub settings: Settings,
    /// Of the colours.
    pub colours: ColourSettings,
    /// Of the looks.
    pub looks: PointSettings,
    /// The rows that are selected.
    pub selected: Arc<Rows>,
    /// The score on the desk.
    pub score: Arc<Score>,
}

/// Steps that are remembered.
const MOST_STEPS: usize = 200;

/// What was set before, and what was undone.
#[derive(Resource, Debug, Default)]
pub struct History {
    present: Option<Steered>,
    past: Vec<Steered>,
    future: Vec<Steered>,
    wish: Option<Wish>,
    /// Data whose beginning is not a step: set when other data is opened.
    fresh: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Undo,
    Redo,
}

impl History {
    /// Goes back one step, at the end of this frame.
    pub fn undo(&mut self) {
        self.wish = Some(Wish::Undo);
    }

    /// Takes back the last undoing.
    pub fn redo(&mut self) {
        self.wish = Some(Wish::Redo);
    }

    /// Whether there is something to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Other data: what was set for the old is no step of the new.
    pub fn forget(&mut self) {
        *self = Self { fresh: true, ..Self::default() };
    }

    /// Takes in what stands now; a change becomes a step when the hand is off the mouse.
    fn see(&mut self, now: &Steered, resting: bool) {
        match &mut self.present {
            Some(present) if *present == *now => {}
            Some(_) if !resting => {}
            Some(present) if !self.fresh => {
                self.past.push(std::mem::replace(present, now.clone()));
                if self.past.len() > MOST_STEPS {
                    self.past.remove(0);
                }
                self.future.clear();
            }
            present => *present = Some(now.clone()),
        }
        self.fresh = false;
    }

    /// What shall stand from now on, if there is a wish that can be met.
    fn fulfil(&mut self) -> Option<Steered> {
        let wish = self.wish.take()?;
        let present = self.present.clone()?;
        let (from, to) = match wish {
            Wish::Undo => (&mut self.past, &mut self.future),
            Wish::Redo => (&mut self.future, &mut self.past),
        };
        let wanted = from.pop()?;
        to.push(present);
        self.present = Some(wanted.clone());
        Some(wanted)
    }
}

/// Remembers what was changed in this frame, and fulfils a wish to go back.
#[expect(clippy::too_many_arguments, reason = "a system's arguments are what it reads")]
pub fn remember(
    mut contexts: EguiContexts,
    mut history: ResMut<History>,
    mut live: ResMut<LiveEmbedding>,
    mut colour: ResMut<ColourPanel>,
    mut looks: ResMut<PointSettings>,
    (mut selection, mut desk): (ResMut<Selection>, ResMut<Desk>),
    mut notices: ResMut<Notices>,
    card: Res<crate::model::DataCard>,
) -> Result {
    if card.name.is_empty() {
        return Ok(()); // nothing to steer
    }
    let resting = contexts.ctx_mut()?.input(|input| !input.pointer.any_down());
    let now = Steered {
        settings: live.settings().clone(),
        colours: colour.settings.clone(),
        looks: looks.clone(),
        selected: Arc::clone(selection.rows()),
        score: Arc::clone(&desk.score),
    };
    if desk.steering {
        history.fresh = true; // what a score does is no step of the user's
    }
    history.see(&now, resting);
    let Some(wanted) = history.fulfil() else { return Ok(()) };
    if let Err(error) = live.set_settings(wanted.settings) {
        notices.failed(error.to_string());
    }
    if colour.settings != wanted.colours {
        colour.settings = wanted.colours;
    }
    looks.set_if_neq(wanted.looks);
    if *selection.rows() != wanted.selected && selection.rows().len() == wanted.selected.len() {
        selection.set(wanted.selected);
    }
    if desk.score != wanted.score {
        desk.score = wanted.score;
        desk.choose(None);
    }
    Ok(())
}

use bevy::ecs::change_detection::DetectChangesMut;

#[cfg(test)]
mod tests {
    use super::*;

    fn steered(alpha: f32) -> Steered {
        Steered {
            settings: Settings { alpha, ..Settings::default() },
            colours: ColourSettings::default(),
            looks: PointSettings::default(),
            selected: Arc::new(Rows::none(3)),
            score: Arc::default(),
        }
    }

    #[test]
    fn steps_are_undone_and_redone_in_order() {
        let mut history = History::default();
        [1.0, 2.0, 3.0].iter().for_each(|&alpha| history.see(&steered(alpha), true));
        assert!(history.can_undo() && !history.can_redo());
        let mut go = |undo: bool| {
            if undo {
                history.undo()
            } else {
                history.redo()
            };
            history.fulfil().map(|steered| steered.settings.alpha)
        };
        assert_eq!([go(true), go(true), go(true)], [Some(2.0), Some(1.0), None]);
        assert_eq!([go(false), go(false), go(false)], [Some(2.0), Some(3.0), None]);
    }

    #[test]
    fn a_drag_is_one_step_and_a_new_step_forgets_what_was_undone() {
        let mut history = History::default();
        history.see(&steered(1.0), true);
        [1.1, 1.2, 1.3].iter().for_each(|&alpha| history.see(&steered(alpha), false));
        history.see(&steered(1.3), true);
        assert_eq!(history.past.len(), 1);
        history.undo();
        assert_eq!(history.fulfil(), Some(steered(1.0)));
        history.see(&steered(5.0), true);
        assert!(!history.can_redo());
    }

    #[test]
    fn other_data_begins_without_a_past() {
        let mut history = History::default();
        [1.0, 2.0].iter().for_each(|&alpha| history.see(&steered(alpha), true));
        history.forget();
        [7.0, 7.0].iter().for_each(|&alpha| history.see(&steered(alpha), true));
        assert!(!history.can_undo());
    }
}
