//! The engine's settings as flags.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use embedding::{Init, Settings};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::str::FromStr;
use vectors::Metric;

/// One flag per field of [`Settings`], of the same name.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Picture")]
pub struct EngineArgs {
    /// Dimensions of the embedding: columns x, y, z up to three, one list column `embedding` beyond.
    #[arg(long, value_name = "D")]
    pub dims: Option<usize>,
    /// Neighbours each point is drawn to: more show larger shapes, fewer show finer detail.
    #[arg(long, value_name = "P")]
    pub perplexity: Option<f32>,
    /// Smaller and larger neighbourhoods that count besides: perplexities this many times smaller and larger; 1 is one alone.
    #[arg(long, value_name = "FACTOR")]
    pub perplexity_range: Option<f32>,
    /// Tails of the similarity: below 1 clusters break into finer ones, above 1 they flow together.
    #[arg(long, value_name = "A")]
    pub alpha: Option<f32>,
    /// Pull between neighbours: more packs clusters tighter.
    #[arg(long, value_name = "FACTOR")]
    pub attraction: Option<f32>,
    /// Push between all points: more spreads clusters out.
    #[arg(long, value_name = "FACTOR")]
    pub repulsion: Option<f32>,
    /// How firmly points are drawn to the principal axes of the data (0 to 1): more keeps the shape of the whole.
    #[arg(long, value_name = "SHARE")]
    pub spring: Option<f32>,
    /// How far apart two rows of the data are, and so who is a neighbour.
    #[arg(long, value_parser = metric_parser())]
    pub metric: Option<Metric>,
    /// Length of a gradient step: longer ones settle sooner and jitter more.
    #[arg(long, value_name = "FACTOR")]
    pub step: Option<f32>,
    /// Share of its last move that a point keeps: more glides farther, and may overshoot.
    #[arg(long, value_name = "SHARE")]
    pub momentum: Option<f32>,
    /// How much harder neighbours pull at first: more gathers clusters sooner; 1 switches the phase off.
    #[arg(long, value_name = "FACTOR")]
    pub early_exaggeration: Option<f32>,
    /// Iterations with early exaggeration: more gives clusters longer to find each other.
    #[arg(long, value_name = "N")]
    pub early_iterations: Option<u32>,
    /// Nearest rows kept for each row of the data [default: by the perplexity].
    #[arg(long, value_name = "K")]
    pub hd_neighbours: Option<usize>,
    /// Nearest points in the picture whose push is exact where the rest is sampled: more is steadier, and slower.
    #[arg(long, value_name = "K")]
    pub ld_neighbours: Option<usize>,
    /// Opening of the tree that sums the push in up to three dimensions (0 to 1); 0 sums every pair.
    #[arg(long, value_name = "SHARE")]
    pub opening: Option<f32>,
    /// Points sampled for the push in more than three dimensions, or on the GPU (there 4096 and more in up to three, if the
    /// set is not large): more is steadier, and slower.
    #[arg(long, value_name = "N")]
    pub far_samples: Option<usize>,
    /// Random projection trees that start the search for neighbours: more finds them sooner.
    #[arg(long, value_name = "N")]
    pub start_projections: Option<u32>,
    /// Places of a neighbour list that the search follows: more finds more of the true neighbours, in more time.
    #[arg(long, value_name = "N")]
    pub followed_neighbours: Option<usize>,
    /// Where points start: pca (large shapes keep their place), random, or columns of INPUT, comma separated.
    #[arg(long, value_name = "pca|random|COLUMNS")]
    pub init: Option<InitChoice>,
    /// How firmly pinned rows are held: 1 keeps them in place, 0 lets them move like all others.
    #[arg(long, value_name = "SHARE")]
    pub stiffness: Option<f32>,
    /// Seed of every random choice: another one gives another picture of the same data.
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
}

/// Flags of engine and loader that a map has decided on for all rows that come into it.
pub const FIXED_BY_MAP: [&str; 24] = [
    "dims",
    "perplexity",
    "perplexity_range",
    "alpha",
    "attraction",
    "repulsion",
    "spring",
    "metric",
    "step",
    "momentum",
    "early_exaggeration",
    "early_iterations",
    "hd_neighbours",
    "ld_neighbours",
    "opening",
    "far_samples",
    "start_projections",
    "followed_neighbours",
    "init",
    "seed",
    "vector",
    "columns",
    "standardize",
    "pca",
];

/// Where points start, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InitChoice {
    /// A rule of the engine.
    Rule(Init),
    /// The values of these columns.
    Columns(Vec<String>),
}

