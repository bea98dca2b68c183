//! The hierarchy beside the cloud.

use super::viewer::*;
use controls::HierarchyCard;
use dataset::arrow::array::AsArray;
use dataset::arrow::datatypes::Int32Type;

fn grow(viewer: &mut Viewer) -> Arc<controls::Grown> {
    viewer.ask(Request::GrowHierarchy);
    viewer.until("a hierarchy", |viewer| {
        let card = viewer.get::<HierarchyCard>();
        card.grown.is_some() && card.growing.is_none()
    });
    viewer.frames(2);
    viewer.get::<HierarchyCard>().grown.clone().unwrap()
}

fn selected(viewer: &Viewer) -> Vec<u32> {
    viewer.get::<Selection>().rows().iter().collect()
}

#[test]
fn nodes_select_their_rows_and_selections_ring_their_nodes() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.colour_by(ColourBy::Column("label".into()));
    let before = viewer.iteration();
    viewer.ask(Request::GrowHierarchy);
    viewer.frames(SOON);
    assert!(viewer.get::<HierarchyCard>().growing.is_some(), "it is told how far it is");
    let grown = grow(&mut viewer);
    assert!(viewer.iteration() > before, "the map goes on meanwhile");
    assert_eq!(grown.hierarchy.rows(), ROWS);
    assert!(grown.hierarchy.nodes().len() > 5, "five blobs: {}", grown.hierarchy.nodes().len());

    let node = grown.hierarchy.nodes_at(0).next().unwrap();
    viewer.ask(Request::SelectNode { node: node.id, how: Combine::Replace });
    viewer.frames(SOON);
    assert_eq!(selected(&viewer), node.rows, "exactly the rows of the node");
    let shares = viewer.get::<HierarchyCard>().shares.clone();
    for other in grown.hierarchy.nodes() {
        let both = other.rows.iter().filter(|row| node.rows.contains(row)).count();
        assert_eq!(shares[other.id as usize], both as f32 / other.size() as f32, "node {}", other.id);
    }
    assert_eq!(shares[node.id as usize], 1.0);
    // Classes are those of the column that colours stand for, in its colours.
    let card = viewer.get::<HierarchyCard>();
    let Legend::Categories(legend) = viewer.legend() else { panic!("no legend") };
    for other in grown.hierarchy.nodes() {
        let slices = &card.compositions[other.id as usize];
        assert_eq!(slices.iter().map(|slice| slice.rows).sum::<usize>(), other.size());
        for slice in slices {
            assert!(legend.iter().any(|row| row.name == slice.name && row.colour == slice.colour), "{slice:?}");
            let blob = |row: &&u32| format!("blob {}", **row % 5) == slice.name;
            assert_eq!(slice.rows, other.rows.iter().filter(blob).count());
        }
    }

    viewer.ask(Request::SelectNode { node: node.id, how: Combine::Subtract });
    viewer.frames(SOON);
    assert!(selected(&viewer).is_empty() && viewer.get::<HierarchyCard>().shares.is_empty());
}

#[test]
fn levels_colour_the_cloud_and_the_graph_goes_into_files() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.colour_by(ColourBy::Column("label".into()));
    let grown = grow(&mut viewer);
    viewer.ask(Request::ColourByLevel(Some(1)));
    viewer
        .until("the colours", |viewer| viewer.get::<ColourPanel>().settings.by == ColourBy::Column("hierarchy".into()));
    viewer.frames(SOON);
    let Legend::Categories(legend) = viewer.legend() else { panic!("no legend") };
    let nodes: Vec<_> = grown.hierarchy.nodes_at(1).map(|node| (node.id.to_string(), node.size())).collect();
    let told: Vec<_> = legend.iter().map(|row| (row.name.clone(), row.count)).collect();
    assert_eq!(told, nodes);
    assert!(
        viewer
            .get::<HierarchyCard>()
            .compositions
            .iter()
            .all(|slices| slices.iter().all(|slice| slice.name.starts_with("blob")))
    );
    viewer.ask(Request::ColourByLevel(None));
    viewer.frames(SOON);
    assert_eq!(viewer.get::<ColourPanel>().settings.by, ColourBy::Column("label".into()));

    for name in ["g.json", "g.graphml", "g.parquet"] {
        viewer.ask(Request::ExportHierarchy(dir.path().join(name)));
        viewer.until("a file", |_| dir.path().join(name).exists());
    }
    viewer.until("the end of writing", |viewer| !viewer.get::<Writing>().is_under_way());
    let graph: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.path().join("g.json")).unwrap()).unwrap();
    assert_eq!(graph["nodes"].as_array().unwrap().len(), grown.hierarchy.nodes().len());
    assert_eq!(graph["nodes"][0]["labels"].as_array().unwrap().len(), 5);
    let table = read(&dir.path().join("g.parquet"), &["number"]);
    let column = table.attributes.column_by_name("level_0").unwrap().as_primitive::<Int32Type>();
    let node = |row: u32| grown.hierarchy.node_of(row, 0).map(|node| node as i32);
    assert!(column.iter().eq((0..ROWS as u32).map(node)));
}

#[test]
fn a_hierarchy_can_be_given_up_and_goes_with_its_rows() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.ask(Request::GrowHierarchy);
    viewer.frames(2);
    viewer.ask(Request::CancelHierarchy);
    viewer.frames(2);
    assert!(viewer.get::<HierarchyCard>().is_blank());
    grow(&mut viewer);
    let rows = Rows::from_rows(ROWS, 0..100);
    viewer.get_mut::<Selection>().set(Arc::new(rows));
    viewer.ask(Request::Dive);
    viewer.until("the part", |viewer| {
        viewer.get::<LiveEmbedding>().activity() != Activity::Starting && viewer.snapshot().data.points() == 100
    });
    viewer.frames(2);
    assert!(viewer.get::<HierarchyCard>().is_blank(), "it was of other rows");
    let grown = grow(&mut viewer);
    assert_eq!((grown.rows.len(), grown.table_rows), (100, ROWS));
    viewer.ask(Request::SelectNode { node: hierarchy::ROOT, how: Combine::Replace });
    viewer.frames(SOON);
    assert_eq!(selected(&viewer), (0..100).collect::<Vec<_>>());
}
