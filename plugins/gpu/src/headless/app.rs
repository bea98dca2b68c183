//! Bevy without a window, and what it does when its device is lost.

use crate::adapter::{self, OpenAdapter};
use crate::command::GpuEmbedding;
use crate::error::GpuError;
use crate::plugin::GpuEnginePlugin;
use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::CameraPlugin;
use bevy::ecs::prelude::{Resource, World};
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::render::error_handler::{ErrorType, RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::window::{ExitCondition, WindowPlugin};

/// Lost devices in a row after which a run gives up.
const MOST_RECOVERIES: u32 = 3;

/// Which adapter to open again after it was lost, and how often that has happened.
#[derive(Debug, Resource)]
pub struct Recovery {
    adapter: String,
    /// Losses since the run last got on.
    pub count: u32,
    /// A loss has been heard of and the run is not there again yet: whatever else is heard until then is the same loss.
    pub under_way: bool,
}

/// Bevy without a window, on this adapter.
pub fn headless_app(adapter: &OpenAdapter) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
        .add_plugins((
            AssetPlugin::default(),
            WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
            RenderPlugin {
                render_creation: adapter.creation(),
                synchronous_pipeline_compilation: true,
                ..Default::default()
            },
            ImagePlugin::default(),
            MeshPlugin,
            CameraPlugin,
            GpuEnginePlugin,
        ))
        .insert_resource(Recovery { adapter: adapter.summary.name.clone(), count: 0, under_way: false })
        .insert_resource(RenderErrorHandler(on_render_error));
    app.finish();
    app.cleanup();
    app
}

/// A lost device is opened again; a lack of memory ends the run with an error that says what happened. What a device
/// refuses once it is gone may be heard before that it is gone, so every refusal counts as a loss; one with another
/// reason comes back with the next device, and soon ends the run.
fn on_render_error(error: &RenderError, main: &mut World, _render: &mut World) -> RenderErrorPolicy {
    let report = main.resource::<GpuEmbedding>().report();
    let iteration = report.lock().recorded;
    let failed = |reason: String| {
        report.lock().error = Some(GpuError::Failed { iteration, reason });
        RenderErrorPolicy::StopRendering
    };
    let what = format!("{:?} {}", error.ty, error.description).trim().to_owned();
    if matches!(error.ty, ErrorType::OutOfMemory) {
        return failed(what);
    }
    let mut recovery = main.resource_mut::<Recovery>();
    recovery.count += u32::from(!std::mem::replace(&mut recovery.under_way, true));
    if recovery.count > MOST_RECOVERIES {
        return failed(what);
    }
    match adapter::open(Some(&recovery.adapter)) {
        Ok(adapter) => RenderErrorPolicy::Recover(adapter.creation()),
        Err(error) => failed(format!("{what}; {error}")),
    }
}
