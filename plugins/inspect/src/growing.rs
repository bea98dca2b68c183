//! The cluster around a point, grown on a thread; another granularity grows it anew from the same moment.

use crate::neighbours::nearest_in_embedding;
use crate::picking::{Answer, Purpose};
use crate::selected::Selection;
use crate::tools::ToolSettings;
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use clusters::{Grower, Positions};
use live::{LiveEmbedding, Snapshot};
use selection::{Combine, Rows};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A point belongs to a cluster with this many around it.
const MIN_POINTS: usize = 10;

/// Points beside a stray one that are tried instead.
const BESIDE: usize = 50;

/// What is grown.
#[derive(Debug, Clone)]
struct Wish {
    snapshot: Arc<Snapshot>,
    seed: u32,
    granularity: f32,
}

/// The cluster that was selected last, and what it can be regrown from.
#[derive(Resource, Debug)]
pub struct Growing {
    wishes: Sender<Wish>,
    grown: Mutex<Receiver<(Wish, Vec<u32>)>>,
    /// The moment, its row, what was selected before and what becomes of it.
    from: Option<Origin>,
    asked: Option<f32>,
    /// What came of it: if the selection is another, the user has moved on.
    last: Option<Arc<Rows>>,
}

#[derive(Debug, Clone)]
struct Origin {
    snapshot: Arc<Snapshot>,
    row: u32,
    before: Arc<Rows>,
    how: Combine,
}

impl Default for Growing {
    fn default() -> Self {
        let (wishes, inbox) = channel();
        let (outbox, grown) = channel();
        // Without a thread nothing grows, and nothing else is lost.
        let _ = std::thread::Builder::new().name("clusters".to_owned()).spawn(move || life(&inbox, &outbox));
        Self { wishes, grown: Mutex::new(grown), from: None, asked: None, last: None }
    }
}

impl Growing {
    /// Whether a cluster is selected that another granularity would grow anew.
    #[must_use]
    pub fn can_regrow(&self, selection: &Selection) -> bool {
        let from = self.from.as_ref();
        from.is_some_and(|from| Arc::ptr_eq(self.last.as_ref().unwrap_or(&from.before), selection.rows()))
    }

    /// Other data: nothing of the old is held any longer.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether the thread is at work.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.asked.is_some() && self.last.is_none()
    }
}

fn life(inbox: &Receiver<Wish>, outbox: &Sender<(Wish, Vec<u32>)>) {
    let mut known: Option<(Arc<Snapshot>, Grower)> = None;
    while let Ok(mut wish) = inbox.recv() {
        while let Ok(later) = inbox.try_recv() {
            wish = later; // nobody waits for the others any more
        }
        if !known.as_ref().is_some_and(|(snapshot, _)| Arc::ptr_eq(snapshot, &wish.snapshot)) {
            let snapshot = &wish.snapshot;
            let positions = Positions {
                values: &snapshot.positions,
                rows: snapshot.data.points(),
                dims: snapshot.dims,
                stride: snapshot.stride,
            };
            known = Some((Arc::clone(snapshot), Grower::new(positions, MIN_POINTS)));
        }
        let Some((_, grower)) = &known else { continue };
        let points = cluster_of(&wish, grower);
        if outbox.send((wish, points)).is_err() {
            return;
        }
    }
}

/// The cluster of a point, or of the nearest beside it that has one: whoever clicks on a stray point at the edge of a
/// cluster means the cluster.
fn cluster_of(wish: &Wish, grower: &Grower) -> Vec<u32> {
    let grown = |seed: u32| grower.grow(seed, wish.granularity, &|| false).unwrap_or_default();
    let own = grown(wish.seed);
    if own.len() >= MIN_POINTS {
        return own;
    }
    let snapshot = &wish.snapshot;
    let near = nearest_in_embedding(&snapshot.positions, snapshot.dims, snapshot.stride, wish.seed, BESIDE);
    near.into_iter().map(|(seed, _)| grown(seed)).find(|cluster| cluster.len() >= MIN_POINTS).unwrap_or(own)
}

/// Begins with the point that was clicked twice.
pub(crate) fn hear(
    mut answers: MessageReader<Answer>,
    live: Res<LiveEmbedding>,
    selection: Res<Selection>,
    mut growing: ResMut<Growing>,
) {
    for answer in answers.read() {
        let (Purpose::Cluster(how), Some((row, _)), Some(snapshot)) = (answer.purpose, answer.found, live.snapshot())
        else {
            continue;
        };
        let before = Arc::clone(selection.rows());
        growing.from = Some(Origin { snapshot: Arc::clone(snapshot), row, before, how });
        (growing.asked, growing.last) = (None, None);
    }
}

/// Grows what is wished for, and selects it.
pub(crate) fn grow(tools: Res<ToolSettings>, mut growing: ResMut<Growing>, mut selection: ResMut<Selection>) {
    let Some(from) = growing.from.clone() else { return }; // nothing was clicked twice
    if from.snapshot.data.table_rows() != selection.rows().len() || !growing.can_regrow(&selection) {
        growing.from = None; // other data, or the user has moved on
        return;
    }
    if growing.asked != Some(tools.granularity)
        && let Some(seed) = from.snapshot.data.point(from.row)
    {
        let wish = Wish { snapshot: Arc::clone(&from.snapshot), seed, granularity: tools.granularity };
        let _ = growing.wishes.send(wish); // a thread that is gone grows nothing
        growing.asked = Some(tools.granularity);
    }
    let grown = growing.grown.lock().unwrap_or_else(PoisonError::into_inner).try_iter().last();
    let Some((wish, points)) = grown else { return };
    if !Arc::ptr_eq(&wish.snapshot, &from.snapshot) || from.snapshot.data.point(from.row) != Some(wish.seed) {
        return; // of a click before
    }
    let data = &from.snapshot.data;
    let rows = points.into_iter().map(|point| data.row_of_point[point as usize]);
    let cluster = Rows::from_rows(data.table_rows(), rows);
    selection.set(Arc::new(from.before.combined(&cluster, from.how)));
    growing.last = Some(Arc::clone(selection.rows()));
}
