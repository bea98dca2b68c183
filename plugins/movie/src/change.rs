//! What changed between two pictures: the rectangle that GIF and APNG write anew.

/// A rectangle of pixels within a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rectangle {
    /// Pixels left of it.
    pub x: usize,
    /// Pixels above it.
    pub y: usize,
    /// Its width, at least 1.
    pub width: usize,
    /// Its height, at least 1.
    pub height: usize,
}

impl Rectangle {
    /// A whole picture.
    pub(crate) fn whole(width: usize, height: usize) -> Self {
        Self { x: 0, y: 0, width, height }
    }

    /// The part of a row of a picture `picture_width` wide, RGBA, that lies in the rectangle; `row` counts within it.
    pub(crate) fn row<'a>(&self, picture: &'a [u8], picture_width: usize, row: usize) -> &'a [u8] {
        let start = ((self.y + row) * picture_width + self.x) * 4;
        &picture[start..start + self.width * 4]
    }

    /// As [`row`](Self::row), to write into.
    pub(crate) fn row_mut<'a>(&self, picture: &'a mut [u8], picture_width: usize, row: usize) -> &'a mut [u8] {
        let start = ((self.y + row) * picture_width + self.x) * 4;
        &mut picture[start..start + self.width * 4]
    }
}

/// The smallest rectangle with every pixel for which `differs(before, now)`; `None` where none does.
pub(crate) fn changed(
    before: &[u8],
    now: &[u8],
    width: usize,
    differs: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<Rectangle> {
    let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
    for (y, (before, now)) in before.chunks_exact(width * 4).zip(now.chunks_exact(width * 4)).enumerate() {
        if before == now {
            continue; // most rows of most movies, and much faster than pixel by pixel
        }
        let differs_at = |x: usize| differs(&before[x * 4..x * 4 + 4], &now[x * 4..x * 4 + 4]);
        let Some(first) = (0..width).find(|&x| differs_at(x)) else { continue };
        let last = (first..width).rev().find(|&x| differs_at(x)).unwrap_or(first);
        (left, right) = (left.min(first), right.max(last));
        (top, bottom) = (top.min(y), y);
    }
    (left < width).then(|| Rectangle { x: left, y: top, width: right - left + 1, height: bottom - top + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(before: &[u8], now: &[u8]) -> bool {
        before != now
    }

    #[test]
    fn the_rectangle_holds_every_change_and_no_more() {
        let (width, height) = (7, 5);
        let before = vec![9; width * height * 4];
        let mut now = before.clone();
        assert_eq!(changed(&before, &now, width, any), None);
        now[(3 * width + 2) * 4 + 1] = 0;
        assert_eq!(changed(&before, &now, width, any), Some(Rectangle { x: 2, y: 3, width: 1, height: 1 }));
        now[(width + 6) * 4 + 3] = 0;
        assert_eq!(changed(&before, &now, width, any), Some(Rectangle { x: 2, y: 1, width: 5, height: 3 }));
        now[0] = 0;
        assert_eq!(changed(&before, &now, width, any), Some(Rectangle { x: 0, y: 0, width: 7, height: 4 }));
    }

    #[test]
    fn what_does_not_count_as_a_change_stays_out() {
        let before = vec![100; 4 * 4 * 4];
        let mut now = before.clone();
        now[0] = 101;
        now[5 * 4] = 150;
        let large = |a: &[u8], b: &[u8]| a[0].abs_diff(b[0]) > 3;
        assert_eq!(changed(&before, &now, 4, large), Some(Rectangle { x: 1, y: 1, width: 1, height: 1 }));
    }
}
