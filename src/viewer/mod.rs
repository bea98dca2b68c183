//! The window: an embedding that forms while one watches, and every control that steers it.
//!
//! # What flows where
//!
//! ```text
//! files ─► opening (thread) ─► data: take_over ─► live (engine: own threads, or the render graph) ◄── theatre (scores)
//!                                 │                  │ snapshots
//!               session ◄─────────┤                  ▼
//!                  ▲              └──► painting ──► cloud ──► points (render graph) ──► window, pictures
//!                  │                      ▲           └─────► orbit_camera     │
//!   saving, autosave (threads)            │ selection                          │ what is seen
//!                  ▲                   inspect ◄── mouse ──────────────────────┘
//!                  │                      ▲  └──► insight: values, pictures, search, clusters, why, dives
//!                  └──── Request ──── controls (egui) ◄──┘ cards
//! ```
//!
//! One frame, in order ([`ViewerSystems`]): requests are served and data is gone over to; what the engine published is
//! laid out and painted; what is to be written is handed to threads. The interface is drawn in egui's pass after that,
//! then the camera moves, then everything is drawn. Nothing in a frame waits for a file or for the engine.
//!
//! Rows may come and leave while it runs: `streaming` hands what a stream brings to the engine, and takes the table over
//! together with the points it belongs to.
//!
//! Beyond three dimensions `touring` says along which axes the cloud is seen; drawing, picking and labels follow them.
//!
//! Everything but the window itself also runs without one (`app.update()` in the tests).

mod autosave;
mod carried;
mod cloud;
mod data;
mod display;
mod insight;
pub(crate) mod offscreen;
mod opening;
mod pace;
mod painting;
mod report;
mod saving;
pub(crate) mod scene;
pub(crate) mod session;
mod streaming;
mod theatre;
pub(crate) mod touring;
mod window;

pub use autosave::Autosave;
pub use data::{Choice, OpenData};
pub use display::has_display;
pub(crate) use insight::{ImageShape, gathered, put_categories};
pub use opening::Opening;
pub(crate) use opening::read_data_of;
pub use pace::SlowAdapter;
pub(crate) use painting::{trust_extent, trust_of};
pub(crate) use saving::PICTURE_KEY;
pub use saving::Writing;
pub use streaming::StreamPlan;
pub(crate) use theatre::{Ground, frame_line, read_score};

use crate::args::{Backend, OpenArgs, PresentArgs};
use crate::choice::SettingsFile;
use crate::error::CommandError;
use crate::input::Input;
use bevy::app::{App, AppExit, Last, Plugin, PostUpdate, PreUpdate, Startup, Update};
use bevy::ecs::prelude::{IntoScheduleConfigs, SystemSet};
use bevy::input::InputSystems;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy_egui::EguiPlugin;
use controls::ControlsPlugin;
use dataset::LoadOptions;
use gpu::GpuEnginePlugin;
use inspect::{InspectPlugin, InspectSystems};
use live::{EnginePlace, LiveEmbedding, LivePlugin};
use orbit_camera::{OrbitCameraPlugin, OrbitCameraSystems};
use points::PointsPlugin;
use score::Score;

/// The order of a frame, in `Update`.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum ViewerSystems {
    /// Serves requests to open, and goes over to data that has arrived.
    Open,
    /// Lays out and paints what the engine published.
    Show,
    /// Hands what is to be written to threads, and hears how it went.
    Write,
}

/// The viewer without its window and renderer: those are added by the program, or not at all in tests.
#[derive(Debug, Default)]
pub struct ViewerPlugin;

impl Plugin for ViewerPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            EguiPlugin::default(),
            GpuEnginePlugin,
            LivePlugin,
            PointsPlugin,
            OrbitCameraPlugin,
            InspectPlugin,
            ControlsPlugin,
        ))
        .init_resource::<Opening>()
        .init_resource::<OpenData>()
        .init_resource::<Choice>()
        .init_resource::<SlowAdapter>()
        .init_resource::<pace::Held>()
        .init_resource::<saving::Writing>()
        .init_resource::<insight::Levels>()
        .init_resource::<insight::Clustering>()
        .init_resource::<insight::Branching>()
        .init_resource::<insight::Explaining>()
        .init_resource::<touring::Touring>()
        .init_resource::<streaming::Stream>()
        .init_resource::<streaming::Effects>()
        .init_resource::<theatre::Player>()
        .init_resource::<theatre::Recording>()
        .init_resource::<theatre::Filming>()
        .init_resource::<theatre::Notes>()
        // What was opened is shown in the same frame, and saved as it is shown.
        .configure_sets(Update, (ViewerSystems::Open, ViewerSystems::Show, ViewerSystems::Write).chain())
        .configure_sets(
            Update,
            (InspectSystems::Hand, InspectSystems::Find)
                .after(ViewerSystems::Open) // what is gone cannot be clicked
                .before(ViewerSystems::Show), // what is selected is painted in the same frame
        )
        .add_systems(
            Update,
            (
                (
                    (
                        opening::begin_opening,
                        opening::finish_opening,
                        data::take_over,
                        insight::dive_and_rise,
                        streaming::hear_stream,
                    ),
                    (theatre::conduct, theatre::play_score, theatre::tell_notes),
                )
                    .chain() // asked for, read, gone over to, steered
                    .in_set(ViewerSystems::Open),
                (
                    (insight::select_found, insight::select_categories, insight::find_clusters).chain(), // as asked for
                    (insight::grow_hierarchy, insight::serve_hierarchy).chain(), // what is gone cannot be clicked
                    (
                        cloud::show_snapshot,
                        touring::look_along,
                        painting::paint_points,
                        streaming::adorn,
                        cloud::place_labels,
                    )
                        .chain(), // labels stand where the points are
                    (
                        insight::describe_rows,
                        insight::explain_selection,
                        insight::tell_hierarchy,
                        window::report_errors,
                    ),
                )
                    .chain() // selected, painted, told
                    .in_set(ViewerSystems::Show),
                (saving::save_what_is_asked, saving::write_pictures, saving::hear_writing, theatre::hear_filming)
                    .chain()
                    .in_set(ViewerSystems::Write),
            ),
        )
        .add_systems(
            PostUpdate,
            (pace::choose_share, window::focus_points).chain().after(OrbitCameraSystems::Motion), // the camera has moved
        )
        .add_systems(Last, theatre::write_down); // all that happens in a frame has happened
        if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
            render_app.add_systems(
                Render,
                window::lend_positions.in_set(RenderSystems::PrepareResources), // before the points bind them
            );
        }
    }
}

