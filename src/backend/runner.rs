//! A batch run of an embedding, wherever it runs.

use crate::args::Backend;
use crate::commands::Phases;
use embedding::{Action, Embedder, Plan, RunError, Settings, Statistics, Stillness};
use vectors::Space;

/// A running embedding that nobody watches.
pub struct Runner(Box<dyn Embedder>);

/// When a batch run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// After all iterations of its plan.
    Planned,
    /// Earlier if it comes to rest: the step then begins to fall at once. The plan is the limit.
    AtRest,
}

/// What a batch run leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// `[rows][dims]`, in the caller's row order.
    pub positions: Vec<f32>,
    /// What was run of the plan.
    pub done: Plan,
    /// Why that is not all of it.
    pub failure: Option<RunError>,
}

impl Runner {
    pub fn new(embedder: impl Embedder + 'static) -> Self {
        Self(Box::new(embedder))
    }

    pub fn backend(&self) -> Backend {
        if self.0.device().is_some() { Backend::Gpu } else { Backend::Cpu }
    }

    /// Name of the graphics adapter; none on the cpu.
    pub fn adapter(&self) -> Option<String> {
        self.0.device().map(str::to_owned)
    }

    /// Runs iterations; `each` hears now and then how many are done since the beginning.
    pub fn run(&mut self, iterations: u32, mut each: impl FnMut(u32)) -> Result<(), RunError> {
        self.0.run(iterations, &mut each)
    }

    /// Runs a plan. A device that fails for good leaves its last good positions, if there are any.
    pub fn embed(&mut self, plan: Plan, ending: Ending, each: impl FnMut(u32)) -> Result<Embedded, RunError> {
        let mut unsettled = unsettled(plan);
        match self.try_embed(plan, ending, &mut unsettled, each) {
            Ok((positions, done)) => Ok(Embedded { positions, done, failure: None }),
            Err(failure) => {
                let Some((iterations, positions)) = self.0.last_good() else { return Err(failure) };
                let done = Plan { iterations, settle: iterations.saturating_sub(unsettled) };
                Ok(Embedded { positions, done, failure: Some(failure) })
            }
        }
    }

    /// `unsettled` is told how many iterations ran before the step began to fall.
    fn try_embed(
        &mut self,
        plan: Plan,
        ending: Ending,
        unsettled: &mut u32,
        mut each: impl FnMut(u32),
    ) -> Result<(Vec<f32>, Plan), RunError> {
        self.0.hurry(plan.settle > 0);
        match ending {
            Ending::Planned => self.run(*unsettled, &mut each)?,
            Ending::AtRest => *unsettled = self.run_until_rest(*unsettled, &mut each)?,
        }
        let settled = plan.settle.min(plan.iterations);
        if settled > 0 {
            self.act(Action::Settle(plan.settle));
            self.run(settled, each)?;
        }
        Ok((self.positions()?, Plan { iterations: *unsettled + settled, ..plan }))
    }

    /// Runs until nothing moves any more, for `most` iterations at most; says how many. A device runs them all: to read
    /// positions back as often as it takes to tell would cost more than is saved.
    fn run_until_rest(&mut self, most: u32, mut each: impl FnMut(u32)) -> Result<u32, RunError> {
        let (mut stillness, mut done) = (Stillness::default(), 0);
        while done < most && !stillness.is_still() {
            let more = if self.0.moment().is_some() { Stillness::SAMPLE.min(most - done) } else { most };
            self.run(more, &mut each)?;
            done += more;
            if let Some((statistics, positions, stride)) = self.0.moment() {
                stillness.look(&statistics, positions, stride);
            }
        }
        Ok(done)
    }

    /// Keeps no more than moving points takes: for runs after which nobody asks for neighbours.
    pub fn spare_memory(&mut self) {
        self.0.spare_memory();
    }

    /// Squeezes out axes that are leaving by one step, where no iteration does it.
    pub fn squeeze(&mut self) -> Result<(), RunError> {
        self.0.squeeze()
    }

    /// Dimensions of the positions that were last asked for: those of the settings, or more while axes are leaving.
    pub fn dims(&self) -> usize {
        self.0.dims()
    }

    /// `[rows][dims]` positions, in the caller's row order; see [`dims`](Self::dims).
    pub fn positions(&mut self) -> Result<Vec<f32>, RunError> {
        self.0.positions()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.0.settings()
    }

