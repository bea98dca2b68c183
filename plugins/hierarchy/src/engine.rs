//! The native engine grows hierarchies.

use crate::grow::Embed;
use embedding::{Engine, EngineError, Settings};

impl Embed for Engine {
    type Error = EngineError;

    fn rows(&self) -> usize {
        Engine::rows(self)
    }

    fn set_alpha(&mut self, alpha: f32) -> Result<(), EngineError> {
        self.set_settings(Settings { alpha, ..self.settings().clone() })
    }

    fn settle(&mut self, iterations: u32) {
        Engine::settle(self, iterations);
    }

    fn run(&mut self, iterations: u32) -> Result<(), EngineError> {
        (0..iterations).for_each(|_| self.step());
        Ok(())
    }

    fn positions(&mut self) -> Result<Vec<f32>, EngineError> {
        Ok(Engine::positions(self))
    }
}
