//! The window and the adapter that draws in it.

use super::autosave;
use super::data::Choice;
use super::pace::SlowAdapter;
use bevy::app::{AppExit, PluginGroup, PluginGroupBuilder};
use bevy::ecs::message::Messages;
use bevy::ecs::prelude::{Commands, Local, MessageReader, MessageWriter, Query, Res, ResMut, Resource, With, World};
use bevy::input::mouse::MouseMotion;
use bevy::prelude::DefaultPlugins;
use bevy::render::RenderPlugin;
use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::renderer::RenderAdapter;
use bevy::render::settings::{InstanceFlags, RenderCreation, WgpuSettings};
use bevy::transform::components::Transform;
use bevy::window::{
    CursorMoved, FileDragAndDrop, MonitorSelection, PresentMode, PrimaryWindow, Window, WindowMode, WindowPlugin,
    WindowResolution,
};
use bevy::winit::WinitSettings;
use controls::{DataCard, Interface, Notices, Request};
use gpu::AdapterSummary;
use gpu::engine::Engine;
use gpu::stage::Slot;
use inspect::SoftwareAdapter;
use live::LiveEmbedding;
use orbit_camera::{CameraState, CloudBounds, OrbitCamera, orbit_camera_bundle};
use points::{ExternalPositions, PointCloud, PointFocus, camera_bundle};
use std::sync::{Arc, Mutex, PoisonError};

/// What the engine may run on beside the cores.
#[derive(Resource, Debug, Clone, Copy)]
pub struct Allowed {
    /// The adapter that draws, if it is hardware.
    pub gpu: bool,
    /// … and if it is a software renderer.
    pub software: bool,
}

fn settings(adapter: Option<&str>) -> WgpuSettings {
    WgpuSettings {
        adapter_name: adapter.map(str::to_owned),
        // Indirect arguments are written by our own stages, within limits that were checked before.
        instance_flags: InstanceFlags::from_env_or_default().difference(InstanceFlags::VALIDATION_INDIRECT_CALL),
        ..WgpuSettings::default()
    }
}

/// Bevy with a window, drawn by the fastest adapter or one of this name.
pub fn plugins(adapter: Option<&str>) -> PluginGroupBuilder {
    let window = Window {
        title: "nevis".to_owned(),
        name: Some("nevis".to_owned()),
        resolution: WindowResolution::new(1280, 720),
        present_mode: PresentMode::AutoVsync,
        ..Window::default()
    };
    DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() }).set(RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(settings(adapter))),
        ..RenderPlugin::default()
    })
}

/// The one camera: it sees the points, moves as the user says, and carries the interface.
pub fn spawn_camera(mut commands: Commands) {
    commands.spawn((camera_bundle(), orbit_camera_bundle(), PointFocus(1.0)));
}

/// Learns which adapter draws: how to pace frames, and whether the engine can run there.
pub fn look_at_adapter(
    mut commands: Commands,
    adapter: Res<RenderAdapter>,
    allowed: Res<Allowed>,
    mut choice: ResMut<Choice>,
    mut card: ResMut<DataCard>,
) {
    let summary = AdapterSummary::of(&adapter);
    card.adapter = summary.name.clone();
    commands.insert_resource(SlowAdapter(!summary.hardware));
    commands.insert_resource(SoftwareAdapter(!summary.hardware));
    commands.insert_resource(WinitSettings::continuous()); // unfocused too: the embedding goes on
    let usable = if summary.hardware { allowed.gpu } else { allowed.software };
    choice.adapter = usable.then_some(summary);
}

/// Drags follow the cursor, not the device. A device's own counts know nothing of the user's acceleration, and some have
/// none: tablets, remote desktops, virtual machines.
pub fn follow_the_cursor(mut cursor: MessageReader<CursorMoved>, mut motion: ResMut<Messages<MouseMotion>>) {
    motion.clear();
    let deltas = cursor.read().filter_map(|moved| moved.delta);
    motion.write_batch(deltas.map(|delta| MouseMotion { delta }));
}

