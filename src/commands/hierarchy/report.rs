//! What a hierarchy looks like in figures.

use crate::args::Backend;
use crate::backend::place_name;
use crate::commands::dimensions;
use crate::error::CommandError;
use crate::text;
use dataset::PcaReport;
use hierarchy::{Classes, Hierarchy};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Leaves of at least this share of one class count as pure.
const PURE: f64 = 0.9;
/// Pairs of more classes than this are too many to tell, and so are their names in a text.
const FEW: usize = 12;

#[derive(Debug, Clone, Serialize)]
pub struct HierarchyReport {
    pub rows: usize,
    pub dims: usize,
    pub input_dims: usize,
    pub pca: Option<PcaReport>,
    pub backend: Backend,
    /// The graphics adapter; none on the CPU.
    pub adapter: Option<String>,
    pub iterations: u32,
    /// With the root.
    pub nodes: usize,
    pub edges: usize,
    pub levels: Vec<LevelReport>,
    /// What the classes say; none without a column of them.
    pub labels: Option<LabelReport>,
    pub load_seconds: f64,
    pub grow_seconds: f64,
    pub seconds: f64,
    #[serde(skip)]
    pub wrote: String,
    pub out: PathBuf,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct LevelReport {
    alpha: f32,
    nodes: usize,
    /// Rows in no node.
    noise: usize,
    /// Rows of the largest node.
    largest: usize,
}

impl LevelReport {
    pub fn of_all(hierarchy: &Hierarchy) -> Vec<Self> {
        let report = |(number, level): (usize, &hierarchy::Level)| Self {
            alpha: level.alpha,
            nodes: hierarchy.nodes_at(number).count(),
            noise: level.noise(),
            largest: hierarchy.nodes_at(number).map(hierarchy::Node::size).max().unwrap_or(0),
        };
        hierarchy.levels().iter().enumerate().map(report).collect()
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct LabelReport {
    column: String,
    /// Share of one class from which a leaf is pure.
    pure: f64,
    /// Share of all rows with a class that end in pure leaves of their class.
    in_pure_leaves: f64,
    classes: Vec<ClassReport>,
    /// For each pair the first level at which most rows of the two are in different nodes; none for many classes.
    separation: Option<Vec<Separation>>,
}

#[derive(Debug, Clone, Serialize)]
struct ClassReport {
    class: String,
    rows: usize,
    /// Share of them that end in pure leaves of the class.
    in_pure_leaves: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Separation {
    a: String,
    b: String,
    /// None if they never part.
    level: Option<usize>,
}

impl LabelReport {
    pub fn of(column: &str, classes: &Classes, hierarchy: &Hierarchy) -> Result<Self, CommandError> {
        let leaves = hierarchy.leaves_of_rows(classes)?;
        let names = classes.names();
        let mut counts = vec![(0, 0); names.len()];
        for (row, leaf) in (0..).zip(&leaves) {
            let Some(class) = classes.of_row(row) else { continue };
            let (rows, pure) = &mut counts[class as usize];
            *rows += 1;
            *pure += usize::from(leaf.is_some_and(|leaf| leaf.class == Some(class) && leaf.purity >= PURE));
        }
        let share = |pure: usize, rows: usize| pure as f64 / rows.max(1) as f64;
        let (rows, pure) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let class = |(name, &(rows, pure)): (&String, &(usize, usize))| ClassReport {
            class: name.clone(),
            rows,
            in_pure_leaves: share(pure, rows),
        };
        Ok(Self {
            column: column.to_owned(),
            pure: PURE,
            in_pure_leaves: share(pure, rows),
            classes: names.iter().zip(&counts).map(class).collect(),
            separation: (names.len() <= FEW).then(|| separation(classes, hierarchy)),
        })
    }
}

/// All pairs, each once.
fn separation(classes: &Classes, hierarchy: &Hierarchy) -> Vec<Separation> {
    let names = classes.names();
    let rows: Vec<Vec<u32>> = (0..names.len() as u32).map(|class| classes.rows(class)).collect();
    let pair = |a: usize, b: usize| Separation {
        a: names[a].clone(),
        b: names[b].clone(),
        level: hierarchy.level_of_separation(&rows[a], &rows[b]),
    };
    (1..names.len()).flat_map(|b| (0..b).map(move |a| pair(a, b))).collect()
}

impl fmt::Display for HierarchyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, dims) = (text::counted(self.rows, "row"), text::counted(self.dims, "dimension"));
        writeln!(f, "{rows} in {dims}, from {}", dimensions(self.input_dims, self.pca))?;
        let place = place_name(self.adapter.as_deref());
        writeln!(f, "{} on {place}", text::counted(self.iterations as usize, "iteration"))?;
        let heads = ["level", "alpha", "nodes", "largest", "noise"].map(str::to_owned).to_vec();
        let line = |(number, level): (usize, &LevelReport)| {
            let noise = text::percent(level.noise as f64 / self.rows.max(1) as f64);
            let (nodes, largest) = (text::count(level.nodes), text::count(level.largest));
            vec![number.to_string(), format!("{:.3}", level.alpha), nodes, largest, noise]
        };
        let lines: Vec<_> = std::iter::once(heads).chain(self.levels.iter().enumerate().map(line)).collect();
        f.write_str(&text::columns(&lines))?;
        if let Some(labels) = &self.labels {
            labels.fmt(f)?;
        }
        writeln!(f, "{:.1} s: load {:.1}, grow {:.1}", self.seconds, self.load_seconds, self.grow_seconds)?;
        writeln!(f, "wrote {} to {}", self.wrote, self.out.display())
    }
}

impl fmt::Display for LabelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pure = format!("{:.0} %", 100.0 * self.pure);
        let share = text::percent(self.in_pure_leaves);
        writeln!(f, "{:?}: {share} of the rows end in leaves of their class, pure to {pure} or more", self.column)?;
        let class = |class: &ClassReport| {
            vec![class.class.clone(), text::counted(class.rows, "row"), text::percent(class.in_pure_leaves)]
        };
        f.write_str(&text::columns(&self.classes.iter().take(FEW).map(class).collect::<Vec<_>>()))?;
        if self.classes.len() > FEW {
            writeln!(f, "  and {} more classes", text::count(self.classes.len() - FEW))?;
        }
        let Some(pairs) = self.separation.as_ref().filter(|pairs| !pairs.is_empty()) else { return Ok(()) };
        writeln!(f, "level at which classes part (–: never)")?;
        let cell = |pair: &Separation| pair.level.map_or("–".to_owned(), |level| level.to_string());
        let heads = self.classes.iter().take(self.classes.len() - 1).map(|class| class.class.clone());
        let mut lines = vec![std::iter::once(String::new()).chain(heads).collect::<Vec<_>>()];
        for class in &self.classes[1..] {
            let cells = pairs.iter().filter(|pair| pair.b == class.class).map(cell);
            lines.push(std::iter::once(class.class.clone()).chain(cells).collect());
        }
        f.write_str(&text::columns(&lines))
    }
}
