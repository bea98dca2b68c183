//! The native engine on a thread of its own. Nobody waits for it: commands go in by a channel, snapshots come out of a
//! shared place whenever somebody took the last one.

use crate::snapshot::{Begin, Change, HdLists, Job, LiveData, Part, Snapshot};
use embedding::{Action, Embedder as _, Engine, EngineError, Settings, Stillness};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use vectors::Vectors;

/// How long an idle worker sleeps between two looks at whether somebody wants a snapshot.
const NAP: Duration = Duration::from_millis(10);
/// Time over which the rate of iterations is averaged.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// An embedding that has not moved for so long stands still: axes that leave it are squeezed out without iterations.
pub(crate) const STILL: Duration = Duration::from_millis(250);
/// Lists of neighbours are copied no more often than this.
const LISTS_EVERY: Duration = Duration::from_millis(700);

/// What the worker is told.
#[derive(Debug)]
pub(crate) enum Command {
    Settings(Box<Settings>),
    Act(Action),
    /// Rows come, leave and change.
    Change(Box<Change>),
    /// Rows are held where they are, or let go.
    Pin(Vec<u32>, bool),
    /// Run freely, or only what is granted.
    Free(bool),
    /// Run so many iterations although not free.
    Grant(u32),
    /// So many for a frame, although not free: what frames before had no time for is forgotten but for as many again.
    Pace(u32),
    /// Copy lists of neighbours into the snapshots, or stop doing so.
    Lists(bool),
}

/// Where worker and application meet.
#[derive(Debug, Default)]
struct Meeting {
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    wanted: AtomicBool,
    stop: AtomicBool,
    refused: Mutex<Option<EngineError>>,
}

/// The thread, seen from outside. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    commands: Sender<Command>,
    meeting: Arc<Meeting>,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Starts a thread that lays the data out and embeds it, with so many threads of its own.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(job: Job, threads: usize) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let meeting = Arc::new(Meeting { wanted: AtomicBool::new(true), ..Meeting::default() });
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("engine {n}"));
        let pool = pool.start_handler(|_| step_back(ENGINE_NICENESS));
        let pool = pool.build().map_err(std::io::Error::other)?;
        let thread = Builder::new().name("engine".to_owned()).spawn({
            let meeting = Arc::clone(&meeting);
            move || pool.install(move || live(job, inbox, &meeting))
        })?;
        Ok(Self { commands, meeting, thread })
    }

    /// Tells it something. A thread that has ended hears nothing, and [`has_ended`](Self::has_ended) says so.
    pub fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// The latest snapshot, if there is a new one; asks for the next.
    pub fn take(&self) -> Option<Arc<Snapshot>> {
        let snapshot = self.meeting.snapshot.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.meeting.wanted.store(true, Ordering::Release);
        snapshot
    }

    /// Why the engine refused the data or a setting, if it did since the last question.
    pub fn take_refusal(&self) -> Option<EngineError> {
        self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The thread is gone: its data was refused, or it broke.
    pub fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.meeting.stop.store(true, Ordering::Release); // it ends after its iteration; nobody waits for that
    }
}

/// The life of the thread.
fn live(job: Job, inbox: Receiver<Command>, meeting: &Meeting) {
    let Job { vectors, part, settings, begin } = job;
    let engine = match &begin {
        Begin::New => Engine::new(vectors, settings),
        Begin::From(coordinates) => Engine::with_start(vectors, settings, coordinates),
        Begin::Resume(coordinates, iteration) => Engine::resume(vectors, settings, coordinates, *iteration),
    };
    drop(begin);
    match engine {
        Ok(engine) => Life::new(engine, part, meeting).run(&inbox),
        Err(error) => *meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
    }
}

struct Life<'a> {
    engine: Engine,
    data: Arc<LiveData>,
    /// The engine's point of each point of the data; none while they are the same.
    places: Option<Vec<u32>>,
    part: Option<Part>,
    meeting: &'a Meeting,
    /// Runs by itself. Not from the beginning: the first moment waits until it was seen, and whoever saw it decides.
    free: bool,
    granted: u32,
    stillness: Stillness,
    /// When it last moved.
    moved: Instant,
    /// Something changed since the last snapshot.
    unseen: bool,
    rate: Rate,
    lists: Option<Option<(Arc<HdLists>, Instant)>>,
}

