//! Hierarchies grow on both backends.

use super::Runner;
use embedding::{Action, RunError, Settings};
use hierarchy::Embed;

impl Embed for Runner {
    type Error = RunError;

    fn rows(&self) -> usize {
        self.points().0.rows()
    }

    fn set_alpha(&mut self, alpha: f32) -> Result<(), RunError> {
        let settings = Settings { alpha, ..self.settings().clone() };
        self.set_settings(settings)
    }

    fn settle(&mut self, iterations: u32) {
        self.act(Action::Settle(iterations));
    }

    fn run(&mut self, iterations: u32) -> Result<(), RunError> {
        Runner::run(self, iterations, |_| {})
    }

    fn positions(&mut self) -> Result<Vec<f32>, RunError> {
        Runner::positions(self)
    }
}