/// What needs a window: its events, autosaves, an end.
fn add_window_systems(app: &mut App) {
    app.insert_resource(Autosave::new(&autosave::folder()))
        .add_systems(Startup, (window::spawn_camera, window::look_at_adapter, autosave::offer_restoring))
        .add_systems(PreUpdate, window::follow_the_cursor.before(InputSystems)) // which adds motions up
        .add_systems(
            Update,
            (window::take_dropped_files, window::quit, autosave::restore_or_discard).before(ViewerSystems::Open), // what is dropped is opened in this frame
        )
        .add_systems(
            Update,
            (window::keep_title, window::keep_full_screen, autosave::save_by_itself).in_set(ViewerSystems::Write),
        )
        .add_systems(Last, (autosave::clean_up.after(theatre::write_down), pace::hold_frame_rate).chain()); // whoever leaves need not wait
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// If a flag makes no sense, or the window had to be given up.
pub(crate) fn run(args: &OpenArgs) -> Result<(), CommandError> {
    run_with(args, None)
}

/// Opens the window and presents a score in it until it is closed.
///
/// # Errors
/// If the score or a flag makes no sense, or the window had to be given up.
pub(crate) fn present(args: &PresentArgs) -> Result<(), CommandError> {
    let score = Score::read(&args.score)?;
    let files = if args.input.is_empty() { vec![args.score.clone()] } else { args.input.clone() };
    if args.input.is_empty() && score.data.is_none() && score.start.is_none() {
        return Err(CommandError::Score("the score names no data: name it behind the score".to_owned()));
    }
    let open = OpenArgs { files, backend: args.backend.clone(), loader: args.loader.clone(), ..OpenArgs::default() };
    run_with(&open, Some(args))
}

fn run_with(args: &OpenArgs, present: Option<&PresentArgs>) -> Result<(), CommandError> {
    let input = if args.files.is_empty() { Input::Demo } else { Input::of(&args.files) };
    let backend = crate::backend::Wish::of(&args.backend)?;
    let choice = Choice {
        load: args.loader.over(LoadOptions::default()),
        settings: args.settings.as_deref().map(SettingsFile::read).transpose()?,
        engine: args.engine.clone(),
        view: args.view.clone(),
        labels: args.labels.clone(),
        adapter: None,
    };
    choice.check()?;
    let mut app = App::new();
    app.add_plugins(window::plugins(backend.adapter.as_deref()))
        .insert_resource(LiveEmbedding::new(EnginePlace::Cpu, rayon::current_num_threads()))
        .insert_resource(args.view.over_looks(points::PointSettings::default()))
        .insert_resource(window::Allowed {
            gpu: backend.backend != Backend::Cpu,
            software: backend.backend == Backend::Gpu,
        })
        .add_plugins(ViewerPlugin)
        .insert_resource(choice.clone());
    add_window_systems(&mut app);
    report::add(&mut app)?;
    let failure = window::end_in_order_when_the_device_is_lost(&mut app);
    if let Some(present) = present {
        app.insert_resource(theatre::Notes(!present.no_notes));
        app.world_mut().resource_mut::<theatre::Player>().awaited = Some(present.kiosk);
        if !present.input.is_empty() {
            let score = (Score::read(&present.score)?, present.score.clone());
            app.world_mut().resource_mut::<OpenData>().arrived_score = Some(score);
        }
    }
    let mut opening = app.world_mut().resource_mut::<Opening>();
    match (&args.restore, args.stream.plan(&args.files)?) {
        (Some(path), _) => opening.restore(path.clone(), choice.load),
        (None, Some((plan, files))) => opening.follow(plan, &files, choice.load),
        (None, None) => opening.begin(input, choice.load),
    }
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => {
            let what = failure.take().unwrap_or_else(|| "the window had to be given up".to_owned());
            let saved = match autosave::is_left_by_this_process() {
                true => "the session was saved, and the next start offers it",
                false => "there was nothing to save, or no place for it",
            };
            Err(CommandError::Drawing(format!("the graphics device failed: {what}; {saved}")))
        }
    }
}
