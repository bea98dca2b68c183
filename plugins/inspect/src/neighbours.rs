//! The rows nearest to one row: exact, in the data on a thread, in the embedding at once.

use live::LiveData;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use vectors::{Metric, Space};

/// What is asked: the nearest of a point in the data.
#[derive(Debug, Clone)]
pub struct Question {
    pub data: Arc<LiveData>,
    pub metric: Metric,
    pub point: u32,
    pub k: usize,
}

impl Question {
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
            && (self.metric, self.point, self.k) == (other.metric, other.point, other.k)
    }
}

/// The nearest of a point in the data.
#[derive(Debug)]
pub struct Found {
    pub question: Question,
    /// Points and their distances, nearest first.
    pub nearest: Vec<(u32, f32)>,
    /// The data as the metric sees it, for further distances.
    pub space: Arc<Space>,
}

/// A thread that searches; the latest question is the one that counts.
#[derive(Debug)]
pub struct Searcher {
    questions: Sender<Question>,
    answers: Mutex<Receiver<Found>>,
}

impl Default for Searcher {
    fn default() -> Self {
        let (questions, inbox) = channel();
        let (outbox, answers) = channel();
        // Without a thread nothing is found, and nothing else is lost.
        let _ = std::thread::Builder::new().name("neighbours".to_owned()).spawn(move || search(&inbox, &outbox));
        Self { questions, answers: Mutex::new(answers) }
    }
}

impl Searcher {
    pub fn ask(&self, question: Question) {
        let _ = self.questions.send(question); // a thread that is gone finds nothing
    }

    pub fn heard(&self) -> Option<Found> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).try_iter().last()
    }
}

fn search(inbox: &Receiver<Question>, outbox: &Sender<Found>) {
    let mut known: Option<(Arc<LiveData>, Arc<Space>)> = None;
    while let Ok(mut question) = inbox.recv() {
        while let Ok(later) = inbox.try_recv() {
            question = later; // nobody waits for the others any more
        }
        let fits = |(data, space): &&(Arc<LiveData>, Arc<Space>)| {
            Arc::ptr_eq(data, &question.data) && space.metric() == question.metric
        };
        let space = match known.as_ref().filter(fits) {
            Some((_, space)) => Arc::clone(space),
            None => {
                let mut space = question.data.space.clone();
                space.set_metric(question.metric);
                let space = Arc::new(space);
                known = Some((Arc::clone(&question.data), Arc::clone(&space)));
                space
            }
        };
        let point = question.point as usize;
        let distances = (0..space.rows()).map(|other| space.squared_distance(point, other));
        let nearest = nearest_of(distances, point, question.k);
        if outbox.send(Found { question, nearest, space }).is_err() {
            return;
        }
    }
}

/// The k nearest points by squared distances in order, one of them left out; distances come out, nearest first.
fn nearest_of(squared: impl Iterator<Item = f32>, except: usize, k: usize) -> Vec<(u32, f32)> {
    let mut kept: Vec<(f32, u32)> = Vec::with_capacity(2 * k + 1);
    let mut farthest = f32::INFINITY;
    let by_distance = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    for (other, distance) in squared.enumerate() {
        if other == except || distance.is_nan() || distance > farthest {
            continue;
        }
        kept.push((distance, other as u32));
        if kept.len() > 2 * k {
            kept.select_nth_unstable_by(k, by_distance);
            kept.truncate(k);
            farthest = kept.iter().fold(0.0, |most, (distance, _)| distance.max(most));
        }
    }
    kept.sort_unstable_by(by_distance);
    kept.into_iter().take(k).map(|(distance, point)| (point, distance.sqrt())).collect()
}

/// The k nearest points in the embedding, with their distances.
pub fn nearest_in_embedding(positions: &[f32], dims: usize, stride: usize, point: u32, k: usize) -> Vec<(u32, f32)> {
    let of = |at: usize| &positions[at * stride..][..dims];
    let here = of(point as usize);
    let points = positions.len() / stride;
    let squared = (0..points).map(|other| of(other).iter().zip(here).map(|(a, b)| (a - b) * (a - b)).sum());
    nearest_of(squared, point as usize, k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::Vectors;

    fn noise(seed: usize) -> f32 {
        let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)) % 10_007) as f32 / 10_007.0
    }

    #[test]
    fn the_nearest_are_those_of_a_full_sort() {
        let (points, dims, stride) = (500, 3, 4);
        let positions: Vec<f32> = (0..points * stride).map(noise).collect();
        let of = |at: usize| &positions[at * stride..][..dims];
        for point in [0, 77, 499] {
            let mut all: Vec<(f32, u32)> = (0..points as u32)
                .filter(|&other| other != point)
                .map(|other| {
                    let squared: f32 =
                        of(other as usize).iter().zip(of(point as usize)).map(|(a, b)| (a - b).powi(2)).sum();
                    (squared.sqrt(), other)
                })
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let found = nearest_in_embedding(&positions, dims, stride, point, 20);
            assert!(found.iter().map(|found| found.0).eq(all.iter().take(20).map(|near| near.1)));
        }
    }

    #[test]
    fn the_thread_answers_the_latest_question_in_the_metric_asked_for() {
        let values: Vec<f32> = (0..300 * 5).map(|at| noise(at) - 0.5).collect();
        let space = Space::new(Vectors::from_rows(&values, 5), Metric::Euclidean);
        let data = Arc::new(LiveData::new(space, (0..300).collect(), None));
        let searcher = Searcher::default();
        for metric in [Metric::Euclidean, Metric::Cosine] {
            let question = Question { data: Arc::clone(&data), metric, point: 7, k: 10 };
            searcher.ask(question.clone());
            let found = loop {
                match searcher.heard() {
                    Some(found) => break found,
                    None => std::thread::sleep(std::time::Duration::from_millis(1)),
                }
            };
            assert!(found.question.is_same(&question) && found.space.metric() == metric);
            let nearest = |other: usize| found.space.squared_distance(7, other);
            let closer = (0..300).filter(|&other| other != 7 && nearest(other) < nearest(found.nearest[9].0 as usize));
            assert_eq!((found.nearest.len(), closer.count()), (10, 9));
        }
    }
}
