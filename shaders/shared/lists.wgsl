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

// Marks of a point: its Gaussian is out of date; it holds new neighbours in followed places.
const DIRTY: u32 = 1u;
const FRESH: u32 = 2u;
// It does not live: its slot is free, its list empty, and it is in nobody's list.
const DEAD: u32 = 4u;
// It is held where it is.
const PINNED: u32 = 8u;
// While the data changes: its row is another; it is new and has no place yet.
const CHANGED: u32 = 16u;
const COMING: u32 = 32u;
// It has lost much of its list, and looks at all its neighbours' neighbours.
const HUNGRY: u32 = 64u;
// A list with one in so many of its places free has lost much.
const LOST_MUCH: u32 = 8u;
