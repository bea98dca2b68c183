//! Grows the hierarchy of a real data set and prints how it agrees with a column of labels.
//!
//! ```text
//! cargo run --release -p hierarchy --example real -- FILE COLUMN [SEED] [OPTIONS.json|-] [OUT]
//! ```
//!
//! `OPTIONS.json` holds [`HierarchyOptions`], `-` means the defaults; with `OUT` the graph is written to `OUT.json` and
//! `OUT.graphml`.

use dataset::LoadOptions;
use dataset::arrow::array::AsArray;
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::DataType;
use dataset::arrow::record_batch::RecordBatch;
use embedding::{Engine, Settings};
use hierarchy::{Classes, Extras, Hierarchy, HierarchyOptions, Layout, Progress, grow, to_graphml, to_json};
use std::error::Error;
use std::time::Instant;

/// Dimensions of the embedding.
const DIMS: usize = 4;
/// Leaves of at least this purity count as pure.
const PURE: f64 = 0.9;
/// Pairs of more classes than this are not printed.
const FEW: usize = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, column, ..] = arguments.as_slice() else {
        return Err("usage: real FILE COLUMN [SEED] [OPTIONS] [OUT]".into());
    };
    let seed = arguments.get(2).map_or(Ok(42), |seed| seed.parse())?;
    let options: HierarchyOptions = match arguments.get(3).map(String::as_str) {
        None | Some("-") => HierarchyOptions::default(),
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
    };
    let data = dataset::load(&[file.into()], &LoadOptions::default(), &|_| {})?;
    let classes = classes(&data.attributes, column)?;
    let settings = Settings { dims: DIMS, seed, ..Settings::for_rows(data.vectors.rows()) };
    let mut engine = Engine::new(data.vectors, settings)?;
    let begun = Instant::now();
    let mut report = |progress: Progress<'_>| {
        if progress.positions.is_some() {
            let Progress { iteration, iterations, alpha, .. } = progress;
            eprintln!(
                "{:.0} s: {iteration} of {iterations} iterations, alpha {alpha:.3}",
                begun.elapsed().as_secs_f64()
            );
        }
    };
    let hierarchy = grow(&mut engine, &options, &mut report, &|| false)?;
    print_levels(&hierarchy, &classes);
    print_leaves(&hierarchy, &classes)?;
    print_separation(&hierarchy, &classes);
    if let Some(out) = arguments.get(4) {
        let layout = Layout::new(&hierarchy);
        let extras = Extras { classes: Some(&classes), layout: Some(&layout), members: false };
        std::fs::write(format!("{out}.json"), to_json(&hierarchy, &extras)?)?;
        std::fs::write(format!("{out}.graphml"), to_graphml(&hierarchy, &extras)?)?;
    }
    Ok(())
}

fn classes(attributes: &RecordBatch, column: &str) -> Result<Classes, Box<dyn Error>> {
    let array = attributes.column_by_name(column).ok_or_else(|| format!("there is no column {column:?}"))?;
    let text = cast(array, &DataType::Utf8)?;
    let labels: Vec<Option<&str>> = text.as_string::<i32>().iter().collect();
    let mut names: Vec<String> = labels.iter().flatten().map(|&label| label.to_owned()).collect();
    names.sort_unstable();
    names.dedup();
    let place = |label: &str| names.binary_search_by(|name| name.as_str().cmp(label)).ok().map(|place| place as u32);
    let of_row = labels.into_iter().map(|label| label.and_then(place)).collect();
    Ok(Classes::new(of_row, names)?)
}

fn print_levels(hierarchy: &Hierarchy, classes: &Classes) {
    println!("level  alpha  radius  nodes  noise  rows in nodes of purity >= {PURE}");
    for (number, level) in hierarchy.levels().iter().enumerate() {
        let pure: usize =
            hierarchy.nodes_at(number).filter(|node| classes.purity(node) >= PURE).map(|node| node.size()).sum();
        let share = |rows: usize| 100.0 * rows as f64 / hierarchy.rows() as f64;
        let (nodes, noise) = (hierarchy.nodes_at(number).count(), share(level.noise()));
        println!("{number:5} {:6.3} {:7.2} {nodes:6} {noise:5.1}% {:5.1}%", level.alpha, level.radius, share(pure));
    }
    println!("edges {}, cut {}, nodes {}", hierarchy.edges().len(), hierarchy.cut_edges(), hierarchy.nodes().len());
    println!("nodes of the first level:");
    for node in hierarchy.nodes_at(0) {
        let labels =
            classes.labels(node).iter().map(|label| format!("{} {}", label.label, label.rows)).collect::<Vec<_>>();
        println!(
            "  {:6} rows, purity {:.3}: {}",
            node.size(),
            classes.purity(node),
            labels[..labels.len().min(6)].join(", ")
        );
    }
}

fn print_leaves(hierarchy: &Hierarchy, classes: &Classes) -> Result<(), Box<dyn Error>> {
    println!("share of each class in its own leaves of purity >= {PURE}:");
    for (class, name) in (0..).zip(classes.names()).take(FEW) {
        println!("  {name}: {:.1}%", 100.0 * hierarchy.pure_share(classes, class, PURE)?);
    }
    Ok(())
}

fn print_separation(hierarchy: &Hierarchy, classes: &Classes) {
    if classes.names().len() > FEW {
        return;
    }
    let rows: Vec<Vec<u32>> = (0..classes.names().len() as u32).map(|class| classes.rows(class)).collect();
    println!("level at which classes part ('-': never):");
    for (number, name) in classes.names().iter().enumerate() {
        let level = |other: usize| hierarchy.level_of_separation(&rows[number], &rows[other]);
        let levels = (0..number).map(|other| level(other).map_or("-".to_owned(), |level| level.to_string()));
        println!("  {name}: {}", levels.collect::<Vec<_>>().join(" "));
    }
}
