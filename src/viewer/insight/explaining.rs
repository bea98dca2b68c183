//! What makes the selection differ, computed on a thread whenever the selection rests for a moment.

use crate::viewer::data::{Current, OpenData};
use bevy::ecs::prelude::{Local, Res, ResMut, Resource};
use controls::{Explained, SelectionCard};
use dataset::Dataset;
use explain::{Data, ExplainError, Explanation, Groups, explain};
use inspect::Selection;
use live::{HdLists, LiveData, LiveEmbedding, Snapshot};
use selection::Rows;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A selection that has not changed for this long is explained.
const RESTS: Duration = Duration::from_millis(200);

/// Share of settled neighbours from which cohesion means something.
const SETTLED: f32 = 0.9;

/// All that an explanation depends on.
#[derive(Clone)]
pub struct About {
    a: Arc<Rows>,
    b: Option<(String, Arc<Rows>)>,
    data: Arc<LiveData>,
    table: (u64, u64),
    has_lists: bool,
}

impl About {
    fn is_same(&self, other: &Self) -> bool {
        let same_b = match (&self.b, &other.b) {
            (None, None) => true,
            (Some((_, one)), Some((_, other))) => Arc::ptr_eq(one, other),
            _ => false,
        };
        Arc::ptr_eq(&self.a, &other.a)
            && same_b
            && Arc::ptr_eq(&self.data, &other.data)
            && (self.table, self.has_lists) == (other.table, other.has_lists)
    }
}

/// The explanation that is being computed.
#[derive(Resource, Default)]
pub struct Explaining {
    under_way: Option<UnderWay>,
    /// What the one that is shown is about.
    shown: Option<About>,
}

struct UnderWay {
    about: About,
    given_up: Arc<AtomicBool>,
    outcome: Mutex<Receiver<Result<Explanation, ExplainError>>>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Release);
    }
}

/// Keeps the explanation about what is selected.
pub fn explain_selection(
    (data, live, selection): (Res<OpenData>, Res<LiveEmbedding>, Res<Selection>),
    mut explaining: ResMut<Explaining>,
    mut card: ResMut<SelectionCard>,
    mut wanted: Local<Option<(About, Instant)>>,
) {
    let Some((current, snapshot)) = data.seen(&live) else { return };
    if selection.is_empty() || selection.rows().len() != snapshot.data.table_rows() {
        *explaining = Explaining::default();
        if card.explanation.is_some() || card.explaining {
            (card.explanation, card.explaining) = (None, false);
        }
        return;
    }
    let against = selection.against.as_ref().and_then(|name| Some((name.clone(), Arc::clone(selection.find(name)?))));
    let about = About {
        a: Arc::clone(selection.rows()),
        b: against,
        data: Arc::clone(&snapshot.data),
        table: (current.generation, current.table_version),
        has_lists: settled_lists(snapshot).is_some(),
    };
    if let Some(done) = explaining.heard() {
        card.explaining = false;
        let (about, result) = done;
        card.explanation = match result {
            Ok(_) if about.table.0 != current.generation => None, // of data that is gone
            Ok(explanation) => Some(Arc::new(with_pictures(explanation, &about, current))),
            Err(_) => None, // nothing to compare it with
        };
        explaining.shown = Some(about);
    }
    let is_known = explaining.shown.as_ref().is_some_and(|shown| shown.is_same(&about));
    let is_coming = explaining.under_way.as_ref().is_some_and(|coming| coming.about.is_same(&about));
    if is_known || is_coming {
        *wanted = None;
        return;
    }
    let now = Instant::now();
    let since = match &*wanted {
        Some((known, since)) if known.is_same(&about) => *since,
        _ => now,
    };
    *wanted = Some((about.clone(), since));
    if now - since >= RESTS {
        explaining.under_way = Some(begin(about, current, settled_lists(snapshot)));
        card.explaining = true;
    }
}

/// The lists of neighbours, once they say something: after a dive they are found anew.
fn settled_lists(snapshot: &Snapshot) -> Option<Arc<HdLists>> {
    snapshot.lists.clone().filter(|_| snapshot.statistics.settled >= SETTLED)
}

