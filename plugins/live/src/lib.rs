//! A running embedding inside an application: the engine works, the interface never waits for it.
//!
//! # What flows where
//!
//! ```text
//! Job ──begin──► LiveEmbedding ──commands──► Worker (native engine, own threads)      ──snapshots──┐
//!                    ▲      └───commands──► Device (engine in the render graph, gpu) ──read-backs─┤
//!                    │                                                                            ▼
//!   settings, actions, pause                            poll_live, once a frame ◄──── latest Snapshot
//!                                                            │
//!                                                            └──► QualityWatch (own thread): R_NX, trust
//! ```
//!
//! [`LiveEmbedding`] is one face for both backends. A [`Snapshot`] is a moment of the run: positions, the settings that
//! were in force, statistics, and the data itself (shared with the engine, not copied). Everything is counted in
//! *points*, the engine's own order; [`LiveData`] knows which row of the file a point is.
//!
//! Other data takes over when it is laid out, and not before: until then the old embedding is there to be seen, and if
//! the new one is refused it goes on.
//!
//! An embedding that runs freely stops by itself when its layout has come to rest and its neighbours are found
//! ([`embedding::Stillness`]): its cores are free, and any change of settings, any action and any row that comes, leaves or is held
//! wakes it.

mod device;
mod running;
mod snapshot;
mod watch;
mod worker;

pub use embedding::Action;
pub use quality::TrustKind;
pub use running::{Activity, EnginePlace, LiveEmbedding};
pub use snapshot::{ABSENT, Begin, Change, HdLists, Job, LiveData, Part, Snapshot};
pub use watch::{Measured, QualityWatch, TrustMeasured};
pub use worker::{WATCH_NICENESS, step_back};

use bevy::app::{App, Plugin, PreUpdate};
use bevy::ecs::prelude::{IntoScheduleConfigs, Message, MessageWriter, Res, ResMut, SystemSet};
use gpu::command::GpuEmbedding;

/// There is a new snapshot in [`LiveEmbedding`].
#[derive(Message, Debug, Clone, Copy)]
pub struct SnapshotTaken;

/// There is a new measure in [`QualityWatch`].
#[derive(Message, Debug, Clone, Copy)]
pub struct QualityMeasured;

/// The systems of this plugin, in `PreUpdate`: whatever a frame does sees the same moment.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum LiveSystems {
    /// Takes in what engine and watch have published.
    Poll,
}

/// Adds a running embedding; [`LiveEmbedding`] must have been inserted, or it runs natively on all cores.
#[derive(Debug, Default)]
pub struct LivePlugin;

impl Plugin for LivePlugin {
    fn build(&self, app: &mut App) {
        if !app.world().contains_resource::<LiveEmbedding>() {
            app.insert_resource(LiveEmbedding::new(EnginePlace::Cpu, rayon::current_num_threads()));
        }
        app.init_resource::<QualityWatch>()
            .add_message::<SnapshotTaken>()
            .add_message::<QualityMeasured>()
            .add_systems(PreUpdate, (poll_live, watch_quality).chain().in_set(LiveSystems::Poll)); // the watch measures the latest
    }
}

fn poll_live(
    mut live: ResMut<LiveEmbedding>,
    gpu: Option<ResMut<GpuEmbedding>>,
    mut taken: MessageWriter<SnapshotTaken>,
) {
    if live.poll(gpu.map(ResMut::into_inner)) {
        taken.write(SnapshotTaken);
    }
}

fn watch_quality(
    mut watch: ResMut<QualityWatch>,
    live: Res<LiveEmbedding>,
    mut measured: MessageWriter<QualityMeasured>,
) {
    if watch.poll(live.snapshot()) {
        measured.write(QualityMeasured);
    }
}
