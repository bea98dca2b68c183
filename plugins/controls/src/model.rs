//! What the interface shows and what it asks for.

use bevy::ecs::prelude::{Message, Resource};
use bevy::math::Vec3;
use colours::{ColourSettings, Legend};
use explain::Explanation;
use selection::Combine;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the application is asked to do.
#[derive(Message, Debug, Clone, PartialEq)]
pub enum Request {
    /// Open a data file or a state file.
    Open(Vec<PathBuf>),
    /// Open the built-in demo.
    OpenDemo,
    /// Stop opening.
    CancelOpening,
    /// Save the state; without a path, where it was saved last, or beside the data.
    Save(Option<PathBuf>),
    /// Save a picture of the cloud.
    Screenshot {
        /// Where; none chooses a free name.
        path: Option<PathBuf>,
        /// Size, as a multiple of the window's.
        scale: u32,
        /// Without the background.
        transparent: bool,
    },
    /// Write coordinates beside the attributes, as `nevis embed` does.
    Export(PathBuf),
    /// Select the rows that a search finds.
    Search {
        /// What is searched for.
        text: String,
        /// What becomes of what was selected before.
        how: Combine,
    },
    /// Select the rows of a category of the column that colours stand for.
    SelectCategory {
        /// The category.
        name: String,
        /// What becomes of what was selected before.
        how: Combine,
    },
    /// Write the selected rows, with their columns and coordinates.
    ExportSelection(PathBuf),
    /// Write the tables that explain the selection, one file each, named after this one.
    ExportTables(PathBuf),
    /// Embed the selected rows alone, from where they are.
    Dive,
    /// Go back up to a level: 0 is the whole table.
    Rise(usize),
    /// Take in nothing more from the stream, or go on.
    PauseStream,
    /// Find clusters in the embedding, as a column.
    FindClusters,
    /// Grow the hierarchy of the rows that are shown.
    GrowHierarchy,
    /// Give up growing it.
    CancelHierarchy,
    /// Select the rows of a node of it.
    SelectNode {
        /// The node.
        node: u32,
        /// What becomes of what was selected before.
        how: Combine,
    },
    /// Colour the cloud by the nodes of a level; none goes back to what was before.
    ColourByLevel(Option<usize>),
    /// Write it, as `nevis hierarchy` does.
    ExportHierarchy(PathBuf),
    /// Take up the state that was saved before the program ended unexpectedly.
    Restore,
    /// Forget that state.
    Discard,
    /// End the program.
    Quit,
}

/// The interface itself: what is visible. Remembered in the state file.
#[derive(Resource, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Interface {
    /// Panels are there; without them there is only the cloud.
    pub panels: bool,
    /// Size of all text and panels, a factor (0.5 to 3).
    pub zoom: f32,
    /// The list of keys is open.
    #[serde(skip)]
    pub help: bool,
    /// The line for newcomers has not been dismissed.
    pub hint: bool,
    /// Pictures are this many times as large as the window (1 to 4).
    pub screenshot_scale: u32,
    /// Pictures have no background.
    pub screenshot_transparent: bool,
    /// The window is full screen.
    #[serde(skip)]
    pub full_screen: bool,
}

impl Default for Interface {
    fn default() -> Self {
        Self {
            panels: true,
            zoom: 1.0,
            help: false,
            hint: true,
            screenshot_scale: 2,
            screenshot_transparent: false,
            full_screen: false,
        }
    }
}

/// Smallest and largest [`Interface::zoom`].
pub const ZOOM: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// The data that is open, in words.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct DataCard {
    /// Short name of the file; empty without data.
    pub name: String,
    /// Rows in use.
    pub rows: usize,
    /// Dimensions that are compared.
    pub dims: usize,
    /// Dimensions in the file, where PCA left fewer.
    pub input_dims: usize,
    /// Which engine runs, and why: "cpu" or the adapter.
    pub engine: String,
    /// What to know of that, in a sentence.
    pub engine_note: String,
    /// Name of the adapter that draws.
    pub adapter: String,
    /// Where the state was saved last.
    pub saved_to: Option<PathBuf>,
    /// Data is being opened.
    pub loading: Option<Loading>,
    /// A state was left behind by a run that ended unexpectedly.
    pub restorable: Option<String>,
    /// Share of the points that is drawn while the camera moves (1 unless the machine is slow).
    pub drawn_share: f32,
}

/// The stream that feeds the data; without a name there is none.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct StreamCard {
    /// Where rows come from.
    pub name: String,
    /// Rows that have come in all.
    pub arrived: u64,
    /// Rows that come in a second.
    pub rate: f32,
    /// Rows that wait to be taken in.
    pub lag: usize,
    /// Nothing is taken in for now.
    pub paused: bool,
    /// Why what has come is not seen yet.
    pub waiting: Option<String>,
}

