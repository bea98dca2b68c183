//! A hierarchy as GraphML, which Gephi, Cytoscape, yEd, igraph and networkx read.

use crate::error::ExportError;
use crate::export::Extras;
use crate::graph::{Edge, Hierarchy, Node};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

type Xml = Writer<Vec<u8>>;

/// What nodes and edges say: for whom, name and type.
const KEYS: [(&str, &str, &str); 12] = [
    ("node", "level", "int"),
    ("node", "alpha", "float"),
    ("node", "size", "int"),
    ("node", "label", "string"),
    ("node", "purity", "double"),
    ("node", "labels", "string"),
    ("node", "x", "float"),
    ("node", "y", "float"),
    ("node", "r", "float"),
    ("edge", "overlap", "int"),
    ("edge", "weight", "float"),
    ("edge", "tree", "boolean"),
];

/// The hierarchy as GraphML: nodes `n0` (the root, at level −1), `n1`, …, and directed edges from parents to children.
///
/// Nodes have their `level`, its `alpha` (not the root), their `size`; with classes also the most frequent `label`, its
/// share (`purity`) and all `labels` as a JSON array of objects of `label` and `rows`; with a layout `x`, `y` and `r`.
/// Edges have `overlap`, `weight` and `tree`.
/// Characters that XML cannot say are replaced by U+FFFD.
///
/// # Errors
/// [`ExportError::Hierarchy`] if the extras are of another hierarchy.
pub fn to_graphml(hierarchy: &Hierarchy, extras: &Extras<'_>) -> Result<String, ExportError> {
    extras.check(hierarchy)?;
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = xml.create_element("graphml").with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"));
    root.write_inner_content(|xml| {
        KEYS.iter().try_for_each(|&key| write_key(xml, key))?;
        let graph = xml.create_element("graph").with_attributes([("id", "hierarchy"), ("edgedefault", "directed")]);
        graph.write_inner_content(|xml| {
            hierarchy.nodes().iter().try_for_each(|node| write_node(xml, node, hierarchy, extras))?;
            hierarchy.edges().iter().try_for_each(|edge| write_edge(xml, edge))
        })?;
        Ok(())
    })?;
    Ok(String::from_utf8_lossy(&xml.into_inner()).into_owned())
}

fn write_key(xml: &mut Xml, (kind, name, value): (&str, &str, &str)) -> io::Result<()> {
    let id = key_id(kind, name);
    let attributes = [("id", id.as_str()), ("for", kind), ("attr.name", name), ("attr.type", value)];
    xml.create_element("key").with_attributes(attributes).write_empty()?;
    Ok(())
}

fn key_id(kind: &str, name: &str) -> String {
    format!("{kind}-{name}")
}

fn write_node(xml: &mut Xml, node: &Node, hierarchy: &Hierarchy, extras: &Extras<'_>) -> io::Result<()> {
    let id = node_id(node.id);
    xml.create_element("node").with_attribute(("id", id.as_str())).write_inner_content(|xml| {
        let mut data = |name: &str, value: String| write_data(xml, "node", name, &value);
        data("level", node.level.map_or(-1, |level| level as i64).to_string())?;
        if let Some(level) = node.level {
            data("alpha", hierarchy.levels()[level].alpha.to_string())?;
        }
        data("size", node.size().to_string())?;
        if let Some(classes) = extras.classes {
            let labels = classes.labels(node);
            if let Some(most) = labels.first() {
                data("label", most.label.to_owned())?;
            }
            data("purity", classes.purity(node).to_string())?;
            data("labels", serde_json::to_string(&labels)?)?;
        }
        if let Some(layout) = extras.layout {
            let place = layout.places[node.id as usize];
            data("x", place.x.to_string())?;
            data("y", place.y.to_string())?;
            data("r", place.r.to_string())?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_edge(xml: &mut Xml, edge: &Edge) -> io::Result<()> {
    let (source, target) = (node_id(edge.parent), node_id(edge.child));
    let attributes = [("source", source.as_str()), ("target", target.as_str())];
    xml.create_element("edge").with_attributes(attributes).write_inner_content(|xml| {
        write_data(xml, "edge", "overlap", &edge.overlap.to_string())?;
        write_data(xml, "edge", "weight", &edge.weight.to_string())?;
        write_data(xml, "edge", "tree", &edge.tree.to_string())
    })?;
    Ok(())
}

fn node_id(node: u32) -> String {
    format!("n{node}")
}

fn write_data(xml: &mut Xml, kind: &str, name: &str, value: &str) -> io::Result<()> {
    let id = key_id(kind, name);
    let value: String = value.chars().map(|c| if is_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    xml.create_element("data").with_attribute(("key", id.as_str())).write_text_content(BytesText::new(&value))?;
    Ok(())
}

/// Whether XML 1.0 has a character, escaped or not.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests;
