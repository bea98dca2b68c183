//! Records the passes: ordinary systems, in the order in which they are submitted.

use crate::engine::{Engine, Single};
use crate::params::Dispatches;
use crate::pipelines::Pipelines;
use crate::run::{RECENTRED_EVERY, Run};
use crate::stage::{Slot, Stage, Variant};
use crate::tree::TreePlan;
use bevy::ecs::prelude::{Res, ResMut, World};
use bevy::ecs::schedule::{Schedule, ScheduleBuildSettings, ScheduleLabel};
use bevy::render::render_resource::{BindGroup, ComputePass, ComputePassDescriptor, PipelineCache};
use bevy::render::renderer::{FlushCommands, RenderContext};
use std::mem::offset_of;

/// One iteration: search, affinities, forces, moves. Runs as often in a frame as the budget allows.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct EngineIteration;

impl EngineIteration {
    /// The empty schedule. Passes reach the queue in the order of the systems, so no system waits for another's
    /// commands (as in Bevy's own sub-graphs).
    #[must_use]
    pub fn base_schedule() -> Schedule {
        let mut schedule = Schedule::new(Self);
        schedule.set_build_settings(ScheduleBuildSettings { auto_insert_apply_deferred: false, ..Default::default() });
        schedule
    }
}

/// Dispatches stages into one compute pass.
struct Recorder<'a, 'p> {
    pass: ComputePass<'p>,
    run: &'a Run,
    pipelines: &'a Pipelines,
    cache: &'a PipelineCache,
}

impl Recorder<'_, '_> {
    /// Selects a stage; false if it is not ready, and then nothing may be dispatched.
    fn select(&mut self, stage: Stage, variant: Variant, bindings: Option<&BindGroup>, step: usize) -> bool {
        let Some(bindings) = bindings.or(self.run.bindings.get(&stage)) else { return false };
        let Ok(pipeline) = self.pipelines.get(self.cache, stage, variant) else { return false };
        self.pass.set_pipeline(pipeline);
        let steps = stage.bindings().iter().any(|&(slot, _)| slot == Slot::Steps);
        let offset = (step as u64 * TreePlan::STEP_BYTES) as u32;
        self.pass.set_bind_group(0, bindings, if steps { std::slice::from_ref(&offset) } else { &[] });
        true
    }