    /// Changes settings between two iterations.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), RunError> {
        self.0.set_settings(settings)
    }

    /// Does something to the embedding.
    pub fn act(&mut self, action: Action) {
        self.0.act(action);
    }

    /// Iterations after which to look whether a search has settled.
    pub fn batch(&self) -> u32 {
        self.0.batch()
    }

    /// The normaliser of the similarities at the present positions, or on a device before its last move.
    pub fn z(&mut self) -> Result<f64, RunError> {
        self.0.z()
    }

    pub fn statistics(&mut self) -> Result<Statistics, RunError> {
        self.0.statistics()
    }

    /// `[rows][k]` neighbours and their distances, in the caller's row order and row numbers.
    pub fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), RunError> {
        self.0.neighbours()
    }

    /// Iterations done.
    pub fn iteration(&self) -> u32 {
        self.0.iteration()
    }

    /// The data in the order of the points, and the caller's row of each.
    pub fn points(&self) -> (&Space, &[u32]) {
        (self.0.space(), self.0.row_of_point())
    }

    /// Where the time went so far. A device's stages run into each other: it counts as one phase.
    pub fn phases(&self) -> Phases {
        Phases { engine: self.0.timings(), gpu: self.0.device_seconds() }
    }
}

/// Iterations of a plan before the step begins to fall.
fn unsettled(plan: Plan) -> u32 {
    plan.iterations.saturating_sub(plan.settle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedding::{Engine, Settings};
    use vectors::Vectors;

    /// Three hundred rows on a grid.
    fn grid() -> Vectors {
        let mut vectors = Vectors::with_capacity(300, 3);
        (0..300_u16).for_each(|row| vectors.push(&[row % 10, row / 10 % 6, row / 60].map(f32::from)));
        vectors
    }

    fn native() -> Runner {
        Runner::new(Engine::new(grid(), Settings::for_rows(300)).expect("an engine"))
    }

    #[test]
    fn a_plan_is_run_to_its_end() {
        let mut heard = Vec::new();
        let plan = Plan::of(10);
        let embedded =
            native().embed(plan, Ending::Planned, |done| heard.push(done)).expect("native steps do not fail");
        assert_eq!((embedded.positions.len(), embedded.done, embedded.failure), (600, plan, None));
        assert_eq!(heard, (1..=10).collect::<Vec<_>>());
        let mut engine = Engine::new(grid(), Settings::for_rows(300)).expect("an engine");
        engine.hurry(true);
        for iteration in 0..10 {
            if iteration == 10 - plan.settle {
                engine.settle(plan.settle);
            }
            engine.step();
        }
        assert_eq!(embedded.positions, engine.positions());
    }

    #[test]
    fn a_run_at_rest_begins_to_settle_at_once_and_can_be_repeated() {
        let limit = Plan { iterations: 20_000, settle: 60 };
        let rested = native().embed(limit, Ending::AtRest, |_| {}).expect("native steps do not fail");
        let Plan { iterations, settle } = rested.done;
        assert!((300..10_000).contains(&iterations) && settle == 60, "{iterations} iterations");
        let again = native().embed(rested.done, Ending::Planned, |_| {}).expect("native steps do not fail");
        assert!(
            again.positions == rested.positions && again.done == rested.done,
            "the plan that was done gives another map"
        );
        // The plan is the limit.
        let short = Plan { iterations: 120, settle: 60 };
        let cut = native().embed(short, Ending::AtRest, |_| {}).expect("native steps do not fail");
        let planned = native().embed(short, Ending::Planned, |_| {}).expect("native steps do not fail");
        assert_eq!(cut, planned);
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_device_that_fails_for_good_leaves_its_last_good_positions() {
        let open = match gpu::adapter::open(None) {
            Ok(open) => open,
            Err(error) => {
                let required = std::env::var("NEVIS_REQUIRE_GPU").is_ok_and(|value| value == "1");
                assert!(!required, "{error}, but NEVIS_REQUIRE_GPU=1");
                eprintln!("skipped: {error}");
                return;
            }
        };
        let mut engine = gpu::GpuEngine::new(&open, grid(), Settings::for_rows(300), None).expect("an engine");
        engine.run(30, |_| {}).expect("a run");
        let good = engine.positions().expect("positions");
        // It recovers a few times, and then no more.
        let fails = (0..10).any(|_| {
            engine.lose_device();
            engine.run(1, |_| {}).is_err()
        });
        assert!(fails, "a device that is lost again and again must end the run");
        let last = engine.last_good_iteration();
        let mut runner = Runner::new(engine);
        let embedded =
            runner.embed(Plan { iterations: 40, settle: 20 }, Ending::Planned, |_| {}).expect("what there is");
        assert_eq!(embedded.done, Plan { iterations: last, settle: last - 20 });
        assert!(last >= 30 && embedded.failure.is_some(), "{:?}", embedded.failure);
        assert_eq!(embedded.positions, good);
    }
}
