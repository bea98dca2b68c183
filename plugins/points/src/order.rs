//! The order in which points are drawn: random, and always the same.

/// Slots in the order in which they are drawn: a random permutation that depends on the count alone.
#[must_use]
pub fn draw_order(count: usize) -> Vec<u32> {
    let mut order = Vec::new();
    extend_order(&mut order, count);
    order
}

/// Grows or shrinks an order that [`draw_order`] made to another count, as if made for it.
pub fn extend_order(order: &mut Vec<u32>, count: usize) {
    if count < order.len() {
        order.clear(); // the shuffle cannot be undone
    }
    order.reserve(count.saturating_sub(order.len()));
    // Fisher–Yates, inside out: each newcomer takes the place of one that is there, which moves to the end.
    for slot in order.len()..count {
        let place = (u128::from(hash(slot as u64)) * (slot as u128 + 1)) >> 64;
        let moved = order.get(place as usize).copied().unwrap_or(slot as u32);
        order.push(moved);
        order[place as usize] = slot as u32;
    }
}

/// The finaliser of SplitMix64.
fn hash(value: u64) -> u64 {
    let value = (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
