// Positions in the embedding: one or two dimensions in a vec2, three or four in a vec4, more in several vec4s. Axes
// that are not used are zero everywhere and stay so.
#define_import_path nevis::place

#if CHUNKS == 0
struct Place {
    v: vec2<f32>,
}
#else if CHUNKS == 1
struct Place {
    v: vec4<f32>,
}
#else
struct Place {
    v: array<vec4<f32>, #{CHUNKS}>,
}
#endif

#if CHUNKS == 0
fn origin() -> Place {
    return Place(vec2<f32>(0.0));
}
#else if CHUNKS == 1
fn origin() -> Place {
    return Place(vec4<f32>(0.0));
}
#else
fn origin() -> Place {
    var place: Place;
    for (var chunk = 0u; chunk < #{CHUNKS}u; chunk += 1u) {
        place.v[chunk] = vec4<f32>(0.0);
    }
    return place;
}
#endif

#if CHUNKS < 2
// a + coefficient · b
fn add_scaled(a: Place, coefficient: f32, b: Place) -> Place {
    return Place(a.v + coefficient * b.v);
}

fn squared_length(a: Place) -> f32 {
    return dot(a.v, a.v);
}
#else
// a + coefficient · b
fn add_scaled(a: Place, coefficient: f32, b: Place) -> Place {
    var sum = a;
    for (var chunk = 0u; chunk < #{CHUNKS}u; chunk += 1u) {
        sum.v[chunk] += coefficient * b.v[chunk];
    }
    return sum;
}

fn squared_length(a: Place) -> f32 {
    var sum = 0.0;
    for (var chunk = 0u; chunk < #{CHUNKS}u; chunk += 1u) {
        sum += dot(a.v[chunk], a.v[chunk]);
    }
    return sum;
}
#endif

fn difference(a: Place, b: Place) -> Place {
    return add_scaled(a, -1.0, b);
}