    fn direct(&mut self, stage: Stage, (x, y): (u32, u32)) {
        if self.select(stage, self.run.variant(), None, 0) {
            self.pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// As many workgroups as `decide` wrote.
    fn indirect(&mut self, stage: Stage, offset: usize) {
        if self.select(stage, self.run.variant(), None, 0)
            && let Some(dispatches) = self.run.buffer(Slot::Dispatches)
        {
            self.pass.dispatch_workgroups_indirect(dispatches, offset as u64);
        }
    }

    /// A start-up projection.
    fn project(&mut self) {
        self.direct(Stage::Plant, (1, 1));
        for dispatch in &self.run.tree.dispatches {
            if self.select(dispatch.stage, self.run.variant(), None, dispatch.step) {
                let (x, y) = self.run.groups(dispatch.groups);
                self.pass.dispatch_workgroups(x, y, 1);
            }
        }
    }
}

/// Opens a compute pass; the clock notes its beginning or its end.
macro_rules! recorder {
    ($context:ident, $engine:ident, $pipelines:ident, $cache:ident, $label:literal, $begins:expr, $ends:expr) => {{
        let engine = &*$engine;
        let Some(run) = &engine.run else { return }; // no data yet
        let (begins, ends) = ($begins, $ends);
        let clock = engine.readbacks.clock().filter(|_| begins || ends);
        let pass = $context.command_encoder().begin_compute_pass(&ComputePassDescriptor {
            label: Some($label),
            timestamp_writes: clock.map(|clock| wgpu::ComputePassTimestampWrites {
                query_set: &clock.queries,
                beginning_of_pass_write_index: begins.then_some(0),
                end_of_pass_write_index: ends.then_some(1),
            }),
        });
        Recorder { pass, run, pipelines: &$pipelines, cache: &$cache }
    }};
}

/// Begins the frame: plans it, and records what changes of settings and single stages need.
pub fn change(
    mut context: RenderContext,
    mut engine: ResMut<Engine>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
) {
    engine.ready = engine.plan_frame(&cache, &pipelines);
    if !engine.ready {
        return; // what is to be recorded waits
    }
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:change", true, false);
    for once in &recorder.run.once {
        if recorder.select(once.stage, once.variant, Some(&once.bindings), 0) {
            recorder.pass.dispatch_workgroups(once.groups.0, once.groups.1, 1);
        }
    }
    if recorder.run.plant {
        recorder.project();
    }
    if recorder.run.squeeze_alone {
        recorder.direct(Stage::Squeeze, recorder.run.point_groups());
    }
    for single in &engine.single {
        match *single {
            Single::Stage(stage) => {
                let (x, y) = single_groups(stage, recorder.run);
                recorder.direct(stage, (x, y));
            }
            Single::Project => recorder.project(),
        }
    }
    drop(recorder);
    let engine = &mut *engine;
    engine.single.clear();
    if let Some(run) = &mut engine.run {
        run.once.clear();
        run.trees += u32::from(std::mem::take(&mut run.plant));
        let alone = u32::from(std::mem::take(&mut run.squeeze_alone));
        run.squeeze.iter_mut().for_each(|squeeze| squeeze.done += alone);
    }
}

/// Workgroups of a stage that runs by itself, over all points.
fn single_groups(stage: Stage, run: &Run) -> (u32, u32) {
    match stage {
        Stage::Look | Stage::Plant | Stage::Refresh | Stage::ScanSums | Stage::Normalise | Stage::Measure => (1, 1),
        Stage::ScanBlocks | Stage::ScanRows => run.groups((run.shape.points as u64).div_ceil(1024)),
        Stage::Symmetrise => run.groups(run.shape.points as u64),
        _ => run.point_groups(),
    }
}

/// Runs the schedule of an iteration as often as planned.
pub fn iterate(world: &mut World) {
    for _ in 0..world.resource::<Engine>().iterations {
        world.run_schedule(EngineIteration);
    }
}

/// Search: a start-up projection, or a slice of points looks at the neighbours of its neighbours.
pub fn search(
    mut context: RenderContext,
    mut engine: ResMut<Engine>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
) {
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:search", false, false);
    recorder.direct(Stage::Look, (1, 1));
    // Which iterations project is known beforehand; `look` comes to the same conclusion.
    let projects = recorder.run.trees < recorder.run.settings.start_projections;
    if projects {
        recorder.project();
    } else {
        recorder.indirect(Stage::Propose, offset_of!(Dispatches, slice));
        recorder.indirect(Stage::Offer, offset_of!(Dispatches, slice));
        recorder.indirect(Stage::Merge, offset_of!(Dispatches, refined));
        recorder.indirect(Stage::EndPass, offset_of!(Dispatches, pass_end));
    }
    drop(recorder);
    if let Some(run) = &mut engine.run {
        run.trees += u32::from(projects);
        run.recorded += 1;
    }
}

/// Affinities: calibrated and symmetrised anew when enough has changed.
pub fn affinities(
    mut context: RenderContext,
    engine: Res<Engine>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
) {
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:affinities", false, false);
    recorder.direct(Stage::Refresh, (1, 1));
    recorder.indirect(Stage::Calibrate, offset_of!(Dispatches, affine));
    recorder.indirect(Stage::Count, offset_of!(Dispatches, affine));
    recorder.indirect(Stage::ScanBlocks, offset_of!(Dispatches, affine_blocks));
    recorder.indirect(Stage::ScanSums, offset_of!(Dispatches, affine_once));
    recorder.indirect(Stage::ScanRows, offset_of!(Dispatches, affine_blocks));
    recorder.indirect(Stage::Fill, offset_of!(Dispatches, affine));
    recorder.indirect(Stage::Symmetrise, offset_of!(Dispatches, affine_rows));
}

/// Forces: push, then pull (which adds to the push), then Z; and candidates for the lists, which read the radius that
/// repel found.
pub fn forces(mut context: RenderContext, engine: Res<Engine>, pipelines: Res<Pipelines>, cache: Res<PipelineCache>) {
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:forces", false, false);
    recorder.indirect(Stage::Repel, offset_of!(Dispatches, moved));
    recorder.indirect(Stage::Attract, offset_of!(Dispatches, moved));
    recorder.indirect(Stage::Normalise, offset_of!(Dispatches, moved_once));
    recorder.indirect(Stage::Follow, offset_of!(Dispatches, moved));
    recorder.indirect(Stage::Apply, offset_of!(Dispatches, moved));
}

/// Moves, a step of the squeeze if axes are leaving, and now and then the middle back to the origin.
pub fn integrate(
    mut context: RenderContext,
    mut engine: ResMut<Engine>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
) {
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:integrate", false, false);
    if recorder.run.is_anchored() {
        // Anchors are as far apart as the points are now. What the last frame measured will not do: where frames end
        // depends on the clock.
        recorder.indirect(Stage::Measure, offset_of!(Dispatches, moved_once));
    }
    recorder.indirect(Stage::Integrate, offset_of!(Dispatches, moved));
    if recorder.run.squeeze.is_some() {
        recorder.direct(Stage::Squeeze, recorder.run.point_groups());
    }
    if recorder.run.recorded.is_multiple_of(RECENTRED_EVERY) {
        recorder.indirect(Stage::Measure, offset_of!(Dispatches, moved_once));
        recorder.indirect(Stage::Recentre, offset_of!(Dispatches, moved));
    }
    drop(recorder);
    let squeeze = engine.run.as_mut().and_then(|run| run.squeeze.as_mut());
    squeeze.into_iter().for_each(|squeeze| squeeze.done += 1);
}

/// Ends the frame: measures the embedding and copies what is to come back.
pub fn measure(
    mut context: RenderContext,
    mut engine: ResMut<Engine>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
) {
    if !engine.ready {
        return; // nothing was recorded
    }
    let mut recorder = recorder!(context, engine, pipelines, cache, "nevis:pass:measure", false, true);
    recorder.direct(Stage::Measure, (1, 1));
    drop(recorder);
    let device = context.render_device().clone();
    let Engine { run, readbacks, fetch, iterations, report, .. } = &mut *engine;
    if let Some(run) = run {
        readbacks.copy(&device, context.command_encoder(), run, &std::mem::take(fetch), (*iterations, true));
        let mut report = report.lock();
        (report.recorded, report.squeezing) = (run.recorded, run.squeeze.is_some());
    }
}

/// Submits at once: the GPU can begin while cameras are still being recorded.
pub fn submit(mut pending: FlushCommands) {
    pending.flush();
}

/// After the submission: asks for what comes back.
pub fn map_back(mut engine: ResMut<Engine>) {
    engine.readbacks.map();
}

/// At the beginning of a frame: takes in what has come back.
pub fn receive(mut engine: ResMut<Engine>) {
    let arrivals = engine.readbacks.receive();
    let mut report = engine.report.lock();
    for arrival in arrivals {
        report.control = Some(arrival.control);
        report.gpu_seconds += arrival.seconds;
        report.last_seconds = arrival.seconds;
        report.gpu_iterations += arrival.iterations;
        if arrival.fetched.is_some() {
            report.fetched = arrival.fetched;
        }
    }
}
