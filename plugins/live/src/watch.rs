//! Watches the quality of a running embedding, on a thread in the background: measures a snapshot, rests, measures the
//! next, so that it never takes more than a small share of the machine.

use crate::snapshot::{LiveData, Snapshot};
use crate::worker::{WATCH_NICENESS, step_back};
use bevy::ecs::prelude::Resource;
use quality::{
    DistanceTrust, LiveCurve, LiveOptions, LiveQuality, TRUST_NEIGHBOURS, TRUST_REFERENCES, TRUST_SEED, Trust,
    TrustKind, embedding_neighbours,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vectors::{Metric, Space};

/// A measure is followed by so many times its own length of rest …
const REST: u32 = 8;
/// … but at least this much.
const SHORTEST_REST: Duration = Duration::from_millis(400);

/// A curve and when it was measured.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Iteration of the snapshot.
    pub iteration: u32,
    /// What distances in the data were measured by.
    pub metric: Metric,
    /// R_NX(K) and its area.
    pub curve: LiveCurve,
}

/// The trust in every point, and when it was measured.
#[derive(Debug, Clone)]
pub struct TrustMeasured {
    /// Which of the two.
    pub kind: TrustKind,
    /// Iteration of the snapshot.
    pub iteration: u32,
    /// One value for each point.
    pub values: Arc<Vec<f32>>,
}

#[derive(Debug)]
struct Request {
    snapshot: Arc<Snapshot>,
    trust: Option<TrustKind>,
    generation: u64,
}

#[derive(Debug)]
struct Outcome {
    data: Arc<LiveData>,
    curve: Option<Measured>,
    trust: Option<TrustMeasured>,
    took: Duration,
    generation: u64,
}

/// The quality of the running embedding, as far as it is known.
#[derive(Resource, Debug)]
pub struct QualityWatch {
    /// Whether to measure at all.
    pub enabled: bool,
    /// Which trust shall be measured beside the curve, if any.
    pub wanted_trust: Option<TrustKind>,
    curve: Option<Measured>,
    trust: Option<TrustMeasured>,
    history: Vec<(u32, f64)>,
    requests: Sender<Request>,
    outcomes: Mutex<Receiver<Outcome>>,
    busy: bool,
    rest_until: Instant,
    of: Option<Arc<LiveData>>,
    generation: Arc<AtomicU64>,
}

/// Values of the AUC that are remembered.
const HISTORY: usize = 240;

impl Default for QualityWatch {
    fn default() -> Self {
        let (requests, inbox) = channel();
        let (outbox, outcomes) = channel();
        let generation = Arc::new(AtomicU64::new(0));
        let current = Arc::clone(&generation);
        // Without a thread there is no quality to be seen, and nothing else is lost.
        let _ = std::thread::Builder::new().name("quality".to_owned()).spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).start_handler(|_| step_back(WATCH_NICENESS));
            let Ok(pool) = pool.build() else { return };
            pool.install(move || watch(inbox, &outbox, &current));
        });
        Self {
            enabled: true,
            wanted_trust: None,
            curve: None,
            trust: None,
            history: Vec::new(),
            requests,
            outcomes: Mutex::new(outcomes),
            busy: false,
            rest_until: Instant::now(),
            of: None,
            generation,
        }
    }
}

impl QualityWatch {
    /// The latest curve.
    #[must_use]
    pub fn curve(&self) -> Option<&Measured> {
        self.curve.as_ref()
    }

    /// The latest trust of the wanted kind.
    #[must_use]
    pub fn trust(&self) -> Option<&TrustMeasured> {
        self.trust.as_ref().filter(|trust| Some(trust.kind) == self.wanted_trust)
    }

    /// (iteration, AUC) of the measures so far, oldest first.
    #[must_use]
    pub fn history(&self) -> &[(u32, f64)] {
        &self.history
    }

