// Neighbour lists: what an entry says. CPU twin: lists.rs
#define_import_path nevis::lists

// An entry whose neighbours have not been looked at yet.
const NEW: u32 = 0x80000000u;
// An entry that came in during the present pass over all points.
const NEXT: u32 = 0x40000000u;
// The bits of an entry that name a point.
const POINT: u32 = 0x3fffffffu;
// An entry that names no point …
const EMPTY: u32 = 0x3fffffffu;
// … and its distance: larger than any other, but a number, as WGSL promises nothing about infinities.
const FARTHEST: f32 = 3.0e38;

// Marks of a row: its Gaussian is out of date; it holds new neighbours in followed places.
const DIRTY: u32 = 1u;
const FRESH: u32 = 2u;
