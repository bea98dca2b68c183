use super::*;
use crate::layout::Layout;
use crate::support::{by_hand, classes};
use quick_xml::Reader;
use quick_xml::events::BytesStart;
use std::collections::BTreeMap;

/// An element with its attributes, the data in it by key, and nothing else.
#[derive(Debug, Default, PartialEq)]
struct Element {
    attributes: BTreeMap<String, String>,
    data: BTreeMap<String, String>,
}

fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    start.attributes().map(|found| found.unwrap()).map(|found| (text(found.key.0), text(&found.value))).collect()
}

/// Keys, nodes and edges as a strict reader finds them.
fn read(graphml: &str) -> (Vec<Element>, Vec<Element>, Vec<Element>) {
    let (mut keys, mut nodes, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader::from_str(graphml);
    let (mut open, mut text) = (Vec::<Element>::new(), String::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                text.clear();
                open.push(Element { attributes: attributes(&start), ..Element::default() });
            }
            Event::Empty(empty) => keys.push(Element { attributes: attributes(&empty), ..Element::default() }),
            Event::Text(piece) => text.push_str(&piece.decode().unwrap()),
            Event::GeneralRef(entity) => {
                let entity = format!("&{};", entity.decode().unwrap());
                text.push_str(&quick_xml::escape::unescape(&entity).unwrap());
            }
            Event::End(end) => {
                let closed = open.pop().unwrap();
                match end.name().0 {
                    b"data" => {
                        let old = open.last_mut().unwrap().data.insert(closed.attributes["key"].clone(), text.clone());
                        assert_eq!(old, None, "said twice");
                    }
                    b"node" => nodes.push(closed),
                    b"edge" => edges.push(closed),
                    _ => {}
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    (keys, nodes, edges)
}

#[test]
fn a_strict_reader_finds_everything() {
    let (hierarchy, classes) = (by_hand(0.5), classes());
    let layout = Layout::new(&hierarchy);
    let extras = Extras { classes: Some(&classes), layout: Some(&layout), members: false };
    let (keys, nodes, edges) = read(&to_graphml(&hierarchy, &extras).unwrap());
    assert_eq!((keys.len(), nodes.len(), edges.len()), (KEYS.len(), 10, 10));
    let known: Vec<&String> = keys.iter().map(|key| &key.attributes["id"]).collect();
    for element in nodes.iter().chain(&edges) {
        assert!(element.data.keys().all(|key| known.contains(&key)), "{element:?}");
    }
    let node = &nodes[2];
    assert_eq!(node.attributes["id"], "n2");
    assert_eq!((node.data["node-level"].as_str(), node.data["node-size"].as_str()), ("0", "5"));
    assert_eq!((node.data["node-alpha"].as_str(), node.data["node-purity"].as_str()), ("1", "0.8"));
    assert_eq!(node.data["node-label"], "bell\u{FFFD}", "XML has no bell");
    assert_eq!(nodes[1].data["node-label"], "salt & pepper");
    let labels: serde_json::Value = serde_json::from_str(&nodes[4].data["node-labels"]).unwrap();
    assert_eq!(labels, serde_json::json!([{"label": "<i>\"x\"</i>", "rows": 3}]));
    assert_eq!(node.data["node-x"].parse::<f32>().unwrap(), layout.places[2].x);
    let edge = &edges[8];
    assert_eq!((edge.attributes["source"].as_str(), edge.attributes["target"].as_str()), ("n4", "n8"));
    assert_eq!((edge.data["edge-weight"].as_str(), edge.data["edge-tree"].as_str()), ("0.5", "false"));
}

#[test]
fn without_extras_nothing_is_said_of_them() {
    let (_, nodes, _) = read(&to_graphml(&by_hand(0.5), &Extras::default()).unwrap());
    let said: Vec<&str> = nodes[3].data.keys().map(String::as_str).collect();
    assert_eq!(said, ["node-alpha", "node-level", "node-size"]);
    assert_eq!(nodes[0].data["node-level"], "-1");
    assert_eq!(nodes[0].data.get("node-alpha"), None);
}