/// Opens what is dropped on the window.
pub fn take_dropped_files(mut drops: MessageReader<FileDragAndDrop>, mut requests: MessageWriter<Request>) {
    let dropped = drops.read().filter_map(|drop| match drop {
        FileDragAndDrop::DroppedFile { path_buf, .. } => Some(path_buf.clone()),
        _ => None,
    });
    let paths: Vec<_> = dropped.collect();
    if !paths.is_empty() {
        requests.write(Request::Open(paths));
    }
}

/// Ends the program when asked to.
pub fn quit(mut requests: MessageReader<Request>, mut exits: MessageWriter<AppExit>) {
    if requests.read().any(|request| *request == Request::Quit) {
        exits.write(AppExit::Success);
    }
}

/// The title says what is open.
pub fn keep_title(card: Res<DataCard>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    let Ok(mut window) = windows.single_mut() else { return };
    let title = if card.name.is_empty() { "nevis".to_owned() } else { format!("{} · nevis", card.name) };
    if window.title != title {
        window.title = title;
    }
}

/// Full screen follows the interface.
pub fn keep_full_screen(interface: Res<Interface>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    let Ok(mut window) = windows.single_mut() else { return };
    let mode = if interface.full_screen {
        WindowMode::BorderlessFullscreen(MonitorSelection::Current)
    } else {
        WindowMode::Windowed
    };
    if window.mode != mode {
        window.mode = mode;
    }
}

/// What the engine could not do, in a notice.
pub fn report_errors(mut live: ResMut<LiveEmbedding>, mut notices: ResMut<Notices>) {
    if let Some(error) = live.take_error() {
        notices.failed(error);
    }
}

/// Points have their size at the distance that is looked at.
pub fn focus_points(
    state: Res<CameraState>,
    bounds: Res<CloudBounds>,
    mut cameras: Query<(&Transform, &mut PointFocus), With<OrbitCamera>>,
) {
    let focus = bounds.world_from_relative(state.pose.focus.into());
    for (transform, mut at) in &mut cameras {
        let distance = transform.translation.distance(focus);
        if distance.is_finite() && distance > 0.0 && at.0 != distance {
            at.0 = distance;
        }
    }
}

/// In the render world: the points are drawn from the engine's own buffer where it runs there. While its dimensions
/// change, the cloud that is known on this side has others for a moment, and nothing is drawn.
pub fn lend_positions(
    engine: Option<Res<Engine>>,
    cloud: Res<PointCloud>,
    mut external: ResMut<ExternalPositions>,
    mut lent: Local<(usize, usize)>,
) {
    let run = engine.as_ref().and_then(|engine| engine.run.as_ref()).filter(|run| run.shape.points == cloud.count());
    let drawn = (cloud.dims(), cloud.count());
    match run {
        Some(run) if run.shape.dims == cloud.dims() => {
            (external.0, *lent) = (run.buffer(Slot::Positions).cloned(), drawn);
        }
        // The engine has gone on in other dimensions, and the window has not heard of it: what was is still to be seen.
        Some(_) if *lent == drawn => {}
        _ => external.0 = None,
    }
}

/// What the graphics device said when it failed; printed when the window is gone.
#[derive(Resource, Debug, Clone, Default)]
pub struct DeviceFailure(Arc<Mutex<Option<String>>>);

impl DeviceFailure {
    /// Takes it.
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps the first failure, of which others are consequences; true if this is it.
    fn is_first(&self, what: String) -> bool {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let none_before = first.is_none();
        first.get_or_insert(what);
        none_before
    }
}

/// A device that is lost ends the program in order: the session is saved as it is, and the next start offers it.
/// (Opening the device again brings back the points and the engine, but bevy_egui 0.40 panics without its old buffers.)
pub fn end_in_order_when_the_device_is_lost(app: &mut bevy::app::App) -> DeviceFailure {
    let failure = DeviceFailure::default();
    app.insert_resource(failure.clone()).insert_resource(RenderErrorHandler(on_render_error));
    failure
}

fn on_render_error(error: &RenderError, main: &mut World, _render: &mut World) -> RenderErrorPolicy {
    let what = format!("{:?} {}", error.ty, error.description).trim().to_owned();
    main.write_message(AppExit::error());
    if main.resource::<DeviceFailure>().is_first(what) {
        // The systems of this frame have run, and the program ends before those of the next would: nobody else saves.
        let _ = main.run_system_cached(autosave::clean_up);
    }
    RenderErrorPolicy::StopRendering
}