/// How far opening a file has got.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// What is being opened.
    pub name: String,
    /// What is being done: "reading", "reducing".
    pub phase: String,
    /// Rows so far.
    pub done: usize,
    /// Rows in all, if that is known.
    pub total: usize,
}

/// Colours: what was chosen, and what came of it.
#[derive(Resource, Debug, Clone, Default)]
pub struct ColourPanel {
    /// What was chosen; the application paints whatever stands here.
    pub settings: ColourSettings,
    /// Columns one can colour by.
    pub columns: Vec<String>,
    /// Columns whose values can stand as labels.
    pub categorical: Vec<String>,
    /// The legend of the present colours.
    pub legend: Option<Legend>,
    /// How many rows of each category are selected, in the order of the legend; empty without a selection.
    pub selected: Vec<usize>,
    /// Why the points are not coloured as asked, or not yet.
    pub note: Option<String>,
}

/// Names at the middle of their points.
#[derive(Resource, Debug, Clone, Default)]
pub struct CentroidLabels(pub Vec<CentroidLabel>);

/// A name, where it stands, and of how many points.
#[derive(Debug, Clone, PartialEq)]
pub struct CentroidLabel {
    /// The name.
    pub name: String,
    /// The middle of its points, in the world.
    pub place: Vec3,
    /// Its points.
    pub count: usize,
}

/// A small picture of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowImage {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// `[height][width][4]` bytes, sRGB and alpha.
    pub rgba: Arc<Vec<u8>>,
}

/// A row in words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowCard {
    /// The row, as the table numbers it.
    pub row: u32,
    /// Its number in the file.
    pub file_row: u32,
    /// What tells it from others at a glance: its label, or its colour's value.
    pub title: String,
    /// Its picture, if rows have pictures.
    pub image: Option<RowImage>,
}

/// The row that is looked at, in words; filled by the application, which has the table.
#[derive(Resource, Debug, Clone, Default)]
pub struct InspectorCard {
    /// The row.
    pub shown: Option<RowCard>,
    /// Its values, by column.
    pub values: Vec<(String, String)>,
    /// Its neighbours, in the order of [`inspect::Inspected::neighbours`].
    pub neighbours: Vec<RowCard>,
    /// The row under the cursor.
    pub hovered: Option<RowCard>,
}

/// What is known of the selection; filled by the application, which has the table.
#[derive(Resource, Debug, Clone, Default)]
pub struct SelectionCard {
    /// What stands in the search field.
    pub search: String,
    /// The field shall have the keys.
    pub focus_search: bool,
    /// Why the last search found nothing, or could not be understood.
    pub search_note: Option<String>,
    /// What stands in the field for a name.
    pub name: String,
    /// Names of the levels above this one, from the whole table down.
    pub levels: Vec<String>,
    /// What makes the selection differ, once it is known.
    pub explanation: Option<Arc<Explained>>,
    /// It is being computed.
    pub explaining: bool,
    /// The column of compositions that is shown; the most telling one by itself.
    pub composition: Option<String>,
    /// Clusters are being found.
    pub finding_clusters: bool,
}

/// An explanation, and pictures of what it is about.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The figures.
    pub explanation: Explanation,
    /// What it was compared with.
    pub against: String,
    /// Means of both sides, then rows in their middle, where rows have pictures.
    pub images: [Option<RowImage>; 4],
    /// The rows in the middle of both sides, by their numbers in the file.
    pub medoids: [u32; 2],
}

/// How loud a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announce {
    /// Something was done.
    Done,
    /// Something could not be done; what, where and what would help.
    Failed,
}

/// A line that stands over the cloud for a while.
#[derive(Debug, Clone)]
pub struct Notice {
    /// How loud.
    pub kind: Announce,
    /// What.
    pub text: String,
    /// Gone by then; an error stays until it is clicked away.
    pub until: Option<Instant>,
}

/// Lines that stand over the cloud for a while.
#[derive(Resource, Debug, Clone, Default)]
pub struct Notices(pub Vec<Notice>);

/// How long good news stay.
const GOOD_NEWS: Duration = Duration::from_secs(6);
/// Most notices at a time.
const MOST_NOTICES: usize = 4;

impl Notices {
    /// Says that something was done.
    pub fn done(&mut self, text: impl Into<String>) {
        self.push(Announce::Done, text.into(), Some(Instant::now() + GOOD_NEWS));
    }

    /// Says that something failed; stays until it is clicked away.
    pub fn failed(&mut self, text: impl Into<String>) {
        self.push(Announce::Failed, text.into(), None);
    }

    fn push(&mut self, kind: Announce, text: String, until: Option<Instant>) {
        self.0.retain(|notice| notice.text != text);
        if self.0.len() == MOST_NOTICES {
            self.0.remove(0);
        }
        self.0.push(Notice { kind, text, until });
    }
}
