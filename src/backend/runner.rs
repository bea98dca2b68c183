//! A running embedding, wherever it runs. Native steps cannot fail; those of a device can.

use crate::args::Backend;
use crate::commands::Phases;
use embedding::{Engine, Plan, Settings, Statistics, Timings};
use gpu::{GpuEngine, GpuError};
use live::{Action, Stillness};
use vectors::Space;

/// Iterations between two looks at how a search is doing: reading back from a device interrupts it.
const GPU_BATCH: u32 = 8;

pub enum Runner {
    Cpu(Box<Engine>),
    Gpu(Box<GpuEngine>),
}

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
    pub failure: Option<GpuError>,
}

impl Runner {
    pub fn backend(&self) -> Backend {
        match self {
            Self::Cpu(_) => Backend::Cpu,
            Self::Gpu(_) => Backend::Gpu,
        }
    }

    /// Name of the graphics adapter; none on the cpu.
    pub fn adapter(&self) -> Option<String> {
        match self {
            Self::Cpu(_) => None,
            Self::Gpu(engine) => Some(engine.adapter().name.clone()),
        }
    }

    /// Runs so many iterations; `each` hears now and then how many are done since the beginning.
    pub fn run(&mut self, iterations: u32, mut each: impl FnMut(u32)) -> Result<(), GpuError> {
        match self {
            Self::Cpu(engine) => {
                let before = engine.iteration();
                for step in 1..=iterations {
                    engine.step();
                    each(before + step);
                }
                Ok(())
            }
            Self::Gpu(engine) => engine.run(iterations, each),
        }
    }

    /// Runs a plan. A device that fails for good leaves its last good positions, if there are any.
    pub fn embed(&mut self, plan: Plan, ending: Ending, each: impl FnMut(u32)) -> Result<Embedded, GpuError> {
        let mut unsettled = unsettled(plan);
        match self.try_embed(plan, ending, &mut unsettled, each) {
            Ok((positions, done)) => Ok(Embedded { positions, done, failure: None }),
            Err(failure) => match self {
                Self::Gpu(engine) if engine.last_good_iteration() > 0 => {
                    let iterations = engine.last_good_iteration();
                    let done = Plan { iterations, settle: iterations.saturating_sub(unsettled) };
                    Ok(Embedded { positions: engine.last_good_positions(), done, failure: Some(failure) })
                }
                _ => Err(failure),
            },
        }
    }

    /// `unsettled` is told how many iterations ran before the step began to fall.
    fn try_embed(
        &mut self,
        plan: Plan,
        ending: Ending,
        unsettled: &mut u32,
        mut each: impl FnMut(u32),
    ) -> Result<(Vec<f32>, Plan), GpuError> {
        if let Self::Cpu(engine) = self {
            engine.hurry(plan.settle > 0);
        }
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
    fn run_until_rest(&mut self, most: u32, mut each: impl FnMut(u32)) -> Result<u32, GpuError> {
        let (mut stillness, mut done) = (Stillness::default(), 0);
        while done < most && !stillness.is_still() {
            let more = if matches!(self, Self::Cpu(_)) { Stillness::SAMPLE.min(most - done) } else { most };
            self.run(more, &mut each)?;
            done += more;
            if let Self::Cpu(engine) = self {
                let (positions, stride) = engine.point_positions();
                stillness.look(&engine.statistics(), positions, stride);
            }
        }
        Ok(done)
    }

    /// Has the native engine keep no more than moving points takes: for runs after which nobody asks for neighbours.
    pub fn spare_memory(&mut self) {
        if let Self::Cpu(engine) = self {
            engine.spare_memory();
        }
    }

    /// Squeezes out axes that are leaving by one step, where no iteration does it.
    pub fn squeeze(&mut self) -> Result<(), GpuError> {
        match self {
            Self::Cpu(engine) => {
                engine.squeeze();
                Ok(())
            }
            Self::Gpu(engine) => engine.squeeze(),
        }
    }

    /// Dimensions of the positions that were last asked for: those of the settings, or more while axes are leaving.
    pub fn dims(&self) -> usize {
        match self {
            Self::Cpu(engine) => engine.dims(),
            Self::Gpu(engine) => engine.dims(),
        }
    }

    /// `[rows][dims]` positions, in the caller's row order; see [`dims`](Self::dims).
    pub fn positions(&mut self) -> Result<Vec<f32>, GpuError> {
        match self {
            Self::Cpu(engine) => Ok(engine.positions()),
            Self::Gpu(engine) => engine.positions(),
        }
    }

    /// Changes settings between two iterations.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), GpuError> {
        match self {
            Self::Cpu(engine) => Ok(engine.set_settings(settings)?),
            Self::Gpu(engine) => engine.set_settings(settings),
        }
    }