    /// Once a frame: takes in what was measured, and sends the next snapshot when the thread has rested. True if there
    /// is a new measure.
    pub fn poll(&mut self, snapshot: Option<&Arc<Snapshot>>) -> bool {
        let Some(snapshot) = snapshot else { return false }; // nothing to measure
        let same = self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &snapshot.data));
        if !same {
            self.of = Some(Arc::clone(&snapshot.data));
            self.trust = None; // of other points
        }
        // Rows that come and go leave the map what it is: what is measured of it counts, however fast they do.
        if !same && snapshot.data.version == 0 {
            self.generation.fetch_add(1, Ordering::AcqRel);
            (self.curve, self.busy) = (None, false);
            self.history.clear();
        }
        let generation = self.generation.load(Ordering::Acquire);
        let mut heard = false;
        while let Ok(outcome) = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).try_recv() {
            if outcome.generation != generation {
                continue; // of data that is gone
            }
            self.busy = false;
            self.rest_until = Instant::now() + (outcome.took * REST).max(SHORTEST_REST);
            if let Some(curve) = outcome.curve {
                if self.history.len() == HISTORY {
                    self.history.remove(0);
                }
                self.history.push((curve.iteration, curve.curve.auc));
                self.curve = Some(curve);
                heard = true;
            }
            if outcome.trust.is_some() && Arc::ptr_eq(&outcome.data, &snapshot.data) {
                self.trust = outcome.trust;
                heard = true;
            }
        }
        let trust_is_late = self.wanted_trust.is_some() && self.trust().is_none();
        let now = (snapshot.statistics.iteration, snapshot.settings.metric);
        let is_news = self.curve.as_ref().is_none_or(|curve| (curve.iteration, curve.metric) != now);
        let rested = Instant::now() >= self.rest_until;
        let at_once = trust_is_late && snapshot.data.version == 0; // who lives changes before it is known
        if self.enabled && !self.busy && (at_once || ((is_news || trust_is_late) && rested)) {
            self.busy = true;
            let request = Request { snapshot: Arc::clone(snapshot), trust: self.wanted_trust, generation };
            let _ = self.requests.send(request); // a thread that is gone measures nothing
        }
        heard
    }
}

/// What depends on the data and the metric only.
struct Known {
    data: Arc<LiveData>,
    metric: Metric,
    live: Option<LiveQuality>,
    distances: Option<DistanceTrust>,
}

/// The life of the thread.
fn watch(inbox: Receiver<Request>, outbox: &Sender<Outcome>, current: &AtomicU64) {
    let mut known: Option<Known> = None;
    for request in inbox {
        let begun = Instant::now();
        let cancelled = || current.load(Ordering::Acquire) != request.generation;
        let (curve, trust) = measure(&request, &mut known, &cancelled);
        let data = Arc::clone(&request.snapshot.data);
        let outcome = Outcome { data, curve, trust, took: begun.elapsed(), generation: request.generation };
        if outbox.send(outcome).is_err() {
            return;
        }
    }
}

fn measure(
    request: &Request,
    known: &mut Option<Known>,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> (Option<Measured>, Option<TrustMeasured>) {
    let snapshot = &request.snapshot;
    let (data, metric) = (&snapshot.data, snapshot.settings.metric);
    if data.points() < 3 || cancelled() {
        return (None, None);
    }
    let same = |known: &Known| Arc::ptr_eq(&known.data, data) && known.metric == metric;
    if !known.as_ref().is_some_and(same) {
        *known = Some(Known { data: Arc::clone(data), metric, live: None, distances: None });
    }
    let Some(known) = known else { return (None, None) };
    let space = || {
        let mut space: Space = data.space.clone();
        space.set_metric(metric);
        space
    };
    if known.live.is_none() {
        known.live = LiveQuality::new(&space(), &LiveOptions { seed: TRUST_SEED, ..LiveOptions::default() }, cancelled);
    }
    let (positions, dims, stride) = (snapshot.positions.as_slice(), snapshot.dims, snapshot.stride);
    let iteration = snapshot.statistics.iteration;
    let curve =
        known.live.as_ref().map(|live| Measured { iteration, metric, curve: live.measure(positions, dims, stride) });
    let values = match request.trust {
        None => None,
        Some(TrustKind::NeighbourhoodKept) => snapshot.lists.as_ref().map(|lists| {
            let k = TRUST_NEIGHBOURS.min(lists.k);
            let near = embedding_neighbours(positions, data.points(), dims, stride, k);
            Trust::neighbourhood_kept(&lists.neighbours, lists.k, &near, k)
        }),
        Some(TrustKind::DistanceCorrelation) => {
            if known.distances.is_none() {
                known.distances = DistanceTrust::new(&space(), TRUST_REFERENCES, TRUST_SEED, cancelled);
            }
            known.distances.as_ref().map(|distances| distances.measure(positions, dims, stride))
        }
    };
    let trust = request.trust.zip(values);
    (curve, trust.map(|(kind, values)| TrustMeasured { kind, iteration, values: Arc::new(values) }))
}
