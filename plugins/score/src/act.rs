//! What a cue is: when, how, and what happens.

use crate::Ease;

/// What can lie behind the points.
pub const BACKGROUNDS: [&str; 3] = ["dark", "light", "black"];

/// Something that happens at a time, or over a range of it.
///
/// Two cues are equal if the same happens at the same time, whatever the lines they were read from.
#[derive(Debug, Clone)]
pub struct Cue {
    /// When it begins (seconds).
    pub from: f64,
    /// When it is done (seconds); the same as `from` for what happens at once.
    pub to: f64,
    /// How it goes from `from` to `to`; [`Ease::Smooth`] for what happens at once.
    pub ease: Ease,
    /// What happens.
    pub act: Act,
    /// The line of the file it was read from, from 1; 0 where it came from no file.
    pub line: usize,
}

impl PartialEq for Cue {
    fn eq(&self, other: &Self) -> bool {
        (self.from, self.to, self.ease, &self.act) == (other.from, other.to, other.ease, &other.act)
    }
}

impl Cue {
    /// Something that happens at once.
    #[must_use]
    pub fn at(time: f64, act: Act) -> Self {
        Self { from: time, to: time, ease: Ease::Smooth, act, line: 0 }
    }

    /// Something that takes its time.
    #[must_use]
    pub fn over(from: f64, to: f64, ease: Ease, act: Act) -> Self {
        Self { from, to, ease, act, line: 0 }
    }

    /// True if it takes no time.
    #[must_use]
    pub fn is_at_once(&self) -> bool {
        self.from == self.to
    }

    /// When nothing more comes of it: its end, or that of its caption.
    #[must_use]
    pub fn end(&self) -> f64 {
        match &self.act {
            Act::Caption { seconds: Some(seconds), .. } => self.to + seconds,
            _ => self.to,
        }
    }
}

/// What can happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The view goes elsewhere.
    Camera(Aim),
    /// A setting of the embedding that is a number gets another value.
    Set {
        /// Its name, as in [`embedding::Settings`].
        name: String,
        /// What it becomes; a whole number for settings that are.
        value: f64,
    },
    /// A setting of the embedding that is a word gets another one.
    Choose {
        /// Its name, as in [`embedding::Settings`].
        name: String,
        /// What it becomes.
        value: String,
    },
    /// Points are coloured by a column, or as the flag `--color-by` has it.
    ColorBy(String),
    /// Texts of a column, or none.
    Labels(Option<String>),
    /// Words on the picture; empty ones end those before.
    Caption {
        /// The words.
        text: String,
        /// How long they are shown (seconds); `None` until the next caption.
        seconds: Option<f64>,
    },
    /// Words for the presenter alone; empty ones end those before.
    Note(String),
    /// All points fall together.
    Implode,
    /// All points fly apart.
    Explode,
    /// The embedding begins again.
    Reset,
    /// So many iterations with a falling step, before the next frame.
    Settle(u32),
    /// So many iterations a frame from here on (0 to [`MAX_ITERATIONS`](crate::MAX_ITERATIONS), also broken ones); 0
    /// freezes.
    Iterations(f64),
    /// No iterations until [`Act::Resume`].
    Pause,
    /// Iterations go on.
    Resume,
    /// Rows are selected by a search; an empty one lets go.
    Select(String),
    /// A selection that was given a name is selected.
    SelectNamed(String),
    /// What lies behind the points: one of [`BACKGROUNDS`].
    Background(String),
    /// The size of a point (pixels).
    PointSize(f32),
    /// More than three dimensions are seen along a tour; without a speed at the one before (radians a second).
    Tour {
        /// Where it goes.
        route: Route,
        /// How fast (radians a second, 0 to [`MAX_TOUR_SPEED`]); 0 stands still.
        speed: Option<f64>,
    },
    /// Three of the dimensions, counted from 0, are x, y and z.
    Axes([usize; 3]),
    /// A presentation waits here for a key.
    Stop,
}

/// The fastest tour (radians a second): beyond it nobody can follow.
pub const MAX_TOUR_SPEED: f64 = 2.0;
/// Dimensions that can be named as axes.
pub const MAX_AXES: usize = 64;

/// Where a tour goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// Nowhere: the widest directions are seen, as without a tour.
    Principal,
    /// Everywhere.
    Grand,
    /// To where the classes of a column come apart, or without one what is selected and what is not.
    Guided(Option<String>),
}

impl Act {
    /// The words that cues begin with.
    pub const NAMES: [&str; 20] = [
        "camera",
        "set",
        "color-by",
        "labels",
        "caption",
        "note",
        "implode",
        "explode",
        "reset",
        "settle",
        "iterations",
        "pause",
        "resume",
        "select",
        "select-named",
        "background",
        "point-size",
        "tour",
        "axes",
        "stop",
    ];

    /// The word it begins with in a file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Camera(_) => "camera",
            Self::Set { .. } | Self::Choose { .. } => "set",
            Self::ColorBy(_) => "color-by",
            Self::Labels(_) => "labels",
            Self::Caption { .. } => "caption",
            Self::Note(_) => "note",
            Self::Implode => "implode",
            Self::Explode => "explode",
            Self::Reset => "reset",
            Self::Settle(_) => "settle",
            Self::Iterations(_) => "iterations",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Select(_) => "select",
            Self::SelectNamed(_) => "select-named",
            Self::Background(_) => "background",
            Self::PointSize(_) => "point-size",
            Self::Tour { .. } => "tour",
            Self::Axes(_) => "axes",
            Self::Stop => "stop",
        }
    }

    /// True for what can take its time.
    #[must_use]
    pub fn can_ease(&self) -> bool {
        matches!(self, Self::Camera(_) | Self::Set { .. })
    }
}

/// Where a view goes; what is not named goes on undisturbed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Aim {
    /// Angle around the vertical axis (degrees); more than a turn is more than a turn.
    pub yaw: Option<f64>,
    /// Angle above the horizon (degrees, −90 to 90).
    pub pitch: Option<f64>,
    /// How far away the eye is (cloud radii, more than 0).
    pub distance: Option<f64>,
    /// What is looked at: the offset from the cloud's centre (cloud radii).
    pub focus: Option<[f64; 3]>,
}
