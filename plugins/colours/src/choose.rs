//! Which columns one can colour by, and which one to begin with.

use crate::{ColourBy, ColourSettings, Values};
use dataset::{Dataset, Role};

/// Names of columns that say what a row is, most likely first; compared in lower case, with `_` for spaces, dots and
/// hyphens.
const LABEL_NAMES: [&str; 20] = [
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "category",
    "cell_type",
    "celltype",
    "cluster",
    "clusters",
    "leiden",
    "louvain",
    "species",
    "digit",
    "letter",
    "population",
    "type",
    "group",
    "y",
    "name",
];
/// The same for the ends of longer names.
const LABEL_ENDINGS: [&str; 6] = ["_label", "_class", "_type", "_category", "_cluster", "_name"];
/// Columns with other names are the first choice only with so many categories at most.
const MAX_CATEGORIES: usize = 64;

/// The columns one can colour by and their roles, in the file's order.
#[must_use]
pub fn colourable(data: &Dataset) -> Vec<(String, Role)> {
    let has_colours = |role: Role| matches!(role, Role::Categorical | Role::Continuous | Role::Color | Role::Timestamp);
    let read = |name: &str| data.attributes.schema().column_with_name(name).is_some();
    data.roles.iter().filter(|(name, role)| has_colours(*role) && read(name)).cloned().collect()
}

/// The colouring to begin with: by the categorical column whose name sounds like labels (`label`, `class`,
/// `cell_type`, …), else by the first categorical one of 2 to 64 values, else by a column of colours, else by the first
/// of numbers, else by nothing.
#[must_use]
pub fn default_colouring(data: &Dataset) -> ColourSettings {
    let columns = colourable(data);
    let with_role = |wanted: Role| columns.iter().filter(move |(_, role)| *role == wanted).map(|(name, _)| name);
    let mut labels: Vec<(usize, &String)> =
        with_role(Role::Categorical).filter_map(|name| Some((rank(name)?, name))).collect();
    labels.sort_by_key(|&(rank, _)| rank); // stable: the file's order among equals
    let chosen = (labels.into_iter().map(|(_, name)| name).find(|name| categories(data, name) >= 2))
        .or_else(|| with_role(Role::Categorical).find(|name| (2..=MAX_CATEGORIES).contains(&categories(data, name))))
        .or_else(|| with_role(Role::Color).next())
        .or_else(|| with_role(Role::Continuous).next());
    let by = chosen.map_or(ColourBy::Uniform, |name| ColourBy::Column(name.clone()));
    ColourSettings { by, ..ColourSettings::default() }
}

/// How far down the list of names of labels a name is.
fn rank(name: &str) -> Option<usize> {
    let name = name.to_lowercase().replace([' ', '.', '-'], "_");
    let exact = LABEL_NAMES.iter().position(|&label| label == name);
    exact.or_else(|| LABEL_ENDINGS.iter().position(|end| name.ends_with(end)).map(|place| LABEL_NAMES.len() + place))
}

fn categories(data: &Dataset, name: &str) -> usize {
    match Values::of_column(data, name) {
        Ok(Values::Categories(categories)) => categories.names.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{dataset, dataset_with_roles, floats, integers, words};

    fn chosen(data: &Dataset) -> ColourBy {
        default_colouring(data).by
    }

    fn column(name: &str) -> ColourBy {
        ColourBy::Column(name.into())
    }

    #[test]
    fn the_default_is_the_most_telling_column() {
        let two = || words(&["a", "b", "a", "b"]);
        let one = || words(&["a", "a", "a", "a"]);
        let colours = || words(&["#fff", "#000", "#123", "#fff"]);
        let number = || floats(&[0.5, 1.5, 2.5, 4.0]);
        let named = [("size", number()), ("batch", two()), ("Cell Type", two()), ("class", two())];
        assert_eq!(chosen(&dataset(named.to_vec())), column("class"));
        assert_eq!(chosen(&dataset(named[..3].to_vec())), column("Cell Type"));
        assert_eq!(chosen(&dataset(named[..2].to_vec())), column("batch"));
        assert_eq!(
            chosen(&dataset(vec![("label", one()), ("batch", two())])),
            column("batch"),
            "one label says nothing"
        );
        let rest = [("size", number()), ("tint", colours()), ("label", one())];
        assert_eq!(chosen(&dataset(rest.to_vec())), column("tint"));
        assert_eq!(chosen(&dataset(rest[..1].to_vec())), column("size"));
        assert_eq!(chosen(&dataset(vec![("id", words(&["a", "b", "c", "d"]))])), ColourBy::Uniform);
    }

    #[test]
    fn many_categories_are_chosen_only_by_name() {
        let many = |name: &'static str| {
            let values: Vec<i64> = (0..200).map(|row| row % 100).collect();
            dataset(vec![(name, integers(&values))])
        };
        assert_eq!(chosen(&many("label")), column("label"));
        assert_eq!(chosen(&many("plate")), ColourBy::Uniform);
    }

    #[test]
    fn colourable_columns_are_in_the_files_order() {
        let columns =
            || vec![("size", floats(&[1.0, 2.0])), ("text", words(&["a", "b"])), ("kind", words(&["a", "a"]))];
        let expected = [("size".to_owned(), Role::Continuous), ("kind".to_owned(), Role::Categorical)];
        assert_eq!(colourable(&dataset(columns())), expected);
        let given = dataset_with_roles(columns(), &[("text", Role::Categorical), ("size", Role::Ignored)]);
        let names: Vec<String> = colourable(&given).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["text", "kind"]);
    }
}
