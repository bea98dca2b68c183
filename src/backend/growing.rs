//! Hierarchies grow on both backends.

use super::Runner;
use embedding::Settings;
use gpu::GpuError;
use hierarchy::Embed;
use live::Action;

impl Embed for Runner {
    type Error = GpuError;

    fn rows(&self) -> usize {
        self.points().0.rows()
    }

    fn set_alpha(&mut self, alpha: f32) -> Result<(), GpuError> {
        let settings = match self {
            Self::Cpu(engine) => engine.settings().clone(),
            Self::Gpu(engine) => engine.settings().clone(),
        };
        self.set_settings(Settings { alpha, ..settings })
    }

    fn settle(&mut self, iterations: u32) {
        self.act(Action::Settle(iterations));
    }

    fn run(&mut self, iterations: u32) -> Result<(), GpuError> {
        Runner::run(self, iterations, |_| {})
    }

    fn positions(&mut self) -> Result<Vec<f32>, GpuError> {
        Runner::positions(self)
    }
}
