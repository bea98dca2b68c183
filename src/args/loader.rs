//! The loader's options as flags.

use clap::Args;
use dataset::{AttributeColumns, LoadOptions, OnBadRows, PcaChoice, Role};
use std::convert::Infallible;

/// One flag per field of [`LoadOptions`].
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Data")]
pub struct LoaderArgs {
    /// List column that holds the vectors [default: guessed].
    #[arg(long, value_name = "COLUMN")]
    pub vector: Option<String>,
    /// Numeric columns that make up the vectors, comma separated [default: guessed].
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with = "vector")]
    pub columns: Vec<String>,
    /// Use only the first so many rows.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Use so many rows, chosen at random.
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Seed of --sample and of a randomised PCA.
    #[arg(long, value_name = "SEED")]
    pub sample_seed: Option<u64>,
    /// Scale every dimension to mean 0 and variance 1.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub standardize: Option<bool>,
    /// Reduce vectors to their principal components: auto (50 where there are more than 100), off, or how many.
    #[arg(long, value_name = "auto|off|N")]
    pub pca: Option<PcaChoice>,
    /// What to do with rows whose vector has a null, NaN, infinity or another length.
    #[arg(long, value_name = "error|drop")]
    pub on_bad_rows: Option<OnBadRows>,
    /// Which other columns to read: all, none, or names, comma separated [default: all].
    #[arg(long, value_name = "all|none|COLUMNS", value_parser = attribute_columns)]
    pub attributes: Option<AttributeColumns>,
    /// Use a column as categorical, continuous, text, color, image, timestamp or ignored.
    #[arg(long = "role", value_name = "COLUMN=ROLE", value_parser = role)]
    pub roles: Vec<(String, Role)>,
}

impl LoaderArgs {
    /// The options with the given flags laid over them.
    pub fn over(&self, mut options: LoadOptions) -> LoadOptions {
        if self.vector.is_some() || !self.columns.is_empty() {
            // Naming the vectors one way takes back the other way of the recipe.
            options.vector.clone_from(&self.vector);
            options.columns.clone_from(&self.columns);
        }
        options.limit = self.limit.or(options.limit);
        options.sample = self.sample.or(options.sample);
        options.seed = self.sample_seed.unwrap_or(options.seed);
        options.standardize = self.standardize.unwrap_or(options.standardize);
        options.pca = self.pca.unwrap_or(options.pca);
        options.on_bad_rows = self.on_bad_rows.unwrap_or(options.on_bad_rows);
        options.attributes = self.attributes.clone().unwrap_or(options.attributes);
        options.roles.extend(self.roles.iter().cloned());
        options
    }
}

fn attribute_columns(text: &str) -> Result<AttributeColumns, Infallible> {
    Ok(match text {
        "all" => AttributeColumns::All,
        "none" => AttributeColumns::None,
        columns => AttributeColumns::Only(columns.split(',').map(str::to_owned).collect()),
    })
}

fn role(text: &str) -> Result<(String, Role), String> {
    let (column, role) = text.rsplit_once('=').ok_or("COLUMN=ROLE is expected")?;
    match serde_json::from_value(role.into()) {
        Ok(Role::Vector) => Err("--vector and --columns choose the vectors".to_owned()),
        Ok(role) => Ok((column.to_owned(), role)),
        Err(_) => Err(format!("{role:?} is no role")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_lie_over_the_options_and_absent_ones_do_not() {
        let base = LoadOptions { vector: Some("v".into()), limit: Some(10), seed: 3, ..LoadOptions::default() };
        assert_eq!(LoaderArgs::default().over(base.clone()), base);
        let flags = LoaderArgs { columns: vec!["a".into()], sample: Some(5), ..LoaderArgs::default() };
        let laid = flags.over(base.clone());
        assert_eq!((laid.vector, laid.columns, laid.limit), (None, vec!["a".to_owned()], Some(10)));
        assert_eq!((laid.sample, laid.seed), (Some(5), 3));
    }

    #[test]
    fn roles_are_named_by_column() {
        assert_eq!(role("a=b=color"), Ok(("a=b".to_owned(), Role::Color)));
        assert!(role("a=vector").is_err() && role("a").is_err() && role("a=colour").is_err());
    }
}
