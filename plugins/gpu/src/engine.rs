//! The engine in the render world: takes commands, owns the run, plans each frame.

use crate::budget::Budget;
use crate::command::{Command, GpuEmbedding, SharedReport, Speed};
use crate::error::GpuError;
use crate::pipelines::{NotReady, Pipelines};
use crate::readback::Readbacks;
use crate::run::{Gpu, Run};
use crate::shaders::ShaderHandles;
use crate::shape::Shape;
use crate::stage::{Slot, Stage};
use bevy::ecs::prelude::{Commands, Res, ResMut, Resource};
use bevy::render::MainWorld;
use bevy::render::render_resource::PipelineCache;
use bevy::render::renderer::{RenderDevice, RenderQueue};

/// The engine. Made anew with every device.
#[derive(Resource)]
pub struct Engine {
    /// The run, once there is data.
    pub run: Option<Run>,
    /// Whether this frame can record anything.
    pub ready: bool,
    /// Iterations of this frame.
    pub iterations: u32,
    /// Stages to run by themselves in this frame.
    pub single: Vec<Single>,
    /// Buffers to read back in this frame.
    pub fetch: Vec<Slot>,
    /// What is on its way back.
    pub readbacks: Readbacks,
    /// What the main world reads.
    pub report: SharedReport,
    commands: Vec<Command>,
    speed: Speed,
    budget: Budget,
}

/// A piece of an iteration that runs by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Single {
    /// One stage.
    Stage(Stage),
    /// All dispatches of a start-up projection.
    Project,
}

/// What outlives a device: where reports go, and whether there was a device before.
#[derive(Resource, Clone)]
pub struct Lifeline {
    /// What the main world reads.
    pub report: SharedReport,
}

/// Makes the engine and its pipelines for a new device. A run is lost with its device: the main world is told.
pub fn start_engine(
    mut commands: Commands,
    lifeline: Res<Lifeline>,
    shaders: Res<ShaderHandles>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let report = lifeline.report.clone();
    {
        let mut report = report.lock();
        report.restarted = report.loaded;
        report.loaded = false;
    }
    let speed = Speed::default();
    commands.insert_resource(Pipelines::new(shaders.clone()));
    commands.insert_resource(Engine {
        run: None,
        ready: false,
        iterations: 0,
        single: Vec::new(),
        fetch: Vec::new(),
        readbacks: Readbacks::new(&device, &queue),
        report,
        commands: Vec::new(),
        budget: Budget::of(speed.budget),
        speed,
    });
}

/// Takes over what the main world has sent, up to the first command that changes the run; the rest waits until that
/// change has been recorded.
pub fn extract_commands(mut main: ResMut<MainWorld>, engine: Option<ResMut<Engine>>) {
    let (Some(mut engine), Some(mut embedding)) = (engine, main.get_resource_mut::<GpuEmbedding>()) else { return };
    engine.speed = embedding.speed;
    if engine.run.as_ref().is_some_and(Run::is_changing) {
        return; // pipelines compiling
    }
    let change = embedding.commands.iter().position(Command::changes_the_run);
    let taken = change.map_or(embedding.commands.len(), |change| change + 1);
    engine.commands.extend(embedding.commands.drain(..taken));
}

/// Does what commands ask for, and writes the settings of the frame.
pub fn prepare_run(
    mut engine: ResMut<Engine>,
    mut pipelines: ResMut<Pipelines>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    cache: Res<PipelineCache>,
) {
    let gpu = Gpu { device: &device, queue: &queue, cache: &cache };
    for command in std::mem::take(&mut engine.commands) {
        if let Err(error) = engine.obey(command, gpu, &mut pipelines) {
            engine.report.lock().error = Some(error);
        }
    }
    // One change at a time: each is recorded with the settings of its frame.
    if let Some(Err(error)) =
        engine.run.as_mut().filter(|run| !run.is_changing()).map(|run| run.drop_squeezed(gpu, &mut pipelines))
    {
        engine.report.lock().error = Some(error);
    }
    if let Some(run) = &engine.run {
        run.write(Slot::Params, bytemuck::bytes_of(&run.params()), gpu);
    }
}

impl Engine {
    fn obey(&mut self, command: Command, gpu: Gpu<'_>, pipelines: &mut Pipelines) -> Result<(), GpuError> {
        if let Command::Load(load) = command {
            Shape::of(load.space.rows(), load.space.vectors().stride(), &load.settings).check(&gpu.device.limits())?;
            self.run = None; // its memory is free before the next one needs it
            self.run = Some(Run::new(load, gpu, pipelines)?);
            self.budget = Budget::of(self.speed.budget);
            self.readbacks.forget();
            let mut report = self.report.lock();
            (report.loaded, report.control, report.fetched) = (true, None, None);
            return Ok(());
        }
        let Some(run) = &mut self.run else { return Ok(()) }; // nothing to act on
        match command {
            Command::Load(_) => {}
            Command::Settings(settings) => run.change(*settings, gpu, pipelines)?,
            Command::Settle(over) => run.settle(over),
            Command::Scale(factor) => run.scale(factor, gpu, pipelines),
            Command::Place(positions, ld) => run.restart(&positions, &ld, gpu, pipelines),
            Command::Anchors(anchors) => run.set_anchors(anchors, gpu),
            Command::Change(change) => run.change_points(&change, gpu, pipelines)?,
            Command::Squeeze => run.squeeze_alone = run.squeeze.is_some_and(|squeeze| !squeeze.is_done()),
            Command::Fetch(slots) => self.fetch = slots,
            Command::Write(slot, bytes) => run.write(slot, &bytes, gpu),
            Command::Run(stage) => self.single.push(Single::Stage(stage)),
            Command::Project => self.single.push(Single::Project),
        }
        Ok(())
    }

    /// Decides how many iterations this frame records; false if it can record nothing at all.
    pub fn plan_frame(&mut self, cache: &PipelineCache, pipelines: &Pipelines) -> bool {
        self.iterations = 0;
        for (iterations, seconds) in self.readbacks.take_measured() {
            self.budget.measured(iterations, std::time::Duration::from_secs_f64(seconds));
        }
        self.budget.set_target(self.speed.budget);
        let Some(run) = &self.run else { return false }; // no data yet
        match ready(run, cache, pipelines) {
            Ok(()) => {}
            Err(NotReady::Waiting) => return false, // pipelines compiling
            Err(NotReady::Failed(error)) => {
                self.report.lock().error = Some(error);
                return false;
            }
        }
        if !self.speed.paused {
            let left = self.speed.until.map_or(u32::MAX, |until| until.saturating_sub(run.recorded));
            self.iterations = self.budget.iterations().min(left).min(run.iterations_of_squeeze());
        }
        if run.squeeze_alone {
            self.iterations = 0;
        }
        true
    }
}

/// Whether every pipeline that a frame may need is there.
fn ready(run: &Run, cache: &PipelineCache, pipelines: &Pipelines) -> Result<(), NotReady> {
    let variant = run.variant();
    for &stage in run.bindings.keys() {
        pipelines.get(cache, stage, variant)?;
    }
    for once in &run.once {
        pipelines.get(cache, once.stage, once.variant)?;
    }
    Ok(())
}
