// Which places of a list are followed: the nearest, and a few at the far end, which lead out of tight clusters.
// CPU twin: cpu/propose.rs, Fan
#define_import_path nevis::followed

#import nevis::params::params

// Place number `number` of those that are followed.
fn followed(number: u32) -> u32 {
    let near = min(params.followed_near, params.hd_length);
    if number < near {
        return number;
    }
    return number - near + followed_far_start();
}

fn followed_far_start() -> u32 {
    let near = min(params.followed_near, params.hd_length);
    return max(params.hd_length - min(params.followed_far, params.hd_length), near);
}

fn followed_count() -> u32 {
    return min(params.followed_near, params.hd_length) + params.hd_length - followed_far_start();
}
