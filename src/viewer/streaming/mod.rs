//! Living data: rows that arrive by a stream while the map is seen.
//!
//! ```text
//! Source (threads) ─► feed (thread): LivingTable ─► Moment ─► hear_stream ─► live: Change ─► snapshot of that version
//!                                                     └─ columns, numbers ──────────────────► taken over with it
//! ```
//!
//! One change is on its way at a time: the table of the window is that of the points it shows, always. Meanwhile the
//! feed gathers what arrives, so that however fast rows come, the window takes them in as fast as it can.

mod effects;
mod feed;
mod first;

pub use effects::{Effects, adorn};
pub use feed::Feed;
pub use first::{StreamPlan, read_living};

use super::data::{Current, OpenData};
use super::insight::Levels;
use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut, Resource};
use colours::default_colouring;
use controls::{ColourPanel, DataCard, Notices, Request, StreamCard};
use dataset::RowNumbers;
use feed::{Feeder, Moment};
use inspect::{Inspected, Selection};
use live::{Activity, LiveEmbedding};
use std::time::{Duration, Instant};

/// Time over which arrivals are counted.
const COUNTED: Duration = Duration::from_millis(1000);

/// The stream that feeds the data in use, if there is one.
#[derive(Resource, Default)]
pub struct Stream {
    feeder: Option<Feeder>,
    /// The change that is on its way through the engine.
    under_way: Option<Box<Moment>>,
    version: u64,
}

impl Stream {
    /// Other data: its own feed takes over, or none.
    pub fn begin(&mut self, feed: Option<Feed>) {
        *self = Self { feeder: feed.map(Feeder::start), ..Self::default() };
    }
}

/// What a change of the table changes.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Told<'w> {
    selection: ResMut<'w, Selection>,
    inspected: ResMut<'w, Inspected>,
    colour: ResMut<'w, ColourPanel>,
    card: ResMut<'w, DataCard>,
    notices: ResMut<'w, Notices>,
    effects: ResMut<'w, Effects>,
    stream_card: ResMut<'w, StreamCard>,
}

/// Takes in what the feed has: hands a change to the engine, and takes the table over once its points are seen.
pub fn hear_stream(
    mut requests: MessageReader<Request>,
    (mut stream, mut data): (ResMut<Stream>, ResMut<OpenData>),
    mut live: ResMut<LiveEmbedding>,
    levels: Res<Levels>,
    mut told: Told,
    mut counted: Local<Option<(Instant, u64)>>,
) {
    let asked_to_pause = requests.read().filter(|request| **request == Request::PauseStream).count() % 2 == 1;
    let Some(feeder) = &stream.feeder else {
        told.stream_card.set_if_neq(StreamCard::default());
        return;
    };
    if asked_to_pause {
        feeder.set_paused(!feeder.is_paused());
    }
    feeder.words().into_iter().for_each(|(words, bad)| match bad {
        true => told.notices.failed(words),
        false => told.notices.done(words),
    });
    let arrived = feeder.arrived();
    let (since, before) = counted.get_or_insert((Instant::now(), arrived));
    let mut card = StreamCard { rate: told.stream_card.rate, ..told.stream_card.clone() };
    if since.elapsed() >= COUNTED {
        card.rate = arrived.saturating_sub(*before) as f32 / since.elapsed().as_secs_f32();
        *counted = Some((Instant::now(), arrived));
    }
    let lag = feeder.lag();
    (card.name, card.arrived, card.lag, card.paused) = (feeder.name(), arrived, lag, feeder.is_paused());
    card.waiting = (!levels.above().is_empty()).then(|| "waits until you come back from the dive".to_owned());
    told.stream_card.set_if_neq(card);

    if let (Some(moment), Some(current)) = (&stream.under_way, &mut data.current)
        && live.snapshot().is_some_and(|snapshot| snapshot.data.version >= moment.version())
    {
        take_table(moment, current, &live, &mut told);
        stream.under_way = None;
    }
    let ready = live.snapshot().is_some() && live.activity() != Activity::Starting && levels.above().is_empty();
    if ready
        && stream.under_way.is_none()
        && data.current.is_some()
        && let Some(mut moment) = stream.feeder.as_ref().and_then(Feeder::take)
    {
        stream.version += 1;
        if let Some(snapshot) = live.snapshot() {
            told.effects.before(snapshot, &moment);
        }
        live.change(moment.change(stream.version));
        stream.under_way = Some(moment);
    }
}

/// The columns and numbers of the rows whose points are seen now.
fn take_table(moment: &Moment, current: &mut Current, live: &LiveEmbedding, told: &mut Told) {
    let (rows, other) = (moment.rows(), moment.others());
    current.dataset.attributes = moment.attributes.clone();
    current.dataset.row_numbers = RowNumbers::Picked(moment.numbers.clone());
    current.table_version += 1;
    current.living = true;
    let stays = |row: u32| other.binary_search(&row).is_err();
    told.selection.follow(rows, stays);
    if told.inspected.row().is_some_and(|row| !stays(row)) {
        told.inspected.forget();
    }
    if current.clusters.take().is_some() | current.levels.take().is_some() {
        // Found for the rows before; who came since has none.
        let known = current.dataset.attributes.schema();
        if let colours::ColourBy::Column(column) = &told.colour.settings.by
            && known.column_with_name(column).is_none()
        {
            told.colour.settings = default_colouring(&current.dataset);
        }
        told.notices.done("the rows have changed: find clusters or grow the hierarchy again");
    }
    told.card.rows = live.snapshot().map_or(rows, |snapshot| snapshot.data.points());
    if let Some(snapshot) = live.snapshot() {
        told.effects.after(snapshot, moment);
    }
}
