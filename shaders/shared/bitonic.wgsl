// Which two elements a thread compares in a bitonic sorting network whose every comparison puts the smaller first. So
// elements beyond the end may be left out: they would be larger than all others and never move.
#define_import_path nevis::bitonic

// First step of a merge of two sorted halves of `height` elements: the first with the last, and so on inwards.
fn flipped(thread: u32, height: u32) -> vec2<u32> {
    let half = height / 2u;
    let block = (thread / half) * height;
    let place = thread % half;
    return vec2<u32>(block + place, block + height - 1u - place);
}

// Later steps: half a height apart.
fn dispersed(thread: u32, height: u32) -> vec2<u32> {
    let half = height / 2u;
    let first = (thread / half) * height + thread % half;
    return vec2<u32>(first, first + half);
}

// True if a belongs behind b: by key, then by value.
fn behind(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x > b.x || (a.x == b.x && a.y > b.y);
}