impl<'a> Life<'a> {
    fn new(engine: Engine, part: Option<Part>, meeting: &'a Meeting) -> Self {
        let data = Arc::new(LiveData::new(engine.space().clone(), engine.row_of_point().to_vec(), part.as_ref()));
        let (moved, rate) = (Instant::now(), Rate::new());
        Self {
            engine,
            data,
            places: None,
            part,
            meeting,
            free: false,
            granted: 0,
            stillness: Stillness::default(),
            moved,
            unseen: true,
            rate,
            lists: None,
        }
    }

    fn run(&mut self, inbox: &Receiver<Command>) {
        while !self.meeting.stop.load(Ordering::Acquire) {
            if !self.obey_all(inbox) {
                return;
            }
            if self.may_step() {
                self.granted = self.granted.saturating_sub(1);
                self.engine.step();
                self.rate.count(self.engine.iteration());
                self.look();
                (self.moved, self.unseen) = (Instant::now(), true);
            } else if self.moved.elapsed() > STILL {
                self.unseen |= self.engine.squeeze();
            }
            self.publish();
        }
    }

    fn may_step(&self) -> bool {
        (self.free && !self.stillness.is_still()) || self.granted > 0
    }

    /// Looks now and then whether anything still moves.
    fn look(&mut self) {
        if self.stillness.is_due(self.engine.iteration()) {
            let (positions, stride) = self.engine.point_positions();
            self.stillness.look(&self.engine.statistics(), positions, stride);
        }
    }

