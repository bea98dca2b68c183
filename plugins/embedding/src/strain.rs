//! Strain: notices when settings that tear an embedding apart are taken back.
//!
//! Much more push than pull scatters neighbours over the whole of the embedding, and tails much lighter than those of
//! t-SNE press it into a ball. What was torn so does not find together again by small steps: neighbours that lie on
//! opposite sides hardly feel each other. So an embedding that is let go of is drawn together and young once more, and
//! forms as it did in the beginning. Measured on 4 000 digits (AUC of a fresh run 0.534): repulsion 10 taken back 0.414,
//! with this 0.534; α = 100 taken back 0.072, with this 0.536.

use crate::settings::Settings;

/// More push than pull that has fallen by more than this factor was a strain. Three times as much is mended by small steps.
const BALANCE: f32 = 4.0;
/// So was an α of more than 1 that has fallen by more than this factor.
const TAILS: f32 = 2.5;

/// The largest strain since the embedding was last young.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strain {
    /// Repulsion by attraction, at least 1: less tears nothing.
    balance: f32,
    /// α, at least 1: heavier tails tear nothing.
    tails: f32,
    /// Iteration at which the present settings came into force.
    since: u32,
}

impl Strain {
    /// That of settings in force from an iteration on.
    #[must_use]
    pub fn of(settings: &Settings, since: u32) -> Self {
        let Settings { attraction, repulsion, alpha, .. } = *settings;
        let balance = repulsion / attraction.max(f32::MIN_POSITIVE);
        Self { balance: balance.clamp(1.0, f32::MAX), tails: alpha.max(1.0), since }
    }

    /// Takes in a change of settings between two iterations. True if it ends a strain that points have felt: then the
    /// embedding is to be drawn together and young again.
    pub fn ends_with(&mut self, old: &Settings, new: &Settings, iteration: u32) -> bool {
        if iteration > self.since {
            let felt = Self::of(old, iteration);
            self.balance = self.balance.max(felt.balance);
            self.tails = self.tails.max(felt.tails);
        } // else nothing has moved under the old settings
        self.since = iteration;
        let eased = Self::of(new, iteration);
        let ends = self.balance > BALANCE * eased.balance || self.tails > TAILS * eased.tails;
        if ends {
            *self = eased;
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(alpha: f32, repulsion: f32) -> Settings {
        Settings { alpha, repulsion, ..Settings::default() }
    }

    /// Whether the last of some settings, each in force for ten iterations, ends a strain; and whether one before did.
    fn ends(walk: &[Settings]) -> (bool, bool) {
        let mut strain = Strain::of(&walk[0], 0);
        let ends: Vec<bool> =
            (1..).zip(walk.windows(2)).map(|(at, pair)| strain.ends_with(&pair[0], &pair[1], 10 * at)).collect();
        (ends[ends.len() - 1], ends[..ends.len() - 1].contains(&true))
    }

    #[test]
    fn a_strain_ends_when_it_is_taken_back() {
        let usual = Settings::default();
        for torn in [settings(1.0, 10.0), settings(3.0, 1.0), settings(100.0, 10.0), settings(0.05, 10.0)] {
            assert_eq!(ends(&[usual.clone(), torn.clone(), usual.clone()]), (true, false), "{torn:?}");
            assert!(ends(&[torn.clone(), usual.clone()]).0, "from the start: {torn:?}");
            assert!(!ends(&[torn.clone(), usual.clone(), usual.clone()]).0, "once is enough: {torn:?}");
        }
        let weak = Settings { attraction: 0.1, ..Settings::default() };
        assert!(ends(&[weak, usual.clone()]).0, "weak attraction is as good as strong repulsion");
        let step_by_step = [10.0, 8.0, 6.0, 4.0, 3.0, 2.4].map(|repulsion| settings(1.0, repulsion));
        assert_eq!(ends(&step_by_step), (true, false), "a slider that goes back slowly");
    }

    #[test]
    fn what_tears_nothing_is_none() {
        let usual = Settings::default();
        for mild in
            [settings(1.0, 3.0), settings(0.05, 1.0), settings(0.3, 1.0), settings(2.0, 1.0), settings(1.0, 0.1)]
        {
            assert_eq!(ends(&[usual.clone(), mild.clone(), usual.clone()]), (false, false), "{mild:?}");
        }
        let still = Settings { attraction: 0.0, repulsion: 0.0, ..Settings::default() };
        assert_eq!(ends(&[usual.clone(), still.clone(), usual.clone()]), (false, false), "no forces at all");
        let mut strain = Strain::of(&usual, 7);
        assert!(!strain.ends_with(&usual, &settings(1.0, 10.0), 7));
        assert!(!strain.ends_with(&settings(1.0, 10.0), &usual, 7), "nothing has moved in between");
    }
}