    /// Does something to the embedding.
    pub fn act(&mut self, action: Action) {
        match (self, action) {
            (Self::Cpu(engine), Action::Settle(iterations)) => engine.settle(iterations),
            (Self::Cpu(engine), Action::Implode) => engine.implode(),
            (Self::Cpu(engine), Action::Explode) => engine.explode(),
            (Self::Cpu(engine), Action::Reset) => engine.reset(),
            (Self::Gpu(engine), Action::Settle(iterations)) => engine.settle(iterations),
            (Self::Gpu(engine), Action::Implode) => engine.implode(),
            (Self::Gpu(engine), Action::Explode) => engine.explode(),
            (Self::Gpu(engine), Action::Reset) => engine.reset(),
        }
    }

    /// Iterations after which to look whether a search has settled.
    pub fn batch(&self) -> u32 {
        match self {
            Self::Cpu(_) => 1,
            Self::Gpu(_) => GPU_BATCH,
        }
    }

    /// The normaliser of the similarities at the present positions, or on a device before its last move.
    pub fn z(&mut self) -> Result<f64, GpuError> {
        match self {
            Self::Cpu(engine) => Ok(engine.present_z()),
            Self::Gpu(engine) => Ok(engine.statistics()?.z),
        }
    }

    pub fn statistics(&mut self) -> Result<Statistics, GpuError> {
        match self {
            Self::Cpu(engine) => Ok(engine.statistics()),
            Self::Gpu(engine) => engine.statistics(),
        }
    }

    /// `[rows][k]` neighbours and their distances, in the caller's row order and row numbers.
    pub fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), GpuError> {
        match self {
            Self::Cpu(engine) => Ok(engine.neighbours()),
            Self::Gpu(engine) => engine.neighbours(),
        }
    }

    /// Iterations done.
    pub fn iteration(&self) -> u32 {
        match self {
            Self::Cpu(engine) => engine.iteration(),
            Self::Gpu(engine) => engine.iteration(),
        }
    }

    /// The data in the order of the points, and the caller's row of each.
    pub fn points(&self) -> (&Space, &[u32]) {
        match self {
            Self::Cpu(engine) => (engine.space(), engine.row_of_point()),
            Self::Gpu(engine) => (engine.space(), engine.row_of_point()),
        }
    }

    /// Where the time went so far. A device's stages run into each other: it counts as one phase.
    pub fn phases(&self) -> Phases {
        match self {
            Self::Cpu(engine) => Phases { engine: engine.timings(), gpu: None },
            Self::Gpu(engine) => Phases {
                engine: Timings { start: engine.start_seconds(), ..Timings::default() },
                gpu: Some(engine.gpu_seconds().0),
            },
        }
    }
}

/// Iterations of a plan before the step begins to fall.
fn unsettled(plan: Plan) -> u32 {
    plan.iterations.saturating_sub(plan.settle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedding::Settings;
    use vectors::Vectors;

    /// Three hundred rows on a grid.
    fn grid() -> Vectors {
        let mut vectors = Vectors::with_capacity(300, 3);
        (0..300_u16).for_each(|row| vectors.push(&[row % 10, row / 10 % 6, row / 60].map(f32::from)));
        vectors
    }

    fn native() -> Runner {
        Runner::Cpu(Box::new(Engine::new(grid(), Settings::for_rows(300)).expect("an engine")))
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
        let mut engine = GpuEngine::new(&open, grid(), Settings::for_rows(300), None).expect("an engine");
        engine.run(30, |_| {}).expect("a run");
        let good = engine.positions().expect("positions");
        // It recovers a few times, and then no more.
        let fails = (0..10).any(|_| {
            engine.lose_device();
            engine.run(1, |_| {}).is_err()
        });
        assert!(fails, "a device that is lost again and again must end the run");
        let last = engine.last_good_iteration();
        let mut runner = Runner::Gpu(Box::new(engine));
        let embedded =
            runner.embed(Plan { iterations: 40, settle: 20 }, Ending::Planned, |_| {}).expect("what there is");
        assert_eq!(embedded.done, Plan { iterations: last, settle: last - 20 });
        assert!(last >= 30 && embedded.failure.is_some(), "{:?}", embedded.failure);
        assert_eq!(embedded.positions, good);
    }
}