    /// Does all that was asked, in order; with nothing else to do, waits a little for more. False: nobody is there any more.
    fn obey_all(&mut self, inbox: &Receiver<Command>) -> bool {
        loop {
            let next = if self.may_step() {
                inbox.try_recv().map_err(|error| error == TryRecvError::Disconnected)
            } else {
                inbox.recv_timeout(NAP).map_err(|error| error == RecvTimeoutError::Disconnected)
            };
            match next {
                Ok(command) => self.obey(command),
                Err(disconnected) => return !disconnected,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        self.unseen = true;
        if !matches!(command, Command::Grant(_) | Command::Pace(_) | Command::Lists(_)) {
            self.stillness.wake();
        }
        match command {
            Command::Settings(settings) => {
                if let Err(error) = self.engine.set_settings(*settings) {
                    *self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
            Command::Act(action) => self.engine.act(action),
            Command::Change(change) => {
                let version = change.version;
                if let Err(error) = change_rows(&mut self.engine, *change) {
                    *self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                let (data, places) = LiveData::living(&self.engine, version);
                (self.data, self.places) = (Arc::new(data), Some(places));
                self.lists = self.lists.take().map(|_| None); // those of before name other points
            }
            Command::Pin(rows, pinned) => {
                let rows = match &self.part {
                    None => rows,
                    Some(part) => {
                        rows.iter().filter_map(|row| Some(part.rows.binary_search(row).ok()? as u32)).collect()
                    }
                };
                if let Err(error) = self.engine.pin(&rows, pinned) {
                    *self.meeting.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
            Command::Free(free) => {
                self.free = free;
                self.granted = 0;
                self.rate = Rate::new();
            }
            Command::Grant(iterations) => self.granted = self.granted.saturating_add(iterations),
            Command::Pace(_) if self.stillness.is_still() => self.granted = 0,
            Command::Pace(iterations) => self.granted = self.granted.min(iterations).saturating_add(iterations),
            Command::Lists(true) => self.lists = self.lists.take().or(Some(None)),
            Command::Lists(false) => self.lists = None,
        }
    }

    /// Leaves a snapshot where it can be taken, if there is something new and somebody took the last one.
    fn publish(&mut self) {
        if !self.unseen || !self.meeting.wanted.swap(false, Ordering::AcqRel) {
            return;
        }
        self.unseen = false;
        let lists = self.current_lists();
        let settled = self.stillness.is_still();
        let mut statistics = self.engine.statistics();
        if let Some(part) = &self.part {
            statistics.quarantined_row = statistics.quarantined_row.map(|row| part.rows[row as usize]);
        }
        let (positions, stride) = self.engine.point_positions();
        let snapshot = Snapshot {
            data: Arc::clone(&self.data),
            positions: Arc::new(match &self.places {
                None => positions.to_vec(),
                Some(places) => gathered(positions, stride, places),
            }),
            dims: self.engine.dims(),
            stride,
            settings: self.engine.settings().clone(),
            statistics,
            rate: if self.free && !settled { self.rate.per_second } else { 0.0 },
            settled,
            lists,
        };
        *self.meeting.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
    }

    fn current_lists(&mut self) -> Option<Arc<HdLists>> {
        // Of a map at rest there are no later ones.
        let last = self.stillness.is_still().then(|| self.engine.iteration());
        let kept = self.lists.as_mut()?;
        let fresh = kept
            .as_ref()
            .is_some_and(|(lists, read)| last.map_or(read.elapsed() < LISTS_EVERY, |last| lists.iteration == last));
        if !fresh {
            let (mut neighbours, k) = self.engine.point_neighbours();
            if let Some(places) = &self.places {
                neighbours = renamed(&neighbours, k, places, self.engine.rows());
            }
            let iteration = self.engine.iteration();
            *kept = Some((Arc::new(HdLists { neighbours, k, iteration }), Instant::now()));
        }
        kept.as_ref().map(|(lists, _)| Arc::clone(lists))
    }
}

/// Lets rows leave, come and change, in that order but for the last two rows, which cannot leave before others come.
fn change_rows(engine: &mut Engine, change: Change) -> Result<(), EngineError> {
    let Change { departed, arrived: (rows, vectors), updated, .. } = change;
    let lives = |engine: &Engine, row: u32| engine.lives(row);
    let replaced: Vec<u32> = rows.iter().copied().filter(|&row| lives(engine, row)).collect();
    let leaving: Vec<u32> = departed.into_iter().chain(replaced).collect();
    if engine.living() < leaving.len() + 2 {
        let free = |at: &usize| !lives(engine, rows[*at]);
        let (first, later): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(free);
        insert_some(engine, &first, &rows, &vectors)?;
        engine.remove(&leaving)?;
        insert_some(engine, &later, &rows, &vectors)?;
    } else {
        engine.remove(&leaving)?;
        engine.insert(&rows, &vectors)?;
    }
    engine.update(&updated.0, &updated.1)
}

fn insert_some(engine: &mut Engine, which: &[usize], rows: &[u32], vectors: &Vectors) -> Result<(), EngineError> {
    let mut some = Vectors::with_capacity(which.len(), vectors.dims());
    which.iter().for_each(|&at| some.push(vectors.row(at)));
    engine.insert(&which.iter().map(|&at| rows[at]).collect::<Vec<_>>(), &some)
}

/// The positions at some places, one after another.
fn gathered(positions: &[f32], stride: usize, places: &[u32]) -> Vec<f32> {
    places.iter().flat_map(|&place| &positions[place as usize * stride..][..stride]).copied().collect()
}

/// Lists of the engine's points as lists of the points at these places.
fn renamed(neighbours: &[u32], k: usize, places: &[u32], of: usize) -> Vec<u32> {
    let mut point_of_place = vec![u32::MAX; of];
    for (point, &place) in (0..).zip(places) {
        point_of_place[place as usize] = point;
    }
    let lists = places.iter().flat_map(|&place| &neighbours[place as usize * k..][..k]);
    lists.map(|&named| point_of_place.get(named as usize).copied().unwrap_or(u32::MAX)).collect()
}

/// How far the engine's threads step back: where cores are few, the interface comes first.
const ENGINE_NICENESS: i32 = 5;
/// How far the watch on the quality steps back, and all else that is done beside the map.
pub const WATCH_NICENESS: i32 = 12;

/// Lets other threads go first. On Linux a priority belongs to a thread; elsewhere the system is left to itself.
pub fn step_back(niceness: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, niceness); // a wish: without it things still work
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

/// Iterations a second, over the last half second or so.
struct Rate {
    since: Instant,
    from: Option<u32>,
    per_second: f32,
}

impl Rate {
    fn new() -> Self {
        Self { since: Instant::now(), from: None, per_second: 0.0 }
    }

    fn count(&mut self, iteration: u32) {
        let from = *self.from.get_or_insert(iteration.saturating_sub(1));
        let elapsed = self.since.elapsed();
        if elapsed >= RATE_WINDOW {
            self.per_second = iteration.saturating_sub(from) as f32 / elapsed.as_secs_f32();
            (self.since, self.from) = (Instant::now(), Some(iteration));
        }
    }
}
