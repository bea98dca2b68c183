//! Beside a real egui panel: whose is the drag?

use crate::support::{CLOUD, Live, POSE};
use bevy::input::ButtonState;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::window::{CursorMoved, ExitCondition, PrimaryWindow, WindowPlugin};
use bevy::winit::WinitPlugin;
use bevy_egui::{EguiContexts, EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext, egui};
use orbit_camera::{OrbitCamera, OrbitCameraPlugin, ViewInsets};

/// All of Bevy but the screen and the GPU, with a panel of 280 pixels on the left.
fn with_panel() -> Live {
    let mut app = App::new();
    let no_window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let no_gpu = RenderPlugin { render_creation: WgpuSettings { backends: None, ..default() }.into(), ..default() };
    app.add_plugins(DefaultPlugins.build().disable::<WinitPlugin>().set(no_window).set(no_gpu))
        .add_plugins((EguiPlugin::default(), OrbitCameraPlugin))
        .insert_resource(CLOUD)
        .insert_resource(EguiGlobalSettings { auto_create_primary_context: false, ..default() })
        .add_systems(EguiPrimaryContextPass, panel);
    app.finish();
    app.cleanup();
    app.world_mut().spawn((Camera2d, Camera { order: 1, ..default() }, PrimaryEguiContext));
    let mut live = Live::dress(app);
    live.frames(60);
    live.jump(POSE);
    live
}

fn panel(mut contexts: EguiContexts, mut insets: ResMut<ViewInsets>) -> Result {
    let context = contexts.ctx_mut()?;
    #[expect(deprecated, reason = "the shortest way to a panel without a root")]
    let panel = egui::SidePanel::left("panel").exact_width(280.0).show(context, |ui| ui.label("settings"));
    insets.left = panel.response.rect.width();
    egui::Window::new("window").fixed_pos([800.0, 300.0]).show(context, |ui| ui.label("about"));
    Ok(())
}

fn hover(live: &mut Live, pixel: Vec2) {
    live.point_at(pixel);
    let mut windows = live.app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(live.app.world()).unwrap();
    live.app.world_mut().write_message(CursorMoved { window, position: pixel, delta: None });
}

/// Asserts that the pose is as it was, and that Bevy draws it in the middle of what the panel leaves free.
fn assert_at_rest(live: &mut Live) {
    assert_eq!(live.state().pose, POSE);
    let focus = CLOUD.centre + Vec3::from_array(POSE.focus) * CLOUD.radius;
    let mut cameras = live.app.world_mut().query_filtered::<(&Camera, &GlobalTransform), With<OrbitCamera>>();
    let (camera, transform) = cameras.single(live.app.world()).unwrap();
    let middle = camera.world_to_viewport(transform, focus).unwrap();
    assert!(middle.distance(Vec2::new(280.0 + 500.0, 360.0)) < 0.1, "in the free area: {middle}");
}

#[test]
fn a_drag_belongs_to_where_it_began() {
    let (panel, window, view) = (Vec2::new(100.0, 400.0), Vec2::new(820.0, 315.0), Vec2::new(700.0, 400.0));
    let mut live = with_panel();

    // Begun on the interface, in the very frame the pointer arrives there: never the camera's.
    for start in [panel, window] {
        hover(&mut live, start);
        live.button(MouseButton::Left, ButtonState::Pressed);
        live.frames(1);
        for pixel in [start, view] {
            hover(&mut live, pixel);
            live.shove(Vec2::new(30.0, 10.0));
            live.frames(2);
            assert!(!live.state().pointer_in_view);
            assert_at_rest(&mut live);
        }
        live.button(MouseButton::Left, ButtonState::Released);
        live.frames(2);
        assert!(live.state().pointer_in_view);
    }

    // Begun in the view: the camera's, over the panel too.
    live.button(MouseButton::Left, ButtonState::Pressed);
    live.frames(1);
    for (steps, pixel) in [(1.0, view), (2.0, panel)] {
        hover(&mut live, pixel);
        live.shove(Vec2::new(-64.0, 0.0));
        live.frames(1);
        let turned = live.state().pose.yaw - POSE.yaw;
        assert!((turned - steps * std::f32::consts::TAU / 20.0).abs() < 1e-4, "turned by {turned}");
    }
}

#[test]
fn scrolling_a_panel_does_not_zoom_even_later() {
    let mut live = with_panel();
    hover(&mut live, Vec2::new(100.0, 400.0));
    live.frames(1);
    live.scroll(3.0);
    live.frames(1);
    hover(&mut live, Vec2::new(700.0, 400.0));
    live.frames(30);
    assert_at_rest(&mut live);
    live.scroll(3.0);
    live.frames(30);
    assert!(live.state().pose.distance < 0.8 * POSE.distance);
}
