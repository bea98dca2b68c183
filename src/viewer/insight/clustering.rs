//! Clusters of the embedding as a column of the table.

use crate::table::Table;
use crate::viewer::data::{Current, OpenData, colourable_names};
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use clusters::{ClusterError, ClusterOptions, Clusters, NOISE, Positions, dbscan};
use colours::{ColourBy, count_text};
use controls::{ColourPanel, Notices, Request, SelectionCard};
use dataset::arrow::array::{ArrayRef, Int32Array, RecordBatch};
use dataset::arrow::datatypes::{DataType, Field, Schema};
use dataset::arrow::error::ArrowError;
use dataset::{Dataset, Role};
use inspect::ToolSettings;
use live::{LiveEmbedding, Snapshot};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the column, where the table has no other of that name.
pub const COLUMN: &str = "cluster";

/// Clusters that are being found.
#[derive(Resource, Default)]
pub struct Clustering {
    under_way: Option<UnderWay>,
}

struct UnderWay {
    generation: u64,
    snapshot: Arc<Snapshot>,
    outcome: Mutex<Receiver<Result<Clusters, ClusterError>>>,
}

/// Finds clusters when asked to, on a thread, and makes them a column to colour by.
pub fn find_clusters(
    mut requests: MessageReader<Request>,
    (live, tools): (Res<LiveEmbedding>, Res<ToolSettings>),
    mut clustering: ResMut<Clustering>,
    mut data: ResMut<OpenData>,
    mut panel: ResMut<ColourPanel>,
    mut card: ResMut<SelectionCard>,
    mut notices: ResMut<Notices>,
) {
    let asked = requests.read().any(|request| *request == Request::FindClusters);
    if let (true, None, Some((current, snapshot))) = (asked, &clustering.under_way, data.seen(&live)) {
        clustering.under_way = Some(begin(Arc::clone(snapshot), tools.granularity, current.generation));
        card.finding_clusters = true;
    }
    let Some(current) = &mut data.current else { return };
    let Some(under_way) = &clustering.under_way else { return };
    let received = under_way.outcome.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
    let outcome = match received {
        Err(std::sync::mpsc::TryRecvError::Empty) => return,
        Err(std::sync::mpsc::TryRecvError::Disconnected) => Err(ClusterError::Cancelled),
        Ok(outcome) => outcome,
    };
    let Some(under_way) = clustering.under_way.take() else { return };
    card.finding_clusters = false;
    if under_way.generation != current.generation {
        return; // of data that is gone
    }
    match outcome {
        Err(error) => notices.failed(error.to_string()),
        Ok(clusters) => {
            let column = column_of(&clusters, &under_way.snapshot);
            match put_column(current, Arc::new(column)) {
                Err(error) => notices.failed(error.to_string()),
                Ok(name) => {
                    panel.columns = colourable_names(&current.dataset, |_| true);
                    panel.categorical = colourable_names(&current.dataset, |role| role == Role::Categorical);
                    panel.settings.colour_by(ColourBy::Column(name));
                    let noise = 100.0 * clusters.noise as f64 / clusters.labels.len().max(1) as f64;
                    notices.done(format!(
                        "{} clusters found; {noise:.1} % of the points belong to none",
                        count_text(clusters.sizes.len())
                    ));
                }
            }
        }
    }
}

fn begin(snapshot: Arc<Snapshot>, granularity: f32, generation: u64) -> UnderWay {
    let (done, outcome) = channel();
    let of = Arc::clone(&snapshot);
    std::thread::spawn(move || {
        let positions = Positions { values: &of.positions, rows: of.data.points(), dims: of.dims, stride: of.stride };
        let options = ClusterOptions { granularity, ..ClusterOptions::default() };
        let _ = done.send(dbscan(positions, &options, &|| false)); // nobody may be waiting any more
    });
    UnderWay { generation, snapshot, outcome: Mutex::new(outcome) }
}

/// A number for each row of the table; none for noise and for rows that are not embedded.
fn column_of(clusters: &Clusters, snapshot: &Snapshot) -> Int32Array {
    let label = |&point: &u32| {
        let label = clusters.labels.get(point as usize).copied().filter(|&label| label != NOISE)?;
        i32::try_from(label).ok()
    };
    snapshot.data.point_of_row.iter().map(label).collect()
}

/// Adds the column to the table, in the place of one that was found before.
pub fn put_column(current: &mut Current, column: ArrayRef) -> Result<String, ArrowError> {
    let name = match &current.clusters {
        Some(name) => name.clone(),
        None => Table::beside(&current.dataset.attributes).free_names(&[COLUMN]).remove(0),
    };
    put_categories(&mut current.dataset, &name, column)?;
    current.clusters = Some(name.clone());
    current.table_version += 1;
    Ok(name)
}

/// Adds a column of numbered categories to a table, in the place of one of its name.
pub fn put_categories(dataset: &mut Dataset, name: &str, column: ArrayRef) -> Result<(), ArrowError> {
    let table = &dataset.attributes;
    let schema = table.schema();
    let others = || (0..schema.fields().len()).filter(|&at| schema.field(at).name() != name);
    let mut fields: Vec<_> = others().map(|at| Arc::clone(&schema.fields()[at])).collect();
    let mut columns: Vec<ArrayRef> = others().map(|at| Arc::clone(table.column(at))).collect();
    fields.push(Arc::new(Field::new(name, DataType::Int32, true)));
    columns.push(column);
    dataset.attributes = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
    dataset.roles.retain(|(known, _)| known != name);
    dataset.roles.push((name.to_owned(), Role::Categorical));
    Ok(())
}
