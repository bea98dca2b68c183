// Takes a candidate into a list of nearest rows. CPU twin: lists.rs, insert
#define_import_path nevis::insert

#import nevis::params::params
#import nevis::lists::POINT

@group(0) @binding(4) var<storage, read_write> hd_entries: array<u32>; // [points][hd_length]
@group(0) @binding(5) var<storage, read_write> hd_distances: array<f32>; // their squared distances, ascending

// Puts a candidate with this mark into its place; only strictly nearer ones that are not in the list yet.
fn insert(point: u32, candidate: u32, mark: u32, distance: f32) -> bool {
    let row = point * params.hd_length;
    let last = row + params.hd_length - 1u;
    if distance >= hd_distances[last] {
        return false;
    }
    for (var at = row; at <= last; at += 1u) {
        if (hd_entries[at] & POINT) == candidate {
            return false;
        }
    }
    var place = last;
    while place > row && hd_distances[place - 1u] > distance {
        hd_entries[place] = hd_entries[place - 1u];
        hd_distances[place] = hd_distances[place - 1u];
        place -= 1u;
    }
    hd_entries[place] = candidate | mark;
    hd_distances[place] = distance;
    return true;
}
