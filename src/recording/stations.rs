//! Where a fly-through stops.

use bevy::math::Vec3;
use orbit_camera::{CloudBounds, Pose};
use score::Station;

/// Share of a selection's points that are framed: a stray one must not make the rest small.
const FRAMED: f32 = 0.95;
/// The nearest a flight comes, as a share of the distance that frames the cloud: what is around stays in sight.
const NEAREST: f32 = 0.3;

/// The station of a selection, by the places of its points; none without any.
pub fn station(name: &str, places: &[Vec3], bounds: &CloudBounds) -> Option<Station> {
    let places: Vec<Vec3> = places.iter().copied().filter(|place| place.is_finite()).collect();
    if places.is_empty() {
        return None;
    }
    let centre = places.iter().sum::<Vec3>() / places.len() as f32;
    let mut distances: Vec<f32> = places.iter().map(|place| place.distance(centre)).collect();
    let most = ((distances.len() - 1) as f32 * FRAMED) as usize;
    let (_, radius, _) = distances.select_nth_unstable_by(most, f32::total_cmp);
    let share = (*radius / bounds.radius).clamp(NEAREST, 1.0);
    Some(Station {
        name: name.to_owned(),
        focus: bounds.relative_from_world(centre).to_array().map(f64::from),
        distance: f64::from(share * Pose::frame_distance()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_station_is_in_the_middle_of_its_points() {
        let bounds = CloudBounds { centre: Vec3::ONE, radius: 10.0, flat: false };
        let places = [Vec3::new(6.0, 1.0, 1.0), Vec3::new(8.0, 1.0, 1.0), Vec3::NAN];
        let found = station("a", &places, &bounds).expect("a station");
        assert!((found.focus[0] - 0.6).abs() < 1e-6 && found.focus[1].abs() < 1e-6, "{found:?}");
        assert!((found.distance - f64::from(NEAREST * Pose::frame_distance())).abs() < 1e-6, "{found:?}");
        assert_eq!(station("b", &[Vec3::NAN], &bounds), None);
    }
}
