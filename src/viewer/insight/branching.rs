//! The hierarchy of the rows that are shown, grown on threads of its own that step back for everything else.

mod serving;
mod telling;

pub use serving::serve_hierarchy;
pub use telling::tell_hierarchy;

use super::diving::vectors_of;
use super::pictures::RowPictures;
use crate::growth;
use crate::viewer::data::{Current, OpenData};
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use colours::ColourBy;
use controls::{Grown, Growth, HierarchyCard, Notices, Request, RowImage};
use dataset::Dataset;
use embedding::{Engine, Settings};
use hierarchy::{FEWEST_ROWS, HierarchyOptions, Layout, Node, grow};
use live::{LiveData, LiveEmbedding, Snapshot, WATCH_NICENESS, step_back};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Rows of a node whose pictures are mixed, where pictures are files.
const MIXED: usize = 24;

/// The hierarchy that is being grown, and what the one that is shown is of.
#[derive(Resource, Default)]
pub struct Branching {
    under_way: Option<UnderWay>,
    /// Data set and rows of the one that is shown.
    of: Option<(u64, Arc<LiveData>)>,
    /// What the cloud was coloured by before it had the colours of a level.
    before: Option<ColourBy>,
    /// The hierarchy that the column of a level is of.
    in_column: Option<Arc<Grown>>,
}

struct UnderWay {
    generation: u64,
    data: Arc<LiveData>,
    begun: Instant,
    sign: Arc<Sign>,
    outcome: Mutex<Receiver<Result<Grown, String>>>,
}

/// What the thread and the window tell each other while it works.
#[derive(Default)]
struct Sign {
    given_up: AtomicBool,
    iteration: AtomicU32,
    levels: AtomicUsize,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.sign.given_up.store(true, Ordering::Release);
    }
}

/// Grows a hierarchy when asked to, and forgets it when other rows are shown.
pub fn grow_hierarchy(
    mut requests: MessageReader<Request>,
    (data, live): (Res<OpenData>, Res<LiveEmbedding>),
    mut branching: ResMut<Branching>,
    mut card: ResMut<HierarchyCard>,
    mut notices: ResMut<Notices>,
) {
    let seen = data.seen(&live);
    for request in requests.read() {
        match (request, &seen) {
            (Request::CancelHierarchy, _) => branching.under_way = None,
            (Request::GrowHierarchy, Some((current, snapshot))) if branching.under_way.is_none() => {
                let rows = snapshot.data.points();
                if rows < FEWEST_ROWS {
                    notices.failed(format!("a hierarchy needs at least {FEWEST_ROWS} rows; {rows} are shown"));
                } else {
                    branching.under_way = Some(begin(current, snapshot));
                }
            }
            _ => {}
        }
    }
    let Some((current, snapshot)) = seen else { return };
    if branching.is_of_other_rows(current.generation, &snapshot.data) {
        *branching = Branching::default();
        card.forget();
    }
    branching.listen(&mut card, &mut notices);
    let growing = branching.under_way.as_ref().map(UnderWay::growth);
    if card.growing != growing {
        card.growing = growing;
    }
}

impl Branching {
    /// Whether what is shown or grown is of other rows than these.
    fn is_of_other_rows(&mut self, generation: u64, data: &Arc<LiveData>) -> bool {
        let under_way = self.under_way.as_mut().map(|coming| (coming.generation, &mut coming.data));
        let shown = self.of.as_mut().map(|(generation, data)| (*generation, data));
        under_way.into_iter().chain(shown).any(|(known, of)| {
            let same = known == generation
                && (Arc::ptr_eq(of, data)
                    || of.point_of_row.len() == data.point_of_row.len() && of.rows().eq(data.rows()));
            if same {
                *of = Arc::clone(data); // the same rows in another order of points need not be compared again
            }
            !same
        })
    }

    /// Takes over what has grown.
    fn listen(&mut self, card: &mut HierarchyCard, notices: &mut Notices) {
        let Some(under_way) = &self.under_way else { return };
        let received = under_way.outcome.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
        let outcome = match received {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("the hierarchy could not be grown".to_owned()),
            Ok(outcome) => outcome,
        };
        let Some(under_way) = self.under_way.take() else { return };
        match outcome {
            Err(error) => notices.failed(error),
            Ok(grown) => {
                card.level = card.level.min(grown.hierarchy.levels().len().saturating_sub(1));
                (card.compositions, card.shares) = (Vec::new(), Vec::new());
                card.grown = Some(Arc::new(grown));
                self.of = Some((under_way.generation, Arc::clone(&under_way.data)));
            }
        }
    }
}

impl UnderWay {
    fn growth(&self) -> Growth {
        let options = HierarchyOptions::default();
        let iterations = options.iterations();
        let iteration = self.sign.iteration.load(Ordering::Acquire);
        let left = iterations.saturating_sub(iteration) as f32;
        let seconds_left = (iteration > 0).then(|| self.begun.elapsed().as_secs_f32() * left / iteration as f32);
        Growth {
            iteration,
            iterations,
            level: self.sign.levels.load(Ordering::Acquire),
            levels: options.levels,
            seconds_left,
        }
    }
}

