//! The plugin: what it adds, where it runs, and why there.

use crate::command::GpuEmbedding;
use crate::engine::{Lifeline, extract_commands, prepare_run, start_engine};
use crate::record::{
    EngineIteration, affinities, change, forces, integrate, iterate, map_back, measure, receive, search, submit,
};
use crate::shaders::ShaderHandles;
use bevy::app::{App, Plugin};
use bevy::asset::Assets;
use bevy::core_pipeline::schedule::camera_driver;
use bevy::ecs::prelude::{IntoScheduleConfigs, SystemSet};
use bevy::render::renderer::{RenderGraph, RenderGraphSystems};
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};
use bevy::shader::Shader;

/// The engine's systems in the render world, by what they are for.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum EngineSystems {
    /// Takes over commands from the main world, in `ExtractSchedule`.
    Extract,
    /// Takes in what came back and does what commands ask for: buffers, bind groups, settings of the frame. In `Render`.
    Prepare,
    /// Records and submits the passes of this frame, in `RenderGraph`.
    Iterate,
    /// Asks for what comes back, in `RenderGraph` after the submission.
    ReadBack,
}

/// Runs the stages of the engine on the GPU, several iterations a frame.
///
/// Needs Bevy's `RenderPlugin` and assets; without a renderer it does nothing.
#[derive(Debug, Default)]
pub struct GpuEnginePlugin;

impl Plugin for GpuEnginePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<GpuEmbedding>();
        let report = app.world().resource::<GpuEmbedding>().report();
        let Some(mut assets) = app.world_mut().get_resource_mut::<Assets<Shader>>() else { return }; // no renderer
        let shaders = ShaderHandles::add_to(&mut assets);
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return }; // no renderer
        render_app
            .insert_resource(shaders)
            .insert_resource(Lifeline { report })
            .add_schedule(EngineIteration::base_schedule())
            // GPU objects are made here, so that they come back after a lost device.
            .add_systems(RenderStartup, start_engine)
            .add_systems(ExtractSchedule, extract_commands.in_set(EngineSystems::Extract))
            .add_systems(
                Render,
                (receive, prepare_run)
                    .chain() // what came back first: commands may depend on it
                    .in_set(EngineSystems::Prepare)
                    .in_set(RenderSystems::PrepareBindGroups), // buffers and bind groups together, before pipelines compile
            )
            .add_systems(
                EngineIteration,
                (search, affinities, forces, integrate).chain(), // each reads what the one before it wrote
            )
            .add_systems(
                RenderGraph,
                (change, iterate, measure, submit)
                    .chain() // changes before iterations; the size and the copies are of what they leave
                    .in_set(EngineSystems::Iterate)
                    .in_set(RenderGraphSystems::Render)
                    .before(camera_driver), // cameras draw finished positions
            )
            .add_systems(
                RenderGraph,
                map_back.in_set(EngineSystems::ReadBack).in_set(RenderGraphSystems::Finish), // a buffer must not be mapped before it is submitted
            );
    }
}
