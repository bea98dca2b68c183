//! Random scores, the same at every run.

use score::{Act, Aim, BACKGROUNDS, Cue, Ease, Route, Score};
use serde_json::{Map, Value};

/// Random numbers of a seed (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number of all its digits.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance().then(|| make(self))
    }

    /// A text with everything that could be misread.
    pub fn text(&mut self) -> String {
        const PARTS: [&str; 14] =
            ["a", " ", "#", " # ", "\"", "\\", "\n", "\r\n", "\t", "for 4", "ease in", "ß·字", "=", "\u{feff}"];
        (0..self.below(6)).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }

    fn name(&mut self) -> String {
        format!("x{}", self.text())
    }

    pub fn aim(&mut self) -> Aim {
        let mut aim = Aim {
            yaw: self.some(|random| random.between(-2000.0, 2000.0)),
            pitch: self.some(|random| random.between(-90.0, 90.0)),
            distance: self.some(|random| random.between(1e-3, 50.0)),
            focus: self.some(|random| [(); 3].map(|()| random.between(-3.0, 3.0))),
        };
        if aim == Aim::default() {
            aim.yaw = Some(0.0);
        }
        aim
    }

    pub fn set(&mut self) -> Act {
        let (name, value) = match self.below(5) {
            0 => ("alpha", self.between(0.01, 1000.0)),
            1 => ("perplexity", self.between(1.0, 300.0)),
            2 => ("attraction", if self.chance() { 0.0 } else { self.between(0.0, 9.0) }),
            3 => ("momentum", self.between(0.0, 0.99)),
            _ => ("dims", self.below(8) as f64 + 1.0),
        };
        Act::Set { name: name.into(), value }
    }

    /// Iterations a frame: as often whole as broken, and few or very many.
    pub fn rate(&mut self) -> f64 {
        let most = [9.0, 1e6][self.below(2)];
        let rate = self.between(0.0, most);
        if self.chance() { rate.round() } else { rate }
    }

    /// The act of that number, of as many as there are names and one more.
    pub fn act(&mut self, which: usize) -> Act {
        match which {
            0 => Act::Camera(self.aim()),
            1 => self.set(),
            2 => Act::Choose { name: "metric".into(), value: ["cosine", "bray-curtis"][self.below(2)].into() },
            3 => Act::ColorBy(self.text()),
            4 => Act::Labels(self.some(Self::name)),
            5 => Act::Caption { text: self.text(), seconds: self.some(|random| random.between(0.1, 5.0)) },
            6 => Act::Note(self.text()),
            7 => Act::Implode,
            8 => Act::Explode,
            9 => Act::Reset,
            10 => Act::Settle(self.next() as u32),
            11 => Act::Iterations(self.rate()),
            12 => Act::Pause,
            13 => Act::Resume,
            14 => Act::Select(self.text()),
            15 => Act::SelectNamed(self.name()),
            16 => Act::Background(BACKGROUNDS[self.below(3)].into()),
            17 => Act::PointSize(self.between(0.1, 30.0) as f32),
            18 => Act::Tour {
                route: match self.below(4) {
                    0 => Route::Principal,
                    1 => Route::Grand,
                    2 => Route::Guided(None),
                    _ => Route::Guided(Some(self.name())),
                },
                speed: self.some(|random| random.between(0.0, 2.0)),
            },
            19 => Act::Axes([self.below(9), 9 + self.below(9), 18 + self.below(9)]),
            _ => Act::Stop,
        }
    }

    /// A score in which everything can happen; many of its cues overlap.
    pub fn score(&mut self, cues: usize) -> Score {
        let mut score = Score {
            data: self.some(Self::name),
            hash: self.some(|random| [(); 4].map(|()| format!("{:016x}", random.next())).concat()),
            start: self.some(Self::name),
            seed: self.some(Self::next),
            iteration: self.some(|random| random.next() as u32),
            auc: self.some(|random| random.between(-1.0, 1.0)),
            fps: self.below(120) as u32 + 1,
            iterations: self.rate(),
            loops: self.chance(),
            ..Score::default()
        };
        if self.chance() {
            let alpha = self.between(0.1, 9.0);
            score.settings = Map::from_iter([("alpha".into(), Value::from(alpha)), ("init".into(), "random".into())]);
        }
        let mut time = 0.0;
        for _ in 0..cues {
            time += if self.chance() { 0.0 } else { self.between(0.0, 2.0) };
            let which = self.below(Act::NAMES.len() + 1);
            let act = self.act(which);
            score.cues.push(if act.can_ease() && self.chance() {
                Cue::over(time, time + self.between(0.1, 4.0), Ease::ALL[self.below(4)], act)
            } else {
                Cue::at(time, act)
            });
        }
        score.length = score.end_of_cues() + if self.chance() { 0.0 } else { self.between(0.0, 3.0) };
        score
    }
}