impl FromStr for InitChoice {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "pca" => Self::Rule(Init::Pca),
            "random" => Self::Rule(Init::Random),
            columns => Self::Columns(columns.split(',').map(str::to_owned).collect()),
        })
    }
}

impl EngineArgs {
    /// The settings with the given flags laid over them.
    pub fn over(&self, mut settings: Settings) -> Settings {
        macro_rules! lay {
            ($($field:ident)*) => { $(if let Some(value) = self.$field { settings.$field = value; })* };
        }
        lay!(dims perplexity perplexity_range spring alpha attraction repulsion metric step momentum early_exaggeration early_iterations
            ld_neighbours opening far_samples start_projections followed_neighbours stiffness seed);
        settings.hd_neighbours = self.hd_neighbours.or(settings.hd_neighbours);
        if let Some(InitChoice::Rule(init)) = self.init {
            settings.init = init;
        }
        settings
    }

    /// The columns that hold the start, if `--init` named any.
    pub fn init_columns(&self) -> Vec<String> {
        match &self.init {
            Some(InitChoice::Columns(columns)) => columns.clone(),
            _ => Vec::new(),
        }
    }
}

/// Reads the name of a metric, and lists the names in the help.
pub fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(Metric::ALL.map(Metric::name))
        .map(|name| Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap_or_default())
}

/// Ends the help of every flag that is a setting with the setting's default.
pub fn with_defaults(mut command: clap::Command) -> clap::Command {
    for (name, default) in defaults() {
        if !command.get_arguments().any(|arg| *arg.get_id() == name.as_str()) {
            continue;
        }
        command = command.mut_arg(name, |arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(format!("{} [default: {default}]", help.trim_end_matches('.')))
        });
    }
    command
}

/// Every setting that has a default, and what it is; where it follows the rows, for few and for very many of them.
fn defaults() -> Vec<(String, String)> {
    let many = fields(1 << 31);
    let default = |(name, few): (String, Value)| {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match many.get(&name) {
            _ if few.is_null() => None,
            Some(many) if *many != few => Some((name, format!("by the rows, {} to {}", text(&few), text(many)))),
            _ => Some((name, text(&few))),
        }
    };
    fields(0).into_iter().filter_map(default).collect()
}

/// The default settings for so many rows. By way of text, where an `f32` is as short as it was written.
fn fields(rows: usize) -> Map<String, Value> {
    let text = serde_json::to_string(&Settings::for_rows(rows));
    text.and_then(|text| serde_json::from_str(&text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_its_flag_and_the_help_says_its_default() {
        let command = crate::args::command();
        let embed = command.find_subcommand("embed").expect("embed is a command");
        let settings = fields(0);
        assert!(settings.len() > 10);
        for (name, value) in settings {
            let arg = embed.get_arguments().find(|arg| *arg.get_id() == name.as_str());
            let arg = arg.unwrap_or_else(|| panic!("setting {name} has no flag"));
            assert_eq!(arg.get_long(), Some(name.replace('_', "-").as_str()));
            let help = arg.get_help().expect("help").to_string();
            let (_, default) = help.split_once("[default: ").unwrap_or_else(|| panic!("no default in {help:?}"));
            assert!(value.is_null() || default.contains(value.to_string().trim_matches('"')), "{help:?}");
        }
    }

    #[test]
    fn a_map_fixes_every_setting_but_how_firmly_it_is_held() {
        for name in fields(0).keys().filter(|name| *name != "stiffness") {
            assert!(FIXED_BY_MAP.contains(&name.as_str()), "--{name} beside --into");
        }
        assert!(!FIXED_BY_MAP.contains(&"stiffness"));
    }

    #[test]
    fn flags_lie_over_the_settings_and_absent_ones_do_not() {
        let base = Settings { perplexity: 7.0, alpha: 0.5, hd_neighbours: Some(9), ..Settings::default() };
        let flags = EngineArgs { alpha: Some(0.7), dims: Some(3), ..EngineArgs::default() };
        let expected = Settings { alpha: 0.7, dims: 3, ..base.clone() };
        assert_eq!(flags.over(base.clone()), expected);
        assert_eq!(EngineArgs::default().over(base.clone()), base);
    }

    #[test]
    fn init_is_a_rule_or_columns() {
        assert_eq!("pca".parse(), Ok(InitChoice::Rule(Init::Pca)));
        assert_eq!("a,b c".parse(), Ok(InitChoice::Columns(vec!["a".into(), "b c".into()])));
    }
}
