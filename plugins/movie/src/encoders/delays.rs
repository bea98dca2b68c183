//! When the frames of a GIF are shown, in the hundredths of a second that it counts in.

/// Browsers take a frame that is shown for less to be a mistake, and show it for ten.
const SHORTEST: u64 = 2;

/// When a frame starts, in hundredths of a second from the start of the movie, to the nearest.
///
/// Delays are the differences of such starts, so that their roundings cancel out and the movie keeps its length.
pub(crate) fn start(frame: u64, fps: u32) -> u64 {
    let fps = u64::from(fps);
    (frame * 100 + fps / 2) / fps
}

/// How long a frame is shown that starts at one time and is followed at another.
pub(crate) fn delay(start: u64, end: u64) -> u16 {
    u16::try_from(end.saturating_sub(start).max(SHORTEST)).unwrap_or(u16::MAX)
}

/// Whether a frame that starts at one time has been seen at another, so that the next may follow.
pub(crate) fn seen(start: u64, now: u64) -> bool {
    now >= start + SHORTEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_sum_to_the_length_at_every_rate() {
        for fps in 1..=50 {
            let frames = 7 * u64::from(fps);
            let delays: Vec<_> = (0..frames).map(|frame| delay(start(frame, fps), start(frame + 1, fps))).collect();
            assert_eq!(delays.iter().map(|&delay| u64::from(delay)).sum::<u64>(), 700, "{fps}");
            let (least, most) = (delays.iter().min().unwrap(), delays.iter().max().unwrap());
            assert!(most - least <= 1, "{fps}: {least} to {most}");
        }
    }

    #[test]
    fn rounding_each_delay_by_itself_would_not_keep_the_length() {
        let each = (100.0f64 / 30.0).round() * 7.0 * 30.0;
        assert_eq!(each, 630.0);
        assert_eq!(start(7 * 30, 30), 700);
    }

    #[test]
    fn no_frame_is_too_short_for_browsers() {
        assert_eq!(delay(10, 11), 2);
        assert!(!seen(10, 11));
        assert!(seen(10, 12));
    }
}