impl Explaining {
    fn heard(&mut self) -> Option<(About, Result<Explanation, ExplainError>)> {
        let coming = self.under_way.as_ref()?;
        let received = coming.outcome.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
        let result = match received {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(ExplainError::Cancelled),
            Ok(result) => result,
        };
        let about = coming.about.clone();
        self.under_way = None;
        Some((about, result))
    }
}

fn begin(about: About, current: &Current, lists: Option<Arc<HdLists>>) -> UnderWay {
    let given_up = Arc::new(AtomicBool::new(false));
    let (done, outcome) = channel();
    let (what, stop) = (about.clone(), Arc::clone(&given_up));
    let names = component_names(current);
    let table: Dataset = current.dataset.clone(); // columns are shared, not copied
    std::thread::spawn(move || {
        let result = compare(&what, &table, &names, lists.as_deref(), &|| stop.load(Ordering::Acquire));
        let _ = done.send(result); // nobody may be waiting any more
    });
    UnderWay { about, given_up, outcome: Mutex::new(outcome) }
}

fn compare(
    about: &About,
    table: &Dataset,
    names: &[String],
    lists: Option<&HdLists>,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Explanation, ExplainError> {
    let data = &about.data;
    let a: Vec<u32> = data.rows().filter(|row| about.a.contains(*row)).collect();
    let in_b = |row: &u32| !about.a.contains(*row) && about.b.as_ref().is_none_or(|(_, b)| b.contains(*row));
    let b: Vec<u32> = data.rows().filter(in_b).collect();
    let vectors = data.space.vectors();
    let vector = |row: u32| vectors.row(data.point_of_row[row as usize] as usize);
    let neighbours = |row: u32| match (lists, data.point(row)) {
        (Some(lists), Some(point)) => {
            let list = &lists.neighbours[point as usize * lists.k..][..lists.k];
            let known = list.iter().filter(|&&other| other != u32::MAX);
            known.filter_map(|&other| data.row_of_point.get(other as usize).copied()).collect()
        }
        _ => Vec::new(),
    };
    let known = Data {
        attributes: &table.attributes,
        roles: &table.roles,
        vector: &vector,
        dims: vectors.dims(),
        component_names: names,
        neighbours: &neighbours,
    };
    explain(&known, Groups { a: &a, b: &b }, cancelled)
}

/// Names of the vector's components: of their columns, of their pixels, or by their places.
fn component_names(current: &Current) -> Vec<String> {
    let source = &current.dataset.source;
    if let Some(pca) = &current.dataset.pca {
        return (1..=pca.dims).map(|component| format!("component {component}")).collect();
    }
    if source.vector_columns.len() == source.input_dims {
        return source.vector_columns.clone();
    }
    match current.pictures.pixels() {
        Some(shape) => {
            let name = |at: usize| {
                let pixel = at / shape.channels;
                let place = format!("px {},{}", pixel / shape.width, pixel % shape.width);
                if shape.channels == 1 { place } else { format!("{place} {}", ["r", "g", "b"][at % 3]) }
            };
            (0..source.input_dims).map(name).collect()
        }
        None => Vec::new(),
    }
}

fn with_pictures(explanation: Explanation, about: &About, current: &Current) -> Explained {
    let vector = |row: u32| about.data.point(row).map(|point| about.data.space.vectors().row(point as usize));
    let middle = |row: u32| current.pictures.of_row(&current.dataset, row, vector(row)?);
    let images = [
        current.pictures.of_vector(&explanation.mean_a),
        current.pictures.of_vector(&explanation.mean_b),
        middle(explanation.medoid_a),
        middle(explanation.medoid_b),
    ];
    let number = |row: u32| current.dataset.row_numbers.file_row(row as usize);
    let medoids = [number(explanation.medoid_a), number(explanation.medoid_b)];
    let against = about.b.as_ref().map_or_else(|| "the rest".to_owned(), |(name, _)| name.clone());
    Explained { explanation, against, images, medoids }
}