fn begin(current: &Current, snapshot: &Snapshot) -> UnderWay {
    let (done, outcome) = channel();
    let (sign, data) = (Arc::new(Sign::default()), Arc::clone(&snapshot.data));
    let usual = Settings::for_rows(data.points());
    let job = Growing {
        data: Arc::clone(&data),
        table: current.dataset.clone(),
        pictures: current.pictures.clone(),
        settings: Settings {
            dims: growth::DIMS,
            metric: snapshot.settings.metric,
            seed: snapshot.settings.seed,
            ..usual
        },
        options: HierarchyOptions::default(),
        sign: Arc::clone(&sign),
    };
    let threads = rayon::current_num_threads();
    std::thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("hierarchy {n}"));
        let pool = pool.start_handler(|_| step_back(WATCH_NICENESS)).build();
        let grown = pool.map_err(|error| error.to_string()).and_then(|pool| pool.install(|| job.run()));
        let _ = done.send(grown); // nobody may be waiting any more
    });
    UnderWay { generation: current.generation, data, begun: Instant::now(), sign, outcome: Mutex::new(outcome) }
}

/// All that the thread needs.
struct Growing {
    data: Arc<LiveData>,
    table: Dataset,
    pictures: RowPictures,
    settings: Settings,
    options: HierarchyOptions,
    sign: Arc<Sign>,
}

impl Growing {
    fn run(self) -> Result<Grown, String> {
        let rows: Vec<u32> = self.data.rows().collect();
        let vectors = vectors_of(&self.data, &rows); // a second matrix: the engine that is seen keeps its own
        let mut engine = Engine::new(vectors, self.settings.clone()).map_err(|error| error.to_string())?;
        let mut progress = |progress: hierarchy::Progress<'_>| {
            self.sign.iteration.store(progress.iteration, Ordering::Release);
            self.sign.levels.store(progress.levels.len(), Ordering::Release);
        };
        let given_up = || self.sign.given_up.load(Ordering::Acquire);
        let hierarchy =
            grow(&mut engine, &self.options, &mut progress, &given_up).map_err(|error| error.to_string())?;
        drop(engine);
        let pictures = hierarchy.nodes().par_iter().map(|node| self.face(node, &rows)).collect();
        Ok(Grown {
            layout: Layout::new(&hierarchy),
            hierarchy,
            options: self.options,
            settings: self.settings,
            rows,
            table_rows: self.data.table_rows(),
            pictures,
        })
    }

    /// The mean picture of a node: of its vectors, or of some of its files.
    fn face(&self, node: &Node, rows: &[u32]) -> Option<RowImage> {
        let vectors = self.data.space.vectors();
        let vector = |place: &u32| {
            let row = rows[*place as usize];
            Some((row, vectors.row(self.data.point(row)? as usize)))
        };
        if !self.pictures.are_there() {
            return None;
        }
        let mut sums = vec![0.0_f64; vectors.dims()];
        for (_, vector) in node.rows.iter().filter_map(vector) {
            sums.iter_mut().zip(vector).for_each(|(sum, &value)| *sum += f64::from(value));
        }
        let mean: Vec<f32> = sums.iter().map(|sum| (sum / node.size().max(1) as f64) as f32).collect();
        let files = || {
            let some = node.rows.iter().step_by(node.size().div_ceil(MIXED).max(1)).filter_map(vector);
            mixed(some.filter_map(|(row, vector)| self.pictures.of_row(&self.table, row, vector)))
        };
        self.pictures.of_vector(&mean).or_else(files)
    }
}

/// The mean of pictures, of those that are as large as the first.
fn mixed(mut pictures: impl Iterator<Item = RowImage>) -> Option<RowImage> {
    let first = pictures.next()?;
    let mut sums: Vec<u32> = first.rgba.iter().map(|&byte| byte.into()).collect();
    let mut count = 1;
    for picture in pictures.filter(|picture| (picture.width, picture.height) == (first.width, first.height)) {
        sums.iter_mut().zip(picture.rgba.iter()).for_each(|(sum, &byte)| *sum += u32::from(byte));
        count += 1;
    }
    let rgba = sums.into_iter().map(|sum| (sum / count) as u8).collect();
    Some(RowImage { rgba: Arc::new(rgba), ..first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_one_size_are_mixed() {
        let image = |width: usize, byte: u8| RowImage { width, height: 1, rgba: Arc::new(vec![byte; 4 * width]) };
        let mean = mixed([image(2, 10), image(3, 200), image(2, 30)].into_iter()).expect("a picture");
        assert_eq!((mean.width, mean.rgba.as_slice()), (2, &[20; 8][..]));
        assert_eq!(mixed(std::iter::empty()), None);
    }
}
